#include "formats/jsonl/values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "melody/limits.h"

namespace rondo::jsonl {
namespace {

/// Decimal text as a double; none for anything else.
std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value, std::chars_format::general);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::uint16_t> small_number(std::string_view text) {
  std::uint16_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::uint16_t> small_number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  const auto value = read_whole(*found);
  if (!value || *value < 0 || *value > UINT16_MAX) return std::nullopt;
  return static_cast<std::uint16_t>(*value);
}

struct NamedTime {
  std::string_view symbol;
  std::uint16_t beats;
  std::uint16_t unit;
};
constexpr auto kNamedTimes = std::to_array<NamedTime>({{"c", 4, 4}, {"C", 4, 4}, {"c/", 2, 2}, {"C|", 2, 2}});

std::optional<KeySignature> signature_of_letters(std::string_view text) {
  KeySignature signature;
  int alter = 0;
  for (const char c : text) {
    if (c == 'x' || c == 'b') {
      alter = c == 'x' ? 1 : -1;
      continue;
    }
    if (c < 'A' || c > 'G' || alter == 0) return std::nullopt;
    signature.alter[static_cast<std::size_t>(step_of_letter(c))] = static_cast<std::int8_t>(alter);
  }
  return signature;
}

}  // namespace

std::optional<Fraction> nearest_fraction(double value, std::int64_t limit) {
  if (!std::isfinite(value) || std::abs(value) > static_cast<double>(limits::kWholes)) return std::nullopt;
  // Continued fraction of the value: each convergent is the best approximation of its size. If the next one is too
  // large, the best is the current one or the largest semiconvergent that fits.
  std::int64_t p0 = 0;
  std::int64_t q0 = 1;
  std::int64_t p1 = 1;
  std::int64_t q1 = 0;
  double rest = value;
  for (;;) {
    const double whole = std::floor(rest);
    if (whole > 1e12) break;  // the rest is only rounding noise
    const auto a = static_cast<std::int64_t>(whole);
    if (q1 != 0 && a > (limit - q0) / q1) {
      const std::int64_t steps = (limit - q0) / q1;
      const Fraction last(p1, q1);
      const Fraction between(p0 + steps * p1, q0 + steps * q1);
      const bool closer = std::abs(between.to_double() - value) < std::abs(last.to_double() - value);
      return closer ? between : last;
    }
    const std::int64_t p2 = p0 + a * p1;
    const std::int64_t q2 = q0 + a * q1;
    p0 = p1;
    q0 = q1;
    p1 = p2;
    q1 = q2;
    const double part = rest - whole;
    if (part == 0) break;
    rest = 1 / part;
  }
  return Fraction(p1, q1);
}

std::optional<Fraction> read_time(const Json& value, std::size_t& rounded) {
  std::optional<double> number;
  if (value.is_number_integer()) {
    return Fraction(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX ? INT64_MAX
                                                                                         : value.get<std::int64_t>());
  }
  if (value.is_number_float()) {
    number = value.get<double>();
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('.') == std::string::npos) return Fraction::parse(text);
    number = decimal(text);
  }
  if (!number) return std::nullopt;
  const auto fraction = nearest_fraction(*number);
  // Programs print at most nine digits of a third; a value with fewer was rounded.
  constexpr double kExact = 1e-9;
  if (fraction && std::abs(fraction->to_double() - *number) > kExact) ++rounded;
  return fraction;
}

std::optional<std::int64_t> read_whole(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (!(std::abs(number) < 1e15) || std::floor(number) != number) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::optional<Clef> read_clef(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (const auto clef = Clef::parse(text)) return clef;
  if (text.size() < 3) return std::nullopt;
  // Another shape or line: substitute a known one to parse the kind between them.
  auto clef = Clef::parse(std::string{'G', text[1], '2'});
  int line = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + 2, end, line);
  const bool line_fits = problem == std::errc{} && stop == end && line >= INT8_MIN && line <= INT8_MAX;
  if (!clef || !line_fits || text[0] < '!' || text[0] > '~') return std::nullopt;
  clef->shape = text[0];
  clef->line = static_cast<std::int8_t>(line);
  return clef;
}

std::optional<KeySignature> read_key_signature(const Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return text == "n" ? KeySignature{} : signature_of_letters(text);
  }
  if (const auto fifths = read_whole(value)) {
    if (*fifths < -7 || *fifths > 7) return std::nullopt;
    return KeySignature::from_fifths(static_cast<int>(*fifths));
  }
  if (!value.is_array() || value.size() != 7) return std::nullopt;
  KeySignature signature;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto alter = read_whole(value[i]);
    if (!alter || *alter < INT8_MIN || *alter > INT8_MAX) return std::nullopt;
    signature.alter[i] = static_cast<std::int8_t>(*alter);
  }
  return signature;
}

std::optional<Key> read_key(const Json& value) {
  return value.is_string() ? Key::parse(value.get_ref<const std::string&>()) : std::nullopt;
}

std::optional<TimeSignature> read_time_signature(const Json& value) {
  TimeSignature time;
  if (value.is_object()) {
    const auto beats = small_number(value, "beats");
    const auto unit = small_number(value, "unit");
    if (!beats || !unit) return std::nullopt;
    time.beats = *beats;
    time.unit = *unit;
    if (const auto symbol = value.find("symbol"); symbol != value.end() && symbol->is_string()) {
      time.symbol = symbol->get<std::string>();
    }
    return time;
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  for (const NamedTime& named : kNamedTimes) {
    if (named.symbol == text) return TimeSignature{named.beats, named.unit, std::string(named.symbol)};
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto beats = small_number(std::string_view(text).substr(0, slash));
  const auto unit = small_number(std::string_view(text).substr(slash + 1));
  if (!beats || !unit) return std::nullopt;
  time.beats = *beats;
  time.unit = *unit;
  return time;
}

std::string to_json(std::string_view text) {
  if (!is_utf8(text)) return to_json(repair_utf8(text));
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      out += "\\u00";
      out += {kHex[byte >> 4U], kHex[byte & 0xFU]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string to_json(Fraction time) {
  std::string out = "\"";
  out += time.to_string();
  out += '"';
  return out;
}

std::string to_json(const Clef& clef) { return to_json(clef.to_string()); }

std::string to_json(const KeySignature& signature) {
  const std::string letters = signature.to_string();
  if (signature_of_letters(letters) == signature) return to_json(letters);
  return Json(signature.alter).dump();
}

std::string to_json(const Key& key) { return to_json(key.to_string()); }

std::string to_json(const TimeSignature& time) {
  const std::string plain = std::to_string(time.beats) + "/" + std::to_string(time.unit);
  if (time.symbol.empty()) return to_json(plain);
  return fmt::format(R"({{"beats":{},"unit":{},"symbol":{}}})", time.beats, time.unit, to_json(time.symbol));
}

Pitch guessed_pitch(int midi, const std::vector<Change<KeySignature>>& signatures) {
  return Pitch::from_midi(midi, signatures.empty() ? 0 : signatures.front().value.fifths().value_or(0));
}

}  // namespace rondo::jsonl
