#include <algorithm>

#include "formats/abc/signs.h"
#include "formats/abc/text.h"

namespace rondo::abc {
namespace {

constexpr std::int64_t kMost = 512;  ///< of beats or of the unit

TimeSignature free_meter() {
  TimeSignature none;
  none.beats = 0;
  return none;
}

/// "3", "2+3+2", "(2+3)": the beats; nothing when there are none.
std::optional<std::int64_t> read_beats(Cursor& in) {
  std::int64_t sum = 0;
  in.skip('(');
  do {
    in.skip_spaces();
    const auto beats = in.number();
    if (!beats || *beats > kMost) return std::nullopt;
    sum += *beats;
    in.skip_spaces();
  } while (in.skip('+'));
  in.skip(')');
  in.skip_spaces();
  return sum;
}

/// "6/8", "(2+3)/8", "3/4+2/4".
std::optional<TimeSignature> read_fractions(Cursor& in) {
  Fraction sum = 0;
  std::int64_t unit = 1;
  do {
    const auto beats = read_beats(in);
    if (!beats || !in.skip('/')) return std::nullopt;
    in.skip_spaces();
    const auto below = in.number();
    if (!below || *below == 0 || *below > kMost) return std::nullopt;
    sum += Fraction(*beats, *below);
    unit = std::max(unit, *below);
    in.skip_spaces();
  } while (in.skip('+'));
  const Fraction beats = sum * Fraction(unit);
  if (beats.den() != 1 || beats.num() <= 0 || beats.num() > kMost) return std::nullopt;
  TimeSignature time;
  time.beats = static_cast<std::uint16_t>(beats.num());
  time.unit = static_cast<std::uint16_t>(unit);
  return time;
}

}  // namespace

TimeSignature parse_meter(std::string_view text, Oddities& odd) {
  text = trim(text);
  if (text == "C") return {4, 4, "c"};
  if (text == "C|") return {2, 2, "c/"};
  if (text.empty() || lower(text) == "none") return free_meter();
  Cursor in(text);
  auto time = read_fractions(in);
  if (!time) {
    odd.push_back({"abc-meter-unknown", quoted(text) + " is not a meter; the tune is read without one"});
    return free_meter();
  }
  if (!in.done()) odd.push_back({"abc-meter-unknown", quoted(in.rest()) + " behind the meter is ignored"});
  const std::string_view used = trim(text.substr(0, in.column() - 1));
  if (used.find_first_of("+(") != std::string_view::npos && used.size() < 64) time->symbol = used;
  return *time;
}

bool is_compound(const std::optional<TimeSignature>& meter) {
  return meter && meter->beats > 3 && meter->beats % 3 == 0;
}

Fraction default_unit(const std::optional<TimeSignature>& meter) {
  const bool small = meter && meter->beats > 0 && meter->bar() < Fraction(3, 4);
  return small ? Fraction(1, 16) : Fraction(1, 8);
}

std::optional<Fraction> parse_unit(std::string_view text) {
  Cursor in(trim(text));
  const auto above = in.number();
  if (!above || *above == 0) return std::nullopt;
  std::int64_t below = 1;
  in.skip_spaces();
  if (in.skip('/')) {
    in.skip_spaces();
    below = in.number().value_or(0);
  }
  const Fraction unit(*above, below);
  const bool sane = unit.valid() && unit <= Fraction(kMost) && unit.den() <= 65536;
  return sane ? std::optional(unit) : std::nullopt;
}

}  // namespace rondo::abc
