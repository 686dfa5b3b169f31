#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// The fast part of GAR: its weights, and the best transposition.
namespace rondo::gar {

// In hundredths, so that every score is a whole number of ticks over 100.
inline constexpr std::int64_t kPitchFree = 24;   // k2: gain of two notes, by their length
inline constexpr std::int64_t kLength = 36;      // k1: cost of a difference in length
inline constexpr std::int64_t kIndel = 24 - 36;  // k2 - k3: an unmatched note, by its length

/// The lengths of all notes of both melodies, in common ticks.
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

/// Precondition: neither melody is empty.
[[nodiscard]] Best best_transposition(const Line& query, const Line& document, const Lengths& lengths);

}  // namespace rondo::gar
