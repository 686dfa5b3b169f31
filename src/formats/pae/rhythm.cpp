#include "formats/pae/rhythm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace rondo::pae {
namespace {

constexpr std::int64_t kFinest = 128;  // parts of a whole note in the shortest figure
constexpr std::int64_t kLonga = 4 * kFinest;
constexpr std::int64_t kMostParts = 8192;  // of one tuplet; more would be unreadable
constexpr std::int64_t kMostInTuplet = 63;
constexpr std::int64_t kShortestDotted = kFinest << 4;

// Figures from the 128th (1 part) up to the longa (512 parts), by power of two.
constexpr std::string_view kFigures = "7536842190";

constexpr bool is_power_of_two(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }
constexpr unsigned log2_of(std::int64_t n) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}

/// A figure of 2^power parts with dots.
Value make_value(unsigned power, unsigned dots) {
  const Fraction plain(std::int64_t{1} << power, kFinest);
  const Fraction factor((std::int64_t{2} << dots) - 1, std::int64_t{1} << dots);
  return Value{kFigures[power], static_cast<std::uint8_t>(dots), plain * factor};
}

/// The longest value of at most two dots that fits into this many parts and leaves a shorter rest.
Value largest_value(std::int64_t parts) {
  if (parts >= 2 * kLonga) return make_value(log2_of(kLonga), 0);
  const unsigned power = log2_of(parts);
  unsigned dots = 0;
  while (dots < 2 && dots < power && ((parts >> (power - dots - 1)) & 1) != 0) ++dots;
  return make_value(power, dots);
}

Result<void> cannot_write(const Segment& segment) {
  return fail("cannot-write",
              "the rhythm at " + segment.onset.to_string() +
                  " whole notes cannot be expressed with the values and tuplets of Plaine & Easie Code");
}

/// Writes segments in sequence, opening a tuplet whenever one is not a sum of values.
class RhythmWriter {
 public:
  RhythmWriter(std::span<const Segment> segments, PaeVersion version) : segments_(segments), version_(version) {}

  Result<std::vector<Symbol>> write() {
    for (std::size_t i = 0; i < segments_.size();) {
      const Segment& segment = segments_[i];
      if (segment.measures > 0) {
        symbols_.push_back(Symbol{i++, true, {}, std::nullopt, 0});
      } else if (auto values = as_values(segment.end - segment.onset, version_)) {
        append(i++, *values, true);
      } else if (auto done = write_group(i); !done) {
        return fail(std::move(done.error()));
      }
    }
    return std::move(symbols_);
  }

 private:
  void append(std::size_t segment, std::span<const Value> values, bool first) {
    for (const Value& value : values) {
      symbols_.push_back(Symbol{segment, first, value, std::nullopt, 0});
      first = false;
    }
  }

  /// Takes segments from `i` on until their total is a sum of values, splits that time into these values, and makes
  /// each a tuplet (or a plain value, if nothing happens within).
  Result<void> write_group(std::size_t& i) {
    const std::size_t begin = i;
    const Fraction start = segments_[begin].onset;
    std::optional<std::vector<Value>> totals;
    while (!totals && i < segments_.size() && segments_[i].measures == 0) {
      totals = as_values(segments_[i++].end - start, version_);
    }
    if (!totals) return cannot_write(segments_[begin]);
    std::size_t segment = begin;
    Fraction at = start;
    for (const Value& total : *totals) {
      if (auto done = write_part(segment, at, total); !done) return done;
      at += total.length;
    }
    return {};
  }

  Result<void> write_part(std::size_t& segment, Fraction at, const Value& total) {
    const Fraction end = at + total.length;
    if (segments_[segment].end >= end) {
      append(segment, std::span(&total, 1), segments_[segment].onset == at);
      if (segments_[segment].end == end) ++segment;
      return {};
    }
    // The part is N equal pieces long, and each segment in it a number of them.
    std::int64_t pieces = 1;
    for (std::size_t j = segment; segments_[j].end < end; ++j) {
      const Fraction share = (segments_[j].end - at) / total.length;
      if (!share.valid() || share.den() > kMostParts) return cannot_write(segments_[segment]);
      pieces = std::lcm(pieces, share.den());
      if (pieces > kMostParts) return cannot_write(segments_[segment]);
    }
    const Fraction unit = written_unit(total.length, pieces);
    // Too small by a factor of two or more: the pieces are finer than the shortest figure.
    const Fraction sum = unit * pieces;
    const bool too_fine = sum >= total.length * 2 || (is_power_of_two(pieces) && sum > total.length);
    if (too_fine || (sum / total.length).num() > kMostInTuplet) return cannot_write(segments_[segment]);
    const std::size_t first_symbol = symbols_.size();
    for (Fraction from = at; from < end;) {
      const Segment& now = segments_[segment];
      const Fraction until = std::min(now.end, end);
      const auto values = as_values((until - from) / total.length * pieces * unit, version_);
      if (!values) return cannot_write(now);
      append(segment, *values, now.onset == from);
      if (now.end <= end) ++segment;
      from = until;
    }
    symbols_[first_symbol].opens = total;
    symbols_.back().closes = static_cast<unsigned>((unit * pieces / total.length).num());
    return {};
  }

  /// The value each piece is written as: the shortest that still makes the written sum as long as the part, as in
  /// three eighths for a quarter.
  static Fraction written_unit(Fraction total, std::int64_t pieces) {
    Fraction unit(1, kFinest);
    while (unit * pieces < total) unit *= 2;
    return unit;
  }

  std::span<const Segment> segments_;
  PaeVersion version_;
  std::vector<Symbol> symbols_;
};

}  // namespace

std::optional<std::vector<Value>> as_values(Fraction length, PaeVersion version) {
  if (!length.valid() || length <= Fraction(0) || length.den() > kShortestDotted || !is_power_of_two(length.den())) {
    return std::nullopt;
  }
  std::vector<Value> values;
  // Below a 128th there are only the dots of the 128th itself; in version 1 its first dot has another meaning.
  while (length.den() > kFinest) {
    const Value dotted = make_value(0, log2_of(length.den() / kFinest));
    if (length < dotted.length || (version == PaeVersion::v1 && dotted.dots == 1)) return std::nullopt;
    values.push_back(dotted);
    length -= dotted.length;
  }
  const std::size_t small = values.size();
  for (std::int64_t parts = length.num() * (kFinest / length.den()); parts > 0;) {
    const Value value = largest_value(parts);
    values.push_back(value);
    parts -= (value.length * kFinest).num();
  }
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(small), values.end());
  return values;
}

Result<std::vector<Symbol>> write_rhythm(std::span<const Segment> segments, PaeVersion version) {
  return RhythmWriter(segments, version).write();
}

}  // namespace rondo::pae
