#include "gpu/total_table.h"

#include <algorithm>

namespace rondo::gpu {
namespace {

/// Bytes of the tables: two are added, and their sum is below 128.
constexpr std::uint32_t kMostSteps = 127;
constexpr std::int32_t kMostScale = 8;
constexpr std::int32_t kMostStep = 64;
constexpr std::int32_t kLengths = 2 * kMostLengthSteps;

std::int32_t rounded_up(std::int64_t cells) { return static_cast<std::int32_t>((cells + (1 << 15) - 1) >> 15); }

/// The row of a note.
std::size_t row_of(const TotalTable& table, std::size_t note) {
  return note < table.half ? note : kTableRows / 2 + note - table.half;
}

/// Everything but the scale and what follows from it.
TotalTable unscaled(const Query& query, const QueryCosts& costs, const RhythmUnits& units) {
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
  out.near = costs.near;
  out.far = costs.far;
  out.units = units;
  for (std::size_t i = 0; i < out.notes; ++i) {
    const Note& note = query.note[i];
    TableRow& row = out.row[row_of(out, i)];
    row.weight = costs.weight[note.length + kMostLengthSteps];
    row.pitch = note.pitch;
    row.interval = static_cast<std::uint8_t>(i + 1 == out.notes ? kNoInterval : interval_entry(note.next));
  }
  return out;
}

/// The greatest byte that a pair can have.
std::uint32_t most_steps(const TotalTable& table, const TableRow& row) {
  std::uint32_t pitch = 0;
  for (const std::int32_t apart : {0, 1, 2}) pitch = std::max(pitch, pitch_steps(table, row, apart));
  return pitch + steps_above(table, 0, row.interval_base);
}

/// The smallest step with which bytes hold the worth of a pair. False: there is none.
bool choose_step(TotalTable& table) {
  // With this one, or one of the next two: each of two numbers is rounded up.
  std::int64_t widest = 0;
  for (const TableRow& row : table.row) {
    const std::int32_t best = in_cells(table, row, std::max({table.near, table.far, kEqualPitch}));
    widest = std::max(widest, std::int64_t{best} - ((std::int64_t{row.pitch_base} + row.interval_base) << 15));
  }
  const std::int64_t whole = std::int64_t{kMostSteps} << 15;
  for (table.step = static_cast<std::int32_t>(std::max<std::int64_t>(1, widest / whole)); table.step <= kMostStep;
       ++table.step) {
    const bool fits = std::all_of(std::begin(table.row), std::end(table.row), [&](const TableRow& row) {
      return row.weight == 0 || most_steps(table, row) <= kMostSteps;
    });
    if (fits) return true;
  }
  return false;
}

/// A row of either half.
struct ScaledRow {
  std::int32_t cost = 0, base = 0, beyond = 0, border = 0;
  std::uint32_t rhythm = 0, place = 0;
};

/// The rows at one scale, and what they may come to, in cells.
struct ScaledRows {
  ScaledRow row[kTableRows];
  std::int32_t margin = 0;    ///< the most that one step of an alignment can lose
  std::int32_t gain = 0;      ///< the most that all of them can add
  std::int32_t left_out = 0;  ///< what all of them cost if left out
};

void set_bases(TotalTable& table, const QueryCosts& costs) {
  const std::int32_t lowest_worth = std::min({table.near, table.far, kEqualPitch});
  for (TableRow& row : table.row) {
    row.pitch_base = rounded_up(in_cells(table, row, lowest_worth));
    row.interval_base = rounded_up(in_cells(table, row, -costs.interval));
  }
}

ScaledRows scaled(const TotalTable& table, const Query& query, const QueryCosts& costs) {
  const RhythmUnits& units = table.units;
  const std::int32_t most_units = kLengths * (units.length + units.change) + 255;
  ScaledRows out;
  for (std::size_t i = 0; i < table.notes; ++i) {
    const Note& note = query.note[i];
    const TableRow& from = table.row[row_of(table, i)];
    ScaledRow& row = out.row[row_of(table, i)];
    const std::int32_t at = note.length + kMostLengthSteps;
    const std::int32_t gap = table.scale * costs.gap[at];
    const std::int64_t weighted_scale = std::int64_t{table.scale} * from.weight;
    if (table.rhythm != 0) {
      row.cost = static_cast<std::int32_t>(weighted_scale * units.numerator / (std::int64_t{units.denominator} << 15));
      row.rhythm = packed_note(note, false, units).rhythm & 0xFFFFU;
      row.place = note.place;
    }
    // 1 + u, rounded up, and the half of weighting.
    const std::int32_t unit = units.numerator / units.denominator + 1;
    const std::int32_t slack = rounded_up(weighted_scale * (1 + unit)) + table.scale / 2 + 1;
    const std::int32_t base = from.pitch_base + from.interval_base + slack;
    row.base = base + gap;
    row.beyond = gap - table.scale * costs.beyond[at];
    out.left_out += gap;
    out.gain += base + static_cast<std::int32_t>(most_steps(table, from)) * table.step;
    out.margin = std::max(out.margin, most_units * row.cost - base);
  }
  return out;
}

RowPair row_pair(const ScaledRow& lower, const ScaledRow& upper) {
  RowPair out{};
  out.border = halves(lower.border, upper.border);
  out.base = halves(lower.base, upper.base + 1);
  out.lower_cost = 0U - static_cast<std::uint32_t>(lower.cost);
  out.upper_cost = 0U - (static_cast<std::uint32_t>(upper.cost) << 16U);
  out.lower_rhythm = lower.rhythm;
  out.upper_rhythm = upper.rhythm;
  out.places = lower.place | (upper.place << 16U);
  out.beyond = halves(lower.beyond, upper.beyond);
  return out;
}

}  // namespace

RhythmUnits rhythm_units(const QueryCosts& rhythmic) {
  constexpr std::int32_t kMostUnits = 255 / kLengths;
  if (rhythmic.length <= 0) {
    if (rhythmic.change <= 0) return {8, 1, 0, 0};
    return {rhythmic.change, kMostUnits, 0, kMostUnits};
  }
  RhythmUnits best{};
  double least_lost = 0;
  for (std::int32_t length = kMostUnits; length >= 1; --length) {
    const std::int32_t change = std::min(kMostUnits, rhythmic.change * length / rhythmic.length);
    const double lost = rhythmic.change - static_cast<double>(change) * rhythmic.length / length;
    if (best.length != 0 && lost >= least_lost) continue;
    best = {rhythmic.length, length, length, change};
    least_lost = lost;
  }
  return best;
}

std::optional<TotalTable> total_table(const Query& query, const CostTables& costs, const RhythmUnits& units,
                                      std::int32_t most_gap) {
  if (query.melody.notes >= kTableRows) return std::nullopt;
  const QueryCosts& own = costs.of[query.melody.rhythm != 0 ? 1 : 0];
  TotalTable out = unscaled(query, own, units);
  for (out.scale = kMostScale; out.scale >= 1; --out.scale) {
    set_bases(out, own);
    if (!choose_step(out)) continue;
    ScaledRows rows = scaled(out, query, own);
    // The rows that fill up pair nothing: that costs more than any gap is worth.
    const std::int32_t gap = out.scale * most_gap;
    const std::int32_t never = gap + 1;
    out.overhang = out.scale * own.overhang;
    // Below the floor lie the overhang and one more step of an alignment; above it are carries, too.
    const std::int32_t margin = out.overhang + std::max(rows.margin, never) + 2;
    const std::int32_t carries = 4 * static_cast<std::int32_t>(kTableRows);
    if (margin + rows.gain + rows.left_out + carries > 65535) continue;
    out.floor = -32768 + margin;
    out.gap = out.rhythm != 0 ? 0 : out.scale * own.even_gap;
    out.least = out.floor + rows.left_out + out.scale * query.melody.least_total;
    std::int32_t border = out.floor;
    for (std::size_t i = 0; i < 2U * out.half; ++i) {
      ScaledRow& row = rows.row[row_of(out, i)];
      // A cell must not sink below its floor.
      if (row.beyond < 0) return std::nullopt;
      if (i >= out.notes) row.base = -never;
      border += row.beyond;
      row.border = border;
    }
    for (std::size_t r = 0; r < out.half; ++r) out.pair[r] = row_pair(rows.row[r], rows.row[kTableRows / 2 + r]);
    return out;
  }
  return std::nullopt;
}

bool bound_reaches_by_rows(const TotalTable& table, const PackedNote* document, std::uint32_t columns,
                           const TwoTranspositions& in, std::uint32_t place_factor) {
  const auto with = [&]<int kRows>() { return bound_reaches<kRows>(table, document, columns, in, place_factor); };
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
