#include "similarity/systems/gar_search.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "similarity/common_time.h"

namespace rondo::gar {
namespace {

/// Sums of ticks stay below this, so that products with the weights fit 64 bits.
constexpr double kMostTicks = 0x1p45;

std::int64_t shared_grid(const Line& query, const Line& document) {
  const std::int64_t grid = std::lcm(query.ticks_per_whole, document.ticks_per_whole);
  for (const Line* line : {&query, &document}) {
    double wholes = 0;
    for (const std::int64_t ticks : line->duration) wholes += static_cast<double>(ticks);
    wholes /= static_cast<double>(line->ticks_per_whole);
    if (wholes * static_cast<double>(grid) > kMostTicks) return common_ticks(query, document);
  }
  return grid;
}

template <typename Value>
struct Scratch {
  std::vector<Value> query;
  std::vector<Value> document;
  std::vector<Value> above_two;  ///< rows of the table
  std::vector<Value> above;
  std::vector<Value> row;
  std::vector<Value> apart_above;  ///< costs of differences in pitch, one row up
};

/// The maximum of the table, in memory for three rows. `query` and `document` of the scratch hold the lengths.
template <typename Value>
Value best_stretch(const Line& query, const Line& document, int transposition, Scratch<Value>& scratch) {
  constexpr auto free = static_cast<Value>(kPitchFree);
  constexpr auto length = static_cast<Value>(kLength);
  constexpr auto indel = static_cast<Value>(kIndel);
  const std::size_t columns = document.size();
  // Nothing can be joined in the first row.
  scratch.above_two.assign(columns + 1, std::numeric_limits<Value>::min() / 2);
  scratch.above.assign(columns + 1, 0);
  scratch.row.assign(columns + 1, 0);
  scratch.apart_above.assign(columns, 0);
  Value best = 0;
  Value before = 0;  // length of the query note before this one
  for (std::size_t i = 0; i < query.size(); ++i) {
    const Value* above_two = scratch.above_two.data();
    const Value* above = scratch.above.data();
    Value* row = scratch.row.data();
    row[0] = 0;
    const Value a = scratch.query[i];
    const int wanted = query.pitch[i] + transposition;
    Value last = 0;        // length of the document note before this one
    Value last_apart = 0;  // and the cost of its pitch
    for (std::size_t j = 0; j < columns; ++j) {
      const Value b = scratch.document[j];
      const Value apart = 100 * std::min(a, b) * static_cast<Value>(std::abs(document.pitch[j] - wanted));
      const Value both = free * (a + b) - apart;
      Value cell = std::max(
          {Value{0}, above[j] + both - length * std::abs(a - b), above[j + 1] + indel * a, row[j] + indel * b});
      if (j > 0)
        cell = std::max(cell, above[j - 1] + both + free * last - last_apart - length * std::abs(a - b - last));
      cell = std::max(cell,
                      above_two[j] + both + free * before - scratch.apart_above[j] - length * std::abs(a + before - b));
      scratch.apart_above[j] = apart;
      row[j + 1] = cell;
      best = std::max(best, cell);
      last = b;
      last_apart = apart;
    }
    before = a;
    std::swap(scratch.above_two, scratch.above);
    std::swap(scratch.above, scratch.row);
  }
  return best;
}

struct PitchTime {
  int pitch;
  std::int64_t time;
};

void time_by_pitch(const Line& line, const std::vector<std::int64_t>& lengths, std::vector<PitchTime>& out) {
  out.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const int pitch = line.pitch[i];
    const auto found =
        std::find_if(out.begin(), out.end(), [&](const PitchTime& known) { return known.pitch == pitch; });
    if (found == out.end()) {
      out.push_back({pitch, lengths[i]});
    } else {
      found->time += lengths[i];
    }
  }
}

struct Candidate {
  std::int64_t bound;
  int transposition;
};

/// Every transposition that makes two notes equal, with an upper bound of its score, the highest first.
///
/// Only time on equal pitches scores: a at pitch distance d > 0 from b gives k2(a+b) - min(a,b)d - k1|a-b| < 0, and at
/// d = 0 at most 2 k2 min(a,b). One note a against b and c: if only b has its pitch, at most 2 k2 min(a,b), if both
/// have, 2 k2 min(a,b+c), if neither, less than zero (each by the cases b+c <= a, b+c > a >= b, b > a). So a
/// transposition scores at most 2 k2 times the sum over pitches of the shorter of the times the two spend there.
void promising_transpositions(const Line& query, const Line& document, const Lengths& lengths,
                              std::vector<Candidate>& out) {
  thread_local std::vector<PitchTime> own;
  thread_local std::vector<PitchTime> other;
  time_by_pitch(query, lengths.query, own);
  time_by_pitch(document, lengths.document, other);
  std::array<std::int64_t, 512> common{};  // playable pitches are less than 128 apart
  for (const PitchTime& q : own) {
    for (const PitchTime& d : other) {
      const int apart = d.pitch - q.pitch + 256;
      common[static_cast<std::size_t>(apart)] += std::min(q.time, d.time);
    }
  }
  out.clear();
  for (std::size_t t = 0; t < common.size(); ++t) {
    if (common[t] > 0) out.push_back({2 * kPitchFree * common[t], static_cast<int>(t) - 256});
  }
  std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.transposition < b.transposition;
  });
}

template <typename Value>
Best search(const Line& query, const Line& document, const Lengths& lengths, const std::vector<Candidate>& candidates) {
  thread_local Scratch<Value> scratch;
  const auto narrow = [](const std::vector<std::int64_t>& from, std::vector<Value>& to) {
    to.clear();
    for (const std::int64_t ticks : from) to.push_back(static_cast<Value>(ticks));
  };
  narrow(lengths.query, scratch.query);
  narrow(lengths.document, scratch.document);
  Best best;
  for (const Candidate& candidate : candidates) {
    if (candidate.bound <= best.score) break;
    const std::int64_t score = best_stretch<Value>(query, document, candidate.transposition, scratch);
    if (score > best.score) best = {score, candidate.transposition};
  }
  return best;
}

/// Whether all steps and sums stay well within 32 bits.
bool fits_32_bits(const Lengths& lengths) {
  const auto most = [](const std::vector<std::int64_t>& of) {
    std::int64_t sum = 0;
    for (const std::int64_t ticks : of) sum += ticks;
    return sum;
  };
  // Two pitch costs over at most 512 semitones (counting the transposition), or a gain of all notes.
  constexpr std::int64_t kLimit = (std::int64_t{1} << 30) / (2 * 100 * 512);
  return std::max(most(lengths.query), most(lengths.document)) < kLimit;
}

}  // namespace

void measure(const Line& query, const Line& document, Lengths& out) {
  out.grid = shared_grid(query, document);
  const auto scale = [&](const Line& line, std::vector<std::int64_t>& lengths) {
    lengths.clear();
    for (const std::int64_t ticks : line.duration) lengths.push_back(in_ticks(line, ticks, out.grid));
  };
  scale(query, out.query);
  scale(document, out.document);
}

Best best_transposition(const Line& query, const Line& document, const Lengths& lengths) {
  thread_local std::vector<Candidate> candidates;
  promising_transpositions(query, document, lengths, candidates);
  return fits_32_bits(lengths) ? search<std::int32_t>(query, document, lengths, candidates)
                               : search<std::int64_t>(query, document, lengths, candidates);
}

}  // namespace rondo::gar
