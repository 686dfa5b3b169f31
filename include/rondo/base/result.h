#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rondo {

/// Where in the input something happened. Empty or zero parts are unknown and not printed.
/// Line and column count from 1; in a MARC record the column is that of the subfield named in `field`.
struct Place {
  std::string file;
  std::string record;
  std::string field;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "file.xml: record 00001: 031 $p: line 3, column 7"; empty when nothing is known.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// A warning or error about the input. `code` is stable ("pae-beam-unbalanced"), because scripts and tests rely on it;
/// message and hint are for people and may change.
struct Diagnostic {
  std::string code;
  std::string message;
  Place place;
  std::string hint;

  [[nodiscard]] std::string to_string() const;
};

using Diagnostics = std::vector<Diagnostic>;

/// Why input, disk or network failed. It has the fields of a warning: code, message, place, hint.
using Error = Diagnostic;

/// The error that a function returns in place of a value: `return fail("code", "message")`.
struct [[nodiscard]] Failure {
  Error error;
};

[[nodiscard]] inline Failure fail(std::string code, std::string message, Place place = {}, std::string hint = {}) {
  return {Error{std::move(code), std::move(message), std::move(place), std::move(hint)}};
}
[[nodiscard]] inline Failure fail(Error error) { return {std::move(error)}; }

/// The value, or why there is none. Used like a pointer: `if (!result) return fail(result.error()); use(*result);`.
/// It is never thrown: exceptions are for bugs, such as reading the value of a failure.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result()
    requires std::is_default_constructible_v<T>
      : content_(std::in_place_index<0>) {}
  template <typename U = T>
    requires(std::is_constructible_v<T, U> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Failure>)
  explicit(!std::is_convertible_v<U, T>) Result(U&& value)  // NOLINT(bugprone-forwarding-reference-overload)
      : content_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : content_(std::in_place_index<1>, std::move(failure.error)) {}

  [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

  /// Precondition: has_value().
  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&content_); }
  [[nodiscard]] const T& operator*() const& noexcept { return *std::get_if<0>(&content_); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&content_)); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&content_); }
  [[nodiscard]] const T* operator->() const noexcept { return std::get_if<0>(&content_); }
  /// The same, but throws std::logic_error if there is no value.
  [[nodiscard]] T& value() & { return checked(), **this; }
  [[nodiscard]] const T& value() const& { return checked(), **this; }
  [[nodiscard]] T&& value() && { return checked(), *std::move(*this); }
  template <typename U>
  [[nodiscard]] T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }

  /// Precondition: !has_value().
  [[nodiscard]] Error& error() & noexcept { return *std::get_if<1>(&content_); }
  [[nodiscard]] const Error& error() const& noexcept { return *std::get_if<1>(&content_); }
  [[nodiscard]] Error&& error() && noexcept { return std::move(*std::get_if<1>(&content_)); }

 private:
  void checked() const {
    if (!has_value()) throw std::logic_error(error().to_string());
  }
  std::variant<T, Error> content_;
};

/// Success, or the error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Failure failure) : error_(std::move(failure.error)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (error_) throw std::logic_error(error_->to_string());
  }
  [[nodiscard]] Error& error() & noexcept { return *error_; }
  [[nodiscard]] const Error& error() const& noexcept { return *error_; }
  [[nodiscard]] Error&& error() && noexcept { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace rondo
