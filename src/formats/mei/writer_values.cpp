#include "formats/mei/writer_values.h"

#include <algorithm>

namespace rondo::mei {
namespace {

constexpr std::int64_t kShortest = 2048;  // MEI's last note value
constexpr std::int64_t kLongest = 4;      // the longest that is not mensural
constexpr std::int64_t kMaxTuplet = 63;
const ValueRange kMeiValues{kShortest, kLongest};

std::string dur_of(Fraction value) {
  if (value.den() == 1 && value.num() > 1) return value.num() == 2 ? "breve" : "long";
  return std::to_string(value.den());
}

/// A time without a usual spelling: the nearest note value and the ratio that makes it right.
Value single_value(Fraction time) {
  const auto plain = plain_values(time, kMeiValues);
  if (plain.size() == 1) return {dur_of(plain[0].base), plain[0].dots, 1, 1, time};
  Fraction base = kLongest;
  while (base > time && base > Fraction(1, kShortest)) base /= Fraction(2);
  const Fraction ratio = base / time;
  return {dur_of(base), 0, ratio.num(), ratio.den(), time};
}

Value written(const NoteValue& value, const Rhythm& rhythm, std::size_t index) {
  Value out{dur_of(value.base), value.dots, 1, 1, value.time, value.span};
  if (value.tuplet == kNoTuplet) return out;
  const Tuplet& tuplet = rhythm.tuplets[value.tuplet];
  out.num = tuplet.num;
  out.numbase = tuplet.numbase;
  out.begins_tuplet = tuplet.first == index;
  return out;
}

}  // namespace

std::optional<std::vector<Value>> values_of(std::span<const TimeSpan> spans, Fraction origin, Fraction beat,
                                            Spelling spelling, bool anyhow) {
  std::vector<Value> values;
  if (spelling == Spelling::tied) {
    if (const auto rhythm = notate(spans, origin, beat, kMeiValues)) {
      for (std::size_t i = 0; i < rhythm->values.size(); ++i) values.push_back(written(rhythm->values[i], *rhythm, i));
      return values;
    }
    if (!anyhow) return std::nullopt;
  }
  for (std::size_t i = 0; i < spans.size(); ++i) {
    Value value = single_value(spans[i].end - spans[i].begin);
    if (!anyhow && std::max(value.num, value.numbase) > kMaxTuplet) return std::nullopt;
    value.span = i;
    value.begins_tuplet = value.num != value.numbase;
    values.push_back(std::move(value));
  }
  return values;
}

Value grace_value(Fraction time) {
  const TimeSpan span{0, time};
  auto values = values_of({&span, 1}, 0, Fraction(1, 4), Spelling::tied, true);
  return values->size() == 1 ? values->front() : single_value(time);
}

}  // namespace rondo::mei
