#include "gpu/total_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rondo::gpu {
namespace {

/// Two bytes of the tables are added, and their sum is below 128.
constexpr std::uint32_t kMostCode = 127;
constexpr std::int32_t kMostScale = 4;
/// The greatest small number.
constexpr std::int32_t kMostNumber = 2047;

/// The row of a note.
std::size_t row_of(const TotalTable& table, std::size_t note) {
  return note < table.half ? note : kTableRows / 2 + note - table.half;
}

/// Everything but the scale and what follows from it.
TotalTable unscaled(const Query& query, const QueryCosts& costs, const BoundCodes& codes) {
  TotalTable out{};
  out.notes = query.melody.notes;
  out.half = static_cast<std::uint8_t>((out.notes + 3) / 4 * 2);
  out.range = query.melody.range;
  out.rhythm = query.melody.rhythm;
  out.quads = query.quads;
  std::copy_n(query.order, query.quads, out.order);
  for (std::size_t pitch = 0; pitch <= kMostPitch; ++pitch) {
    out.where[kMostPitch + pitch] = static_cast<std::uint32_t>(query.where[pitch]);
  }
  out.codes = codes;
  for (std::size_t i = 0; i < out.notes; ++i) {
    const Note& note = query.note[i];
    TableRow& row = out.row[row_of(out, i)];
    row.weight = costs.weight[note.length + kMostLengthSteps];
    row.pitch = note.pitch;
    row.interval = static_cast<std::uint8_t>(i + 1 == out.notes ? kNoInterval : interval_entry(note.next));
  }
  return out;
}

/// What a small number may be multiplied by, of a positive one: eleven digits and an exponent. Not below the number, or
/// not above it.
std::uint32_t factor(double number, bool up) {
  if (number < 0x1p-14) return up && number > 0 ? 0x400U : 0;
  const int exponent = std::ilogb(number);
  const double digits = std::ldexp(number, 10 - exponent);
  const auto whole = static_cast<std::uint32_t>(up ? std::ceil(digits) : std::floor(digits));
  // One digit more than there is room for makes the exponent greater by 1.
  return (static_cast<std::uint32_t>(exponent + 15) << 10U) + (whole - 0x400U);
}
double value_of(std::uint32_t factor) {
  return factor == 0 ? 0 : std::ldexp(0x400U | (factor & 0x3FFU), static_cast<int>((factor >> 10U) & 31U) - 25);
}

/// A row of either half.
struct ScaledRow {
  std::int32_t base = 0, beyond = 0, border = 0;
  std::uint32_t step = 0, cost = 0;
  std::uint32_t rhythm = 0;
};

/// The rows at one scale, and what they may come to, in cells.
struct ScaledRows {
  ScaledRow row[kTableRows];
  std::int32_t gain = 0;      ///< the most that all of them can add
  std::int32_t left_out = 0;  ///< what all of them cost if left out
  bool fit = true;            ///< small numbers hold all that a pair is worth
};

/// The base and the step of a row; the most that its bytes come to.
std::int32_t set_worth(const TotalTable& table, const TableRow& from, const QueryCosts& costs, ScaledRow& row) {
  const BoundCodes& codes = table.codes;
  const double cells = table.scale * from.weight / 32768.0;  // of a fine unit
  const std::int32_t lowest = std::min({kEqualPitch, costs.near, costs.far}) - costs.interval;
  double step = 0;
  const auto see = [&](std::int32_t worth, std::uint32_t code) {
    const auto apart = static_cast<double>(worth - lowest);
    if (apart > 0) step = std::max(step, apart * cells / code);
  };
  for (const auto& [worth, code] :
       {std::pair{kEqualPitch, codes.equal}, {costs.near, codes.near}, {costs.far, codes.far}}) {
    see(worth, code + std::uint32_t{codes.same_interval});
    see(worth - costs.interval, code);
  }
  row.step = factor(step, true);
  row.base = static_cast<std::int32_t>(std::ceil(lowest * cells));
  const std::uint32_t most = std::uint32_t{std::max({codes.equal, codes.near, codes.far})} + codes.same_interval;
  return static_cast<std::int32_t>(std::ceil(value_of(row.step) * most));
}

ScaledRows scaled(const TotalTable& table, const Query& query, const QueryCosts& costs) {
  ScaledRows out;
  for (std::size_t i = 0; i < table.notes; ++i) {
    const Note& note = query.note[i];
    const TableRow& from = table.row[row_of(table, i)];
    ScaledRow& row = out.row[row_of(table, i)];
    const std::int32_t at = note.length + kMostLengthSteps;
    const std::int32_t gap = table.scale * costs.gap[at];
    const std::int32_t most_worth = set_worth(table, from, costs, row);
    if (table.rhythm != 0) {
      const BoundCodes& codes = table.codes;
      const double fine = codes.length != 0   ? static_cast<double>(costs.length) / codes.length
                          : codes.change != 0 ? static_cast<double>(costs.change) / codes.change
                                              : 0;
      row.cost = factor(fine * table.scale * from.weight / 32768.0, false);
      row.rhythm = packed_note(note, false, codes).rhythm;
    }
    // Rounding takes half a unit of the total by weighting, and half a cell by each of three products.
    row.base += (table.scale + 3 + 1) / 2 + gap;
    row.beyond = gap - table.scale * costs.beyond[at];
    const std::int32_t most = row.base + most_worth;
    out.left_out += gap;
    out.gain += std::max(0, most);
    out.fit = out.fit && most <= kMostNumber && row.base >= -kMostNumber && value_of(row.step) <= kMostNumber &&
              value_of(row.cost) <= kMostNumber;
  }
  return out;
}

RowPair row_pair(const ScaledRow& lower, const ScaledRow& upper) {
  constexpr std::uint32_t kNegative = 0x80008000U;
  RowPair out{};
  out.border = halves(lower.border, upper.border);
  out.base = small_number(lower.base) | (small_number(upper.base) << 16U);
  out.step = lower.step | (upper.step << 16U);
  out.cost = lower.cost | (upper.cost << 16U) | kNegative;
  out.lengths = (lower.rhythm & 0xFFFFU) | (upper.rhythm << 16U);
  out.changes = (lower.rhythm >> 16U) | (upper.rhythm & 0xFFFF0000U);
  out.beyond = halves(lower.beyond, upper.beyond);
  return out;
}

/// How far bytes are above worths, all taken together, where the greatest worth of pitches is `greatest` above the
/// least and the middle one `middle`.
double excess_of(std::uint32_t high, std::uint32_t mid, std::uint32_t same, double greatest, double middle,
                 double interval) {
  const double worth[] = {greatest + interval, greatest, middle + interval, middle, interval};
  const std::uint32_t code[] = {high + same, high, mid + same, mid, same};
  double step = 0;
  for (std::size_t k = 0; k < std::size(worth); ++k) {
    if (worth[k] > 0) step = std::max(step, worth[k] / code[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < std::size(worth); ++k) sum += code[k] * step - worth[k];
  return sum;
}

}  // namespace

BoundCodes bound_codes(const QueryCosts& rhythmic) {
  BoundCodes out{};
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
      for (std::uint32_t same = std::max(1U, about); same <= about + 1 && same + high <= kMostCode; ++same) {
        const double excess = excess_of(high, mid, same, greatest, middle, interval);
        if (out.same_interval != 0 && excess >= least) continue;
        least = excess;
        out.*by_worth[0].code = static_cast<std::uint8_t>(high);
        out.*by_worth[1].code = static_cast<std::uint8_t>(mid);
        out.same_interval = static_cast<std::uint8_t>(same);
      }
    }
  }
  // Units of rhythm: those that lose least of the cost of changes.
  constexpr std::int32_t kMostUnits = kMostNumber / (2 * kMostLengthSteps);
  if (rhythmic.length <= 0) {
    out.change = rhythmic.change > 0 ? 1 : 0;
    return out;
  }
  double least_lost = 0;
  for (std::int32_t length = kMostUnits; length >= 1; --length) {
    const std::int32_t change = std::min(kMostUnits, rhythmic.change * length / rhythmic.length);
    const double lost = rhythmic.change - static_cast<double>(change) * rhythmic.length / length;
    if (out.length != 0 && lost >= least_lost) continue;
    out.length = static_cast<std::uint8_t>(length);
    out.change = static_cast<std::uint8_t>(change);
    least_lost = lost;
  }
  return out;
}

std::optional<TotalTable> total_table(const Query& query, const CostTables& costs, const BoundCodes& codes,
                                      std::int32_t most_gap) {
  if (query.melody.notes >= kTableRows) return std::nullopt;
  const QueryCosts& own = costs.of[query.melody.rhythm != 0 ? 1 : 0];
  TotalTable out = unscaled(query, own, codes);
  for (out.scale = kMostScale; out.scale >= 1; --out.scale) {
    ScaledRows rows = scaled(out, query, own);
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
    for (std::size_t i = 0; i < 2U * out.half; ++i) {
      ScaledRow& row = rows.row[row_of(out, i)];
      // A cell must not sink below its floor.
      if (row.beyond < 0) return std::nullopt;
      border += row.beyond;
      row.border = border;
    }
    for (std::size_t r = 0; r < out.half; ++r) out.pair[r] = row_pair(rows.row[r], rows.row[kTableRows / 2 + r]);
    return out;
  }
  return std::nullopt;
}

bool bound_reaches_by_rows(const TotalTable& table, const PackedNote* document, std::uint32_t columns,
                           const TwoTranspositions& in) {
  const auto with = [&]<int kRows>() { return bound_reaches<kRows>(table, document, columns, in); };
  switch (table.half) {
    case 2: return with.operator()<2>();
    case 4: return with.operator()<4>();
    case 6: return with.operator()<6>();
    case 8: return with.operator()<8>();
    case 10: return with.operator()<10>();
    case 12: return with.operator()<12>();
    case 14: return with.operator()<14>();
    default: return with.operator()<16>();
  }
}

void fill_words(TotalTable& table) {
  for (std::uint32_t word = 0; word < 2 * kHalfWords; ++word) {
    for (std::uint32_t entry = 0; entry < kPitchEntries; ++entry) {
      table.pitch[entry][word] = pitch_word(table, entry, word);
    }
    for (std::uint32_t entry = 0; entry < kIntervalEntries; ++entry) {
      table.interval[entry][word] = interval_word(table, entry, word);
    }
  }
}

}  // namespace rondo::gpu
