#include "formats/mei/writer_values.h"

#include <bit>

namespace rondo::mei {
namespace {

constexpr std::int64_t kShortest = 2048;  // MEI's last note value
constexpr std::size_t kMaxTied = 6;
constexpr std::int64_t kMaxTuplet = 63;

constexpr std::int64_t kLongest = 4;  // the longest that is not mensural

std::string dur_of(Fraction value) {
  if (value.den() == 1 && value.num() > 1) return value.num() == 2 ? "breve" : "long";
  return std::to_string(value.den());
}

/// The largest value that is not longer than `time`.
Fraction largest_within(Fraction time) {
  Fraction value = kLongest;
  while (value > time) value /= Fraction(2);
  return value;
}

/// Plain and dotted values from the longest down; empty when that takes too many.
std::vector<Value> tied_values(Fraction time) {
  std::vector<Value> values;
  while (time > Fraction(0)) {
    if (values.size() == kMaxTied) return {};
    Value value;
    Fraction base = largest_within(time);
    value.dur = dur_of(base);
    value.time = base;
    time -= base;
    for (base /= Fraction(2); value.dots < 2 && base <= time && base >= Fraction(1, kShortest); base /= Fraction(2)) {
      ++value.dots;
      value.time += base;
      time -= base;
    }
    values.push_back(std::move(value));
  }
  return values;
}

/// A time without a usual spelling: the nearest note value and the ratio that makes it right.
Value single_value(Fraction time) {
  Fraction base = kLongest;
  while (base > time && base > Fraction(1, kShortest)) base /= Fraction(2);
  const Fraction ratio = base / time;
  return {dur_of(base), 0, ratio.num(), ratio.den(), time};
}

}  // namespace

bool is_dyadic(Fraction time) { return std::has_single_bit(static_cast<std::uint64_t>(time.den())); }

std::vector<Value> values_of(Fraction time, Spelling spelling) {
  // The odd part of the denominator is the number of the tuplet: thirds of a quarter are triplets.
  std::int64_t odd = time.den();
  while (odd % 2 == 0) odd /= 2;
  if (odd <= kMaxTuplet) {
    const std::int64_t numbase =
        odd == 1 ? 1 : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(odd)));
    const Fraction ratio(numbase, odd);
    const Fraction written = time / ratio;
    if (written.den() <= kShortest && written <= Fraction(4 * kLongest)) {
      std::vector<Value> values = tied_values(written);
      if (values.size() == 1 || (spelling == Spelling::tied && !values.empty())) {
        for (Value& value : values) {
          value.num = odd;
          value.numbase = numbase;
          value.time *= ratio;
        }
        return values;
      }
    }
  }
  return {single_value(time)};
}

}  // namespace rondo::mei
