#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// The three parts of the SIMILE hybrid opti3 (similarity.md, section 8): what each keeps of a melody, and how alike
/// two are by it, 0 to 1.
namespace rondo::simile {

/// Three intervals in one number.
using Gram = std::uint64_t;
/// All windows of three intervals, sorted; `out` is emptied first. Needs four notes.
void interval_grams(const Line& line, std::vector<Gram>& out);
/// nGrUkkon: 1 less the sum of differences in how often each window occurs, by the number of windows of both.
[[nodiscard]] double ngram_similarity(const std::vector<Gram>& a, const std::vector<Gram>& b);

/// Each time between onsets (the last note's: its duration) against the most frequent one, from -2 (at most .45 of
/// it) over 0 (.9 to 1.8) to 2 (more than 3.3). Of equally frequent ones the shortest counts.
void rhythm_classes(const Line& line, std::vector<std::int8_t>& out);
/// One of them.
[[nodiscard]] inline int rhythm_class(std::int64_t time, std::int64_t usual) {
  // The borders .45, .9, 1.8 and 3.3 in whole numbers.
  const std::int64_t twenty = 20 * time;
  if (twenty <= 9 * usual) return -2;
  if (twenty <= 18 * usual) return -1;
  if (twenty <= 36 * usual) return 0;
  return twenty <= 66 * usual ? 1 : 2;
}
/// rhytFuzz: 1 less the edit distance by the length of the longer.
[[nodiscard]] double rhythm_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b);

/// The key that suits each measure best, tonic 0 to 11, 12 more for minor: by the correlation of its pitch classes,
/// each weighted by its duration, with the probe-tone profiles of Krumhansl and Kessler. A note counts to the measure
/// it begins in; measures in which none begins are left out. Where measures are not known, one is four times the most
/// frequent time between onsets.
void bar_keys(const Line& line, std::vector<std::int8_t>& out);
/// How many these are, which is soon told.
[[nodiscard]] std::size_t measures_with_notes(const Line& line);
/// harmCorE: 1 less the edit distance by the length of the longer, in the transposition that suits best.
[[nodiscard]] double harmony_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b);

}  // namespace rondo::simile
