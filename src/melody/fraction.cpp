#include "rondo/melody/fraction.h"

#include <charconv>

namespace rondo {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

std::optional<Fraction> decimal(std::string_view text, std::size_t point) {
  const bool negative = text.starts_with('-');
  const std::string_view whole = text.substr(negative ? 1 : 0, point - (negative ? 1 : 0));
  const std::string_view part = text.substr(point + 1);
  // 15 digits keep the denominator well inside 64 bits; nobody writes more.
  if (part.empty() || part.size() > 15 || part.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::int64_t scale = 1;
  for (std::size_t i = 0; i < part.size(); ++i) scale *= 10;
  const auto whole_value = whole.empty() ? std::optional<std::int64_t>(0) : whole_number(whole);
  const auto part_value = whole_number(part);
  if (!whole_value || !part_value || *whole_value < 0) return std::nullopt;
  const Fraction sum = Fraction(*whole_value) + Fraction(*part_value, scale);
  return negative ? -sum : sum;
}

}  // namespace

std::string Fraction::to_string() const {
  if (!valid()) return "invalid";
  if (den_ == 1) return std::to_string(num_);
  return std::to_string(num_) + "/" + std::to_string(den_);
}

std::optional<Fraction> Fraction::parse(std::string_view text) {
  std::optional<Fraction> value;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto num = whole_number(text.substr(0, slash));
    const auto den = whole_number(text.substr(slash + 1));
    if (!num || !den || *den <= 0) return std::nullopt;
    value = Fraction(*num, *den);
  } else if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    value = decimal(text, point);
  } else if (const auto whole = whole_number(text)) {
    value = Fraction(*whole);
  }
  if (value && !value->valid()) return std::nullopt;
  return value;
}

}  // namespace rondo
