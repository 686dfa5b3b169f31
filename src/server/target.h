#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::server {

/// The decoded query parameters, in order. Malformed UTF-8 is an error, so that later code need not check.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(std::vector<std::pair<std::string, std::string>> pairs) : pairs_(std::move(pairs)) {}

  [[nodiscard]] bool has(std::string_view name) const;
  /// The first value of that name, or the default.
  [[nodiscard]] std::string_view text(std::string_view name, std::string_view standard = {}) const;
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  /// A whole number within a range. Error `argument-number`.
  [[nodiscard]] Result<std::size_t> number(std::string_view name, std::size_t standard, std::size_t least,
                                           std::size_t most) const;
  /// 0 or 1 (also false and true). Error `argument-switch`.
  [[nodiscard]] Result<bool> flag(std::string_view name, bool standard) const;
  /// Error `argument-unknown` for a name that is not among these, so that a misspelling is noticed; error
  /// `argument-repeated` for one that is given twice, unless it is a list.
  [[nodiscard]] Result<void> only(const std::vector<std::string_view>& known,
                                  const std::vector<std::string_view>& lists = {}) const;

  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& pairs() const { return pairs_; }
  /// Parses "a=1&b=2", as after "?" or in the body of a form. Errors `target-malformed`, `target-too-long`.
  [[nodiscard]] static Result<Arguments> parse(std::string_view text);
  void add(std::string name, std::string value) { pairs_.emplace_back(std::move(name), std::move(value)); }
  void remove(std::string_view name) {
    std::erase_if(pairs_, [&](const auto& pair) { return pair.first == name; });
  }

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

/// A parsed and decoded request target (RFC 3986).
struct Target {
  std::string authority;  ///< of the absolute form, "http://host:port/path": goes before the header Host; else empty
  std::string path;       ///< decoded as a whole: for messages and static files
  std::vector<std::string> segments;
  Arguments arguments;

  /// Errors `target-malformed`, `target-too-long`. Segments "." and ".." have no special meaning: nothing here names a
  /// file.
  [[nodiscard]] static Result<Target> parse(std::string_view text);
};

inline constexpr std::size_t kLongestTarget = 8192;
inline constexpr std::size_t kMostArguments = 200;

}  // namespace rondo::server
