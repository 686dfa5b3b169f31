#include "formats/note_values.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rondo {
namespace {

constexpr std::int64_t kMaxTuplet = 63;
constexpr std::int64_t kShortestInTuplet = 128;
constexpr std::size_t kMaxTied = 64;
constexpr int kMaxDots = 2;

std::int64_t odd_part(std::int64_t number) {
  return number == 0 ? 1 : number >> std::countr_zero(static_cast<std::uint64_t>(number));
}

/// The largest time of which both are multiples.
Fraction common_unit(Fraction a, Fraction b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Fraction ratio = a / b;
  return ratio.valid() ? b / Fraction(ratio.den()) : Fraction::invalid();
}

class Notation {
 public:
  Notation(std::span<const TimeSpan> spans, Fraction origin, Fraction beat, const ValueRange& range)
      : spans_(spans), origin_(origin), beat_(beat), range_(range) {}

  std::optional<Rhythm> write() {
    for (std::size_t i = 0; i < spans_.size();) {
      const Fraction begin = spans_[i].begin;
      std::size_t end = i + 1;
      while (!is_dyadic(spans_[end - 1].end - begin) && end < spans_.size()) ++end;
      if (!write_group(i, end)) return std::nullopt;
      i = end;
    }
    return std::move(rhythm_);
  }

 private:
  /// A part of a span that lies within one group.
  struct Part {
    std::size_t span;
    Fraction begin;
    Fraction end;
  };

  bool write_group(std::size_t first, std::size_t last) {
    std::vector<Part> parts;
    for (std::size_t i = first; i < last; ++i) parts.push_back({i, spans_[i].begin, spans_[i].end});
    if (parts.size() == 1 && is_dyadic(parts[0].end - parts[0].begin)) return write_parts(parts);
    std::vector<Part> open;
    for (const Part& part : cut_at_beats(parts)) {
      open.push_back(part);
      if (!is_dyadic(part.end - open.front().begin)) continue;
      if (!write_parts(open)) return false;
      open.clear();
    }
    return open.empty() || write_parts(open);
  }

  /// Cut where a beat lies on the group's own division: so eighth-note triplets end at the beat, quarter-note triplets
  /// go over it.
  [[nodiscard]] std::vector<Part> cut_at_beats(const std::vector<Part>& parts) const {
    const Fraction begin = parts.front().begin;
    Fraction unit;
    for (const Part& part : parts) unit = common_unit(unit, part.end - begin);
    std::vector<Part> cut;
    for (Part part : parts) {
      const Fraction beats = (part.begin - origin_) / beat_;
      Fraction next = beats.valid() ? origin_ + beat_ * Fraction(beats.num() / beats.den() + 1) : part.end;
      for (std::size_t count = 0; next.valid() && next < part.end && count < kMaxTied; ++count, next += beat_) {
        if (!unit.valid() || ((next - begin) / unit).den() != 1) continue;
        cut.push_back({part.span, part.begin, next});
        part.begin = next;
      }
      cut.push_back(part);
    }
    return cut;
  }

  /// As one tuplet; where its parts have no common one, each as a tuplet of its own.
  bool write_parts(const std::vector<Part>& parts) {
    std::int64_t odd = 1;
    for (const Part& part : parts) {
      const Fraction time = part.end - parts.front().begin;
      if (!time.valid()) return false;
      odd = std::lcm(odd, odd_part(time.den()));
      if (odd > kMaxTuplet) break;
    }
    if (odd <= kMaxTuplet && write_tuplet(parts, odd)) return true;
    if (parts.size() == 1) return false;
    return std::all_of(parts.begin(), parts.end(), [&](const Part& part) { return write_parts({part}); });
  }

  bool write_tuplet(const std::vector<Part>& parts, std::int64_t odd) {
    const auto numbase = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(odd)));
    const Fraction ratio(numbase, odd);
    ValueRange range = range_;
    if (odd != 1) range.shortest = std::min(range.shortest, kShortestInTuplet);
    std::vector<NoteValue> values;
    for (const Part& part : parts) {
      const std::vector<NoteValue> written = plain_values((part.end - part.begin) / ratio, range);
      if (written.empty()) return false;
      for (NoteValue value : written) {
        value.span = part.span;
        value.time *= ratio;
        if (odd != 1) value.tuplet = rhythm_.tuplets.size();
        values.push_back(value);
      }
    }
    if (odd != 1) rhythm_.tuplets.push_back({odd, numbase, rhythm_.values.size(), values.size()});
    rhythm_.values.insert(rhythm_.values.end(), values.begin(), values.end());
    return true;
  }

  std::span<const TimeSpan> spans_;
  Fraction origin_;
  Fraction beat_;
  ValueRange range_;
  Rhythm rhythm_;
};

}  // namespace

Fraction NoteValue::written() const {
  return base *
         Fraction((std::int64_t{2} << static_cast<unsigned>(dots)) - 1, std::int64_t{1} << static_cast<unsigned>(dots));
}

bool is_dyadic(Fraction time) { return time.valid() && std::has_single_bit(static_cast<std::uint64_t>(time.den())); }

std::vector<NoteValue> plain_values(Fraction time, const ValueRange& range) {
  if (!is_dyadic(time) || time <= Fraction(0) || time.den() > range.shortest) return {};
  std::vector<NoteValue> values;
  const Fraction shortest(1, range.shortest);
  while (time > Fraction(0)) {
    if (values.size() == kMaxTied) return {};
    Fraction base = range.longest;
    while (base > time) base /= 2;
    NoteValue value{0, base, 0, base, kNoTuplet};
    time -= base;
    for (Fraction dot = base / 2; value.dots < kMaxDots && dot <= time && dot >= shortest; dot /= 2) {
      ++value.dots;
      value.time += dot;
      time -= dot;
    }
    values.push_back(value);
  }
  return values;
}

Fraction beat_of(const TimeSignature* time) {
  if (time == nullptr || time->beats == 0 || !std::has_single_bit(time->unit)) return {1, 4};
  const bool compound = time->beats > 3 && time->beats % 3 == 0 && time->unit >= 8;
  return {compound ? 3 : 1, time->unit};
}

std::optional<Rhythm> notate(std::span<const TimeSpan> spans, Fraction origin, Fraction beat, const ValueRange& range) {
  return Notation(spans, origin, beat, range).write();
}

}  // namespace rondo
