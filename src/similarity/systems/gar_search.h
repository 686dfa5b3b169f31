#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// The quick half of GAR: its weights, and which transposition scores best.
namespace rondo::gar {

// In hundredths, so that every score is a whole number of ticks over 100.
inline constexpr std::int64_t kPitchFree = 24;   // k2: what two notes bring, by their length
inline constexpr std::int64_t kLength = 36;      // k1: cost of a difference in length
inline constexpr std::int64_t kIndel = 24 - 36;  // k2 - k3: a note that stands alone, by its length

/// The lengths of all notes of a pair, in ticks both share.
struct Lengths {
  std::int64_t grid = 1;
  std::vector<std::int64_t> query;
  std::vector<std::int64_t> document;
};

void measure(const Line& query, const Line& document, Lengths& out);

struct Best {
  std::int64_t score = 0;
  int transposition = 0;
};

/// Neither melody is empty.
[[nodiscard]] Best best_transposition(const Line& query, const Line& document, const Lengths& lengths);

}  // namespace rondo::gar
