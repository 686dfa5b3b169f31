#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/key_guess.h"

/// Notes and rests as Mongeau and Sankoff compare them: for the system itself, and for the bounds of a search.
namespace rondo::mongeau_sankoff {

/// The table has a cell for every pair of notes, so only this many notes of a longer melody are compared.
inline constexpr std::size_t kLongest = 2000;
/// The cost of a difference in length of a whole note, in thousandths; it is 0.348 for a sixteenth.
inline constexpr std::int64_t kLength = 348 * 16;
/// Every weight of an interval is a multiple of this, and at most 52 times it.
inline constexpr std::int64_t kWeightStep = 50;

/// A note or a rest of a melody, relative to its key.
struct Element {
  std::int32_t semitones = 0;  ///< above a tonic below all notes
  std::int32_t degree = 0;     ///< the same in steps of the scale
  bool rest = false;
  bool on_scale = true;
  std::int64_t duration = 0;  ///< in the ticks it was given
  NoteSpan notes{};           ///< its notes; a rest has none
};

struct Sequence {
  std::vector<Element> elements;
  double mean = 0;  ///< of the semitones, by time
};

/// The degree of a semitone above the tonic, -1 off the scale. In minor the sixth and seventh are movable.
[[nodiscard]] int degree_of(int semitone, bool minor);

/// Converts a melody to elements relative to a key; reuses the memory of `out`. Precondition: the three spans have the
/// same size, not zero.
template <typename Pitch, typename Time>
void hear(std::span<const Pitch> pitch, std::span<const Time> onset, std::span<const Time> duration,
          const KeyGuess& key, Sequence& out) {
  out.elements.clear();
  const std::size_t size = std::min(pitch.size(), kLongest);
  const int lowest = *std::min_element(pitch.begin(), pitch.end());
  const int tonic = lowest - ((lowest - key.tonic) % 12 + 12) % 12;
  double moment = 0;
  double time = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    if (i > 0) {
      const std::int64_t silence = onset[i] - onset[i - 1] - duration[i - 1];
      if (silence > 0) out.elements.push_back({.rest = true, .duration = silence, .notes = {at, at}});
    }
    const int semitones = pitch[i] - tonic;
    const int degree = degree_of(semitones % 12, key.minor);
    out.elements.push_back({.semitones = semitones,
                            .degree = semitones / 12 * 7 + degree,
                            .rest = false,
                            .on_scale = degree >= 0,
                            .duration = duration[i],
                            .notes = {at, at + 1}});
    moment += static_cast<double>(duration[i]) * semitones;
    time += static_cast<double>(duration[i]);
  }
  out.mean = moment / time;
}

[[nodiscard]] Sequence make_sequence(const Line& line, const KeyGuess& key);

/// Time on each pitch class, in ticks.
template <typename Time>
using ClassTimes = std::array<Time, 12>;

/// The tonic for a document. A query gets the key that fits it best; a document gets the same mode, and the tonic under
/// which its pitch classes share most time with those of the query: of equally good ones the next above the document's
/// first note. So neither grid matters, and a transposed document gets the transposed tonic. `query` is counted from
/// the query's tonic, `document` and `first` from C; `Time` must hold the product of the total ticks of both exactly
/// (double does up to 2^53, and is fastest).
template <typename Time>
[[nodiscard]] int common_tonic(const ClassTimes<Time>& query, const ClassTimes<Time>& document, int first) {
  const auto sum = [](const ClassTimes<Time>& times) {
    Time out = 0;
    for (const Time time : times) out += time;
    return out;
  };
  const Time query_time = sum(query);
  const Time document_time = sum(document);
  // Two octaves from the first note, so that the octave above every tonic is contiguous.
  std::array<Time, 12> wanted{};
  std::array<Time, 24> there{};
  for (std::size_t i = 0; i < 12; ++i) {
    wanted[i] = query[i] * document_time;
    there[i] = there[i + 12] = document[(static_cast<std::size_t>(first) + i) % 12] * query_time;
  }
  std::array<Time, 12> common{};
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t above = 0; above < 12; ++above) {
      const Time other = there[above + i];
      common[above] += other < wanted[i] ? other : wanted[i];
    }
  }
  const auto best = std::max_element(common.begin(), common.end()) - common.begin();  // the first of equal ones
  return (first + static_cast<int>(best)) % 12;
}

/// The number of octaves by which the document must be moved up to be nearest to the query; each is counted from a
/// tonic below it.
[[nodiscard]] inline std::int32_t octaves_between(double query_mean, double document_mean) {
  return static_cast<std::int32_t>(std::floor((query_mean - document_mean) / 12 + 0.5));
}

/// The weight, in thousandths, of the interval between an element of the query and one of the document so moved.
[[nodiscard]] std::int64_t interval(const Element& query, const Element& document, std::int32_t octaves);

}  // namespace rondo::mongeau_sankoff
