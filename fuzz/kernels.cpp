// Vector kernels against their scalar references, at every instruction set of the machine.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "search/kernels/common_notes.h"
#include "search/kernels/common_time.h"
#include "search/kernels/explained_align.h"
#include "search/kernels/explained_features.h"
#include "search/kernels/letters_align.h"
#include "search/kernels/level.h"
#include "search/kernels/pitch_edits.h"
#include "search/kernels/symbols_align.h"
#include "search/kernels/tally.h"

namespace rondo::kernels {
namespace {

/// Numbers from the input; when it is used up, from a generator that it has seeded: batches need more than inputs have.
class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {
    for (const std::uint8_t* p = data; p != end_; ++p) state_ = state_ * 1099511628211U ^ *p;
  }
  std::uint8_t byte() {
    if (at_ != end_) return *at_++;
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint8_t>(state_ >> 56U);
  }
  int between(int low, int high) {
    const auto range = static_cast<std::uint32_t>(high - low) + 1;
    std::uint32_t number = byte();
    if (range > 256) number = number << 8U | byte();
    if (range > 65536) number = number << 8U | byte();
    return low + static_cast<int>(number % range);
  }
  std::size_t count(int low, int high) { return static_cast<std::size_t>(between(low, high)); }
  template <typename T, typename Allocator>
  void fill(std::vector<T, Allocator>& out, std::size_t size, int low, int high) {
    out.resize(size);
    for (T& value : out) value = static_cast<T>(between(low, high));
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint64_t state_ = 14695981039346656037U;
};

void demand(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
void demand_equal(const T* fast, const T* slow, std::size_t size = kBatch) {
  demand(std::equal(fast, fast + size, slow));
}

/// Runs `fast` at every level and demands what `slow` gave.
template <typename Check>
void at_every_level(const Check& check) {
  for (const std::string_view level : levels()) {
    demand(use_level(level));
    check();
  }
  use_level("best");
}

void letters(Numbers& numbers) {
  std::vector<std::uint16_t> query;
  numbers.fill(query, numbers.count(0, 40), 0, 2);
  LetterColumns columns;
  columns.columns = numbers.count(1, 40);
  numbers.fill(columns.letter, columns.columns * kBatch, 0, 2);
  for (auto& length : columns.length)
    length = static_cast<std::uint32_t>(numbers.between(0, static_cast<int>(columns.columns)));
  LetterCosts costs;
  for (auto* cost : {&costs.insertion, &costs.deletion, &costs.to_neutral, &costs.opposite}) {
    *cost = static_cast<std::uint16_t>(numbers.between(0, 700));
  }
  std::uint16_t slow[kBatch];
  letters_align_plain(query, columns, costs, slow);
  at_every_level([&] {
    std::uint16_t fast[kBatch];
    letters_align(query, columns, costs, fast);
    demand_equal(fast, slow);
  });
}

void symbols(Numbers& numbers) {
  SymbolColumns columns;
  columns.columns = numbers.count(1, 60);
  numbers.fill(columns.symbol, columns.columns * kBatch, 0, static_cast<int>(kSymbols) - 1);
  std::vector<std::uint8_t> query;
  numbers.fill(query, numbers.count(1, 60), 0, static_cast<int>(kSymbols) - 1);
  std::vector<SymbolScores> scores(numbers.count(1, 20));
  for (auto& row : scores) {
    for (auto& score : row) score = static_cast<std::uint8_t>(numbers.between(0, 15));
  }
  std::uint8_t equal[kBatch];
  std::uint8_t scored[kBatch];
  std::uint8_t saved[kBatch];
  equal_symbols_plain(query, columns, equal);
  scored_symbols_plain(scores, columns, scored);
  edits_saved_plain(query, columns, saved);
  at_every_level([&] {
    std::uint8_t fast[kBatch];
    equal_symbols(query, columns, fast);
    demand_equal(fast, equal);
    scored_symbols(scores, columns, fast);
    demand_equal(fast, scored);
    edits_saved(query, columns, fast);
    demand_equal(fast, saved);
  });
}

void pitches(Numbers& numbers) {
  PitchColumns columns;
  columns.columns = numbers.count(1, 60);
  numbers.fill(columns.pitch, columns.columns * kBatch, 0, 140);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    for (std::size_t j = numbers.count(1, 60); j < columns.columns; ++j) {
      columns.pitch[j * kBatch + lane] = PitchColumns::kNoPitch;
    }
  }
  std::vector<std::uint8_t> query;
  numbers.fill(query, numbers.count(1, 120), 0, 140);
  const auto most = static_cast<std::uint8_t>(numbers.between(0, 250));
  std::uint8_t distances[kBatch];
  std::uint8_t gains[kBatch];
  pitch_edits_plain(query, columns, most, distances);
  pitch_gains_plain(query, columns, gains);
  at_every_level([&] {
    std::uint8_t fast[kBatch];
    pitch_edits(query, columns, most, fast);
    for (std::size_t lane = 0; lane < kBatch; ++lane) {
      demand(distances[lane] <= most ? fast[lane] == distances[lane] : fast[lane] > most);
    }
    pitch_gains(query, columns, fast);
    demand_equal(fast, gains);
  });
}

void tallies(Numbers& numbers) {
  const std::size_t size = numbers.count(0, 300);
  std::vector<std::uint8_t> bits;
  std::vector<std::uint8_t> bytes;
  numbers.fill(bits, (size + 63) / 64 * 8, 0, 255);
  numbers.fill(bytes, size, 0, 255);
  const std::uint8_t weight = numbers.byte();
  const std::uint8_t least = numbers.byte();
  const std::uint8_t most = numbers.byte();
  std::vector<std::uint8_t> slow = bytes;
  add_where_plain(bits.data(), weight, slow);
  std::vector<std::uint32_t> places;
  places_within_plain(slow, least, most, 7, places);
  at_every_level([&] {
    std::vector<std::uint8_t> fast = bytes;
    add_where(bits.data(), weight, fast);
    demand(fast == slow);
    std::vector<std::uint32_t> found;
    places_within(fast, least, most, 7, found);
    demand(found == places && count_at_least(fast, least) == count_at_least_plain(slow, least));
  });
}

void sweeps(Numbers& numbers) {
  const std::size_t steps = numbers.count(0, 60);
  std::vector<std::int16_t> turns;
  numbers.fill(turns, steps * kSweeps, -3, 3);
  const std::int16_t slow = longest_common_plain(turns.data(), steps);
  at_every_level([&] { demand(longest_common(turns.data(), steps) == slow); });
}

void transpositions(Numbers& numbers) {
  const auto melody = [&](std::size_t notes) {
    const int low = numbers.between(0, 60);
    std::vector<std::int16_t> out;
    numbers.fill(out, notes, low, low + numbers.between(0, kMostRange));
    return out;
  };
  const CommonQuery query(melody(numbers.byte() < 200 ? numbers.count(1, 64) : numbers.count(1, 1024)));
  const std::vector<std::int16_t> notes = melody(numbers.count(1, 60));
  const auto [low, high] = std::minmax_element(notes.begin(), notes.end());
  const CommonDocument document{notes.data(), notes.size(), *low, *high};
  const CommonTranspositions slow = common_transpositions_plain(query, document);
  at_every_level([&] { demand(common_transpositions(query, document) == slow); });
}

void explanations(Numbers& numbers) {
  ExplainedRows rows;
  const std::size_t notes = numbers.count(1, 24);
  numbers.fill(rows.pitch, notes, 50, 80);
  numbers.fill(rows.next, notes, -12, 12);
  numbers.fill(rows.length, notes, -4096, 4096);
  numbers.fill(rows.change, notes, -4096, 4096);
  numbers.fill(rows.place, notes, 0, 16384);
  numbers.fill(rows.weight, notes, 800, 24576);
  numbers.fill(rows.gap, notes, 0, 600);
  numbers.fill(rows.beyond, notes, 0, 600);
  rows.near = static_cast<std::int16_t>(numbers.between(-2048, 1024));
  rows.far = static_cast<std::int16_t>(numbers.between(-2048, 1024));
  rows.interval = static_cast<std::int16_t>(numbers.between(0, 1024));
  rows.overhang = static_cast<std::int16_t>(numbers.between(0, 1500));
  rows.number_values();
  ExplainedNotes raw;
  raw.resize(numbers.count(1, 30));
  numbers.fill(raw.pitch, raw.pitch.size(), 40, 90);
  numbers.fill(raw.length, raw.length.size(), 1, numbers.byte() < 128 ? 64 : 5'000'000);
  for (std::size_t at = 0; at < raw.length.size(); ++at) {
    raw.octaves[at] = static_cast<float>(std::log2(static_cast<double>(raw.length[at])));
  }
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    std::int32_t all = 0;
    for (std::size_t j = 0; j + 1 < raw.columns; ++j) all += raw.length[j * kBatch + lane];
    raw.all[lane] = all == 0 ? raw.length[lane] : all;
    const double steps = std::max(1.0, static_cast<double>(raw.columns) - 1);
    raw.average[lane] = static_cast<float>(std::log2(static_cast<double>(raw.all[lane])) - std::log2(steps));
    raw.first[lane] = static_cast<std::int16_t>(numbers.between(-20, 20));
    raw.second[lane] = static_cast<std::int16_t>(numbers.between(-20, 20));
  }
  const ExplainedCosts costs{true,
                             static_cast<std::int16_t>(numbers.between(0, 256)),
                             static_cast<std::int16_t>(numbers.between(0, 256)),
                             {numbers.between(0, 30'000) * 512, numbers.between(0, 1000) * 512, 20}};
  ExplainedColumns columns;
  columns.resize(raw.columns);
  columns.place_factor = static_cast<std::int16_t>(numbers.between(0, 16384));
  bool never[kBatch];
  explained_features_plain(raw, costs, columns, never);
  std::int32_t totals[kBatch];
  explained_align_plain(rows, columns, ExplainedNumbers::wide, totals);
  at_every_level([&] {
    ExplainedColumns fast;
    fast.resize(raw.columns);
    bool doubtful[kBatch];
    explained_features(raw, costs, fast, doubtful);
    for (std::size_t at = 0; at < fast.pitch.size(); ++at) {
      if (doubtful[at % kBatch]) continue;
      demand(fast.pitch[at] == columns.pitch[at] && fast.other[at] == columns.other[at]);
      demand(fast.next[at] == columns.next[at] && fast.place[at] == columns.place[at]);
      demand(fast.length[at] == columns.length[at] && fast.change[at] == columns.change[at]);
      demand(fast.gap[at] == columns.gap[at]);
    }
    std::int32_t found[kBatch];
    for (const auto numbers : {ExplainedNumbers::wide, ExplainedNumbers::relative, ExplainedNumbers::narrow}) {
      explained_align(rows, columns, numbers, found);
      demand_equal(found, totals);
    }
  });
}

}  // namespace
}  // namespace rondo::kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rondo::kernels;
  if (size == 0) return 0;
  Numbers numbers(data + 1, size - 1);
  switch (data[0] % 7) {
    case 0: letters(numbers); break;
    case 1: symbols(numbers); break;
    case 2: pitches(numbers); break;
    case 3: tallies(numbers); break;
    case 4: sweeps(numbers); break;
    case 5: transpositions(numbers); break;
    default: explanations(numbers); break;
  }
  return 0;
}
