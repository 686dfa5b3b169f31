#include "gpu/total_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rondo::gpu {
namespace {

constexpr std::int32_t kMostScale = 4;
/// The greatest small number.
constexpr std::int32_t kMostNumber = 2047;
/// Of the cost of rhythm at least this part of what a note of equal pitch scores is counted. With more there would be
/// fewer units for what decides; with less, notes that are in truth left out would seem to gain.
constexpr double kLeastCap = 1.25;

/// Everything but the scale and what follows from it.
TotalTable unscaled(const Query& query, const QueryCosts& costs, const BoundCodes& codes) {
  TotalTable out{};
  out.notes = query.melody.notes;
  out.words = static_cast<std::uint8_t>((out.notes + 3) / 4);
  out.range = query.melody.range;
  out.rhythm = query.melody.rhythm;
  out.codes = codes;
  for (std::size_t i = 0; i < out.notes; ++i) {
    const Note& note = query.note[i];
    TableRow& row = out.row[i];
    row.weight = costs.weight[note.length + kMostLengthSteps];
    row.pitch = note.pitch;
    row.interval = static_cast<std::uint8_t>(i + 1 == out.notes ? kNoInterval : interval_entry(note.next));
    row.length = note.length;
    row.change = note.change;
    for (std::size_t pitch = note.pitch; pitch < std::size(out.up_to); ++pitch) ++out.up_to[pitch];
  }
  return out;
}

/// What a small number may be multiplied by, of a positive one: eleven digits and an exponent. Not below the number.
std::uint32_t factor(double number) {
  if (number < 0x1p-14) return number > 0 ? 0x400U : 0;
  const int exponent = std::ilogb(number);
  const auto digits = static_cast<std::uint32_t>(std::ceil(std::ldexp(number, 10 - exponent)));
  // One digit more than there is room for makes the exponent greater by 1.
  return (static_cast<std::uint32_t>(exponent + 15) << 10U) + (digits - 0x400U);
}
double value_of(std::uint32_t factor) {
  return factor == 0 ? 0 : std::ldexp(0x400U | (factor & 0x3FFU), static_cast<int>((factor >> 10U) & 31U) - 25);
}

/// A row in cells.
struct ScaledRow {
  std::int32_t base = 0, beyond = 0;
  std::uint32_t step = 0;
};

/// The rows at one scale, and what they may come to, in cells.
struct ScaledRows {
  ScaledRow row[kTableRows];
  std::int32_t gain = 0;      ///< the most that all of them can add
  std::int32_t left_out = 0;  ///< what all of them cost if left out
  bool fit = true;            ///< small numbers hold all that a pair can gain
};

/// The base and the step of a row; the most that its codes come to.
std::int32_t set_worth(const TotalTable& table, const TableRow& from, const QueryCosts& costs, ScaledRow& row) {
  const BoundCodes& codes = table.codes;
  const double cells = table.scale * from.weight / 32768.0;  // of a fine unit
  const std::int32_t lowest = std::min({kEqualPitch, costs.near, costs.far}) - costs.interval;
  double unit = table.rhythm != 0 ? static_cast<double>(codes.unit) / kUnitParts : 0;
  const auto see = [&](std::int32_t worth, std::uint32_t code) {
    const auto apart = static_cast<double>(worth - lowest);
    if (apart > 0) unit = std::max(unit, apart / code);
  };
  for (const auto& [worth, code] :
       {std::pair{kEqualPitch, codes.equal}, {costs.near, codes.near}, {costs.far, codes.far}}) {
    see(worth, code + std::uint32_t{codes.same_interval});
    see(worth - costs.interval, code);
  }
  row.step = factor(unit * cells);
  row.base = static_cast<std::int32_t>(std::ceil((lowest - (table.rhythm != 0 ? codes.cap : 0)) * cells));
  const std::uint32_t most = std::uint32_t{std::max({codes.equal, codes.near, codes.far})} + codes.same_interval +
                             (table.rhythm != 0 ? codes.same_rhythm : 0);
  return static_cast<std::int32_t>(std::ceil(value_of(row.step) * most));
}

ScaledRows scaled(const TotalTable& table, const Query& query, const QueryCosts& costs) {
  ScaledRows out;
  for (std::size_t i = 0; i < table.notes; ++i) {
    ScaledRow& row = out.row[i];
    const std::int32_t at = query.note[i].length + kMostLengthSteps;
    const std::int32_t gap = table.scale * costs.gap[at];
    const std::int32_t most_worth = set_worth(table, table.row[i], costs, row);
    // Rounding takes half a unit of the total by weighting, and half a cell by the product.
    row.base += (table.scale + 1 + 1) / 2 + gap;
    row.beyond = gap - table.scale * costs.beyond[at];
    const std::int32_t most = row.base + most_worth;
    out.left_out += gap;
    out.gain += std::max(0, most);
    out.fit = out.fit && most <= kMostNumber && row.base >= -kMostNumber && value_of(row.step) <= kMostNumber;
  }
  return out;
}

/// How far codes are above worths, all taken together, where the greatest worth of pitches is `greatest` above the
/// least and the middle one `middle`; and the unit of a code.
std::pair<double, double> excess_of(std::uint32_t high, std::uint32_t mid, std::uint32_t same, double greatest,
                                    double middle, double interval) {
  const double worth[] = {greatest + interval, greatest, middle + interval, middle, interval};
  const std::uint32_t code[] = {high + same, high, mid + same, mid, same};
  double unit = 0;
  for (std::size_t k = 0; k < std::size(worth); ++k) {
    if (worth[k] > 0) unit = std::max(unit, worth[k] / code[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < std::size(worth); ++k) sum += code[k] * unit - worth[k];
  return {sum, unit};
}

}  // namespace

RhythmNumbers::RhythmNumbers(const MelodySpan& melodies) : number_(kMostRhythms) {
  std::vector<std::uint32_t> times(kMostRhythms, 0);
  for (const Melody& melody : melodies.melodies) {
    for (const Note& note : melodies.notes.subspan(melody.first_note, melody.notes)) ++times[rhythm_of(note)];
  }
  for (std::uint32_t rhythm = 0; rhythm < kMostRhythms; ++rhythm) {
    if (times[rhythm] != 0) rhythms_.push_back(static_cast<std::uint16_t>(rhythm));
  }
  std::stable_sort(rhythms_.begin(), rhythms_.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return times[a] > times[b]; });
  for (std::size_t n = 0; n < rhythms_.size(); ++n) number_[rhythms_[n]] = static_cast<std::uint16_t>(n);
}

BoundCodes bound_codes(const QueryCosts& rhythmic) {
  BoundCodes out{};
  out.length = rhythmic.length;
  out.change = rhythmic.change;
  struct Pitches {
    std::int32_t worth;
    std::uint8_t BoundCodes::*code;
  };
  Pitches by_worth[] = {
      {kEqualPitch, &BoundCodes::equal}, {rhythmic.near, &BoundCodes::near}, {rhythmic.far, &BoundCodes::far}};
  std::sort(std::begin(by_worth), std::end(by_worth),
            [](const Pitches& a, const Pitches& b) { return a.worth > b.worth; });
  const double greatest = by_worth[0].worth - by_worth[2].worth;
  const double middle = by_worth[1].worth - by_worth[2].worth;
  const double interval = rhythmic.interval;
  double least = 0;
  for (std::uint32_t high = 1; high < kMostCode; ++high) {
    for (std::uint32_t mid = high; mid != 0; mid = (mid - 1) & high) {
      const auto about = static_cast<std::uint32_t>(greatest > 0 ? interval * high / greatest : kMostCode / 2.0);
      for (std::uint32_t same = std::max(1U, about); same <= about + 1 && same + high < kMostCode; ++same) {
        const auto [excess, exact_unit] = excess_of(high, mid, same, greatest, middle, interval);
        const auto unit = std::max(1, static_cast<std::int32_t>(std::ceil(exact_unit * kUnitParts)));
        const std::uint32_t rest = kMostCode - high - same;
        const auto cap = static_cast<std::int32_t>(rest * static_cast<std::uint32_t>(unit) / kUnitParts);
        // What rounding adds: to pitches and intervals one of five sums, to rhythm half a unit.
        const double added = excess / 5 + static_cast<double>(unit) / kUnitParts / 2;
        if (cap < kLeastCap * kEqualPitch || (out.unit != 0 && added >= least)) continue;
        least = added;
        out.*by_worth[0].code = static_cast<std::uint8_t>(high);
        out.*by_worth[1].code = static_cast<std::uint8_t>(mid);
        out.same_interval = static_cast<std::uint8_t>(same);
        out.same_rhythm = static_cast<std::uint8_t>(rest);
        out.unit = unit;
        out.cap = cap;
      }
    }
  }
  return out;
}

std::optional<TotalTable> total_table(const Query& query, const CostTables& costs, const BoundCodes& codes,
                                      std::int32_t most_gap) {
  if (query.melody.notes >= kTableRows || codes.unit == 0) return std::nullopt;
  const QueryCosts& own = costs.of[query.melody.rhythm != 0 ? 1 : 0];
  TotalTable out = unscaled(query, own, codes);
  for (out.scale = kMostScale; out.scale >= 1; --out.scale) {
    const ScaledRows rows = scaled(out, query, own);
    if (!rows.fit) continue;
    out.overhang = out.scale * own.overhang;
    out.gap = out.rhythm != 0 ? 0 : out.scale * own.even_gap;
    // Below the floor lie the overhang and the gap of one note; above it are carries, too.
    const std::int32_t margin = out.overhang + std::max(out.gap, out.scale * most_gap) + 2;
    const std::int32_t carries = 4 * static_cast<std::int32_t>(kTableRows);
    if (margin + rows.gain + rows.left_out + carries > 65535) continue;
    out.floor = -32768 + margin;
    out.least = out.floor + rows.left_out + out.scale * query.melody.least_total;
    std::int32_t border = out.floor;
    for (std::size_t i = 0; i < kTableRows; ++i) {
      const ScaledRow& from = rows.row[i];
      // A cell must not sink below its floor.
      if (from.beyond < 0) return std::nullopt;
      border += from.beyond;
      TableRow& row = out.row[i];
      row.border = static_cast<std::uint16_t>(border & 0xFFFF);
      row.base = static_cast<std::uint16_t>(small_number(from.base));
      row.step = static_cast<std::uint16_t>(from.step);
      row.beyond = static_cast<std::uint16_t>(from.beyond);
    }
    return out;
  }
  return std::nullopt;
}

TotalTables::TotalTables(std::span<const Query> queries, const CostTables& costs, const BoundCodes& codes,
                         std::int32_t most_gap) {
  std::vector<std::optional<TotalTable>> made;
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    made.push_back(total_table(queries[q], costs, codes, most_gap));
    (made.back() ? numbers_ : others_).push_back(q);
  }
  std::stable_sort(numbers_.begin(), numbers_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return made[a]->words < made[b]->words; });
  for (const std::uint32_t q : numbers_) {
    if (tables_.empty() || tables_.back().words != made[q]->words) {
      const auto begin = static_cast<std::uint32_t>(tables_.size());
      groups_.push_back({begin, begin});
    }
    tables_.push_back(*made[q]);
    ++groups_.back().end;
  }
}

PairTable::PairTable(const TotalTable& first, const TotalTable& second, const RhythmNumbers& rhythms)
    : layout_{first.words, static_cast<std::uint32_t>(rhythms.rhythms().size())} {
  words_.resize(layout_.size());
  for (std::uint32_t i = 0; i < layout_.size(); ++i) {
    words_[i] = pair_word(first, second, layout_, rhythms.rhythms().data(), i);
  }
  set_head(head_, first, second);
  for (std::size_t r = 0; r < kTableRows; ++r) head_.row[r] = row_pair(first.row[r], second.row[r]);
}

std::uint32_t PairTable::reaches(const PackedNote* document, std::uint32_t columns, bool both,
                                 const TwoTranspositions* in) const {
  return with_rows(layout_.words, [&]<int kRows>() {
    return both ? bound_reaches<kRows, true>(head_, words_.data(), document, columns, in)
                : bound_reaches<kRows, false>(head_, words_.data(), document, columns, in);
  });
}

namespace {

struct DocumentPitches {
  std::span<const Note> notes;
  [[nodiscard]] std::uint32_t pitch(std::uint32_t j) const { return notes[j].pitch; }
  [[nodiscard]] std::uint32_t bit(std::uint32_t j) const { return bit_of_pitch(notes[j].pitch); }
};

}  // namespace

TwoTranspositions two_best_by_rows(const TotalTable& table, std::span<const Note> document, std::uint32_t range) {
  return with_rows(table.words, [&]<int kRows>() {
    std::uint32_t bits[kRows];
    for (std::uint32_t r = 0; r < kRows; ++r) bits[r] = bit_of(table, r);
    return two_best<kRows>(bits, table, range, DocumentPitches{document}, static_cast<std::uint32_t>(document.size()));
  });
}

}  // namespace rondo::gpu
