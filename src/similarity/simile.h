#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

/// The three parts of the SIMILE hybrid opti3 (similarity.md, section 8): the representation of a melody in each, and
/// the similarity of two, 0 to 1.
namespace rondo::simile {

/// Three intervals in one number.
using Gram = std::uint64_t;
/// All windows of three intervals, sorted; `out` is cleared first. Needs four notes.
void interval_grams(const Line& line, std::vector<Gram>& out);
/// nGrUkkon: 1 minus the sum of differences in the counts of each window, divided by the number of windows of both.
[[nodiscard]] double ngram_similarity(const std::vector<Gram>& a, const std::vector<Gram>& b);

/// The class of each inter-onset interval (for the last note: its duration) relative to the most frequent one, from -2
/// (at most .45 of it) over 0 (.9 to 1.8) to 2 (more than 3.3). Of equally frequent ones the shortest counts.
void rhythm_classes(const Line& line, std::vector<std::int8_t>& out);
/// A single class.
[[nodiscard]] inline int rhythm_class(std::int64_t time, std::int64_t usual) {
  // The boundaries .45, .9, 1.8 and 3.3 in integers.
  const std::int64_t twenty = 20 * time;
  if (twenty <= 9 * usual) return -2;
  if (twenty <= 18 * usual) return -1;
  if (twenty <= 36 * usual) return 0;
  return twenty <= 66 * usual ? 1 : 2;
}
/// rhytFuzz: 1 minus the edit distance divided by the length of the longer.
[[nodiscard]] double rhythm_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b);

/// The best key of each measure, tonic 0 to 11, 12 more for minor: by the correlation of its pitch classes, each
/// weighted by its duration, with the probe-tone profiles of Krumhansl and Kessler. A note belongs to the measure it
/// begins in; measures in which none begins are left out. If measures are unknown, the length of one is four times the
/// most frequent inter-onset interval.
void bar_keys(const Line& line, std::vector<std::int8_t>& out);
/// The number of these measures, cheap to compute.
[[nodiscard]] std::size_t measures_with_notes(const Line& line);
/// harmCorE: 1 minus the edit distance divided by the length of the longer, in the best transposition.
[[nodiscard]] double harmony_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b);

}  // namespace rondo::simile
