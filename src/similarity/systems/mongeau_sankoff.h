#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/key_guess.h"

/// Notes and rests as Mongeau and Sankoff compare them: for the system itself, and for a search that bounds it.
namespace rondo::mongeau_sankoff {

/// The table of a pair has a cell for every two notes, so the rest of a longer melody is not looked at.
inline constexpr std::size_t kLongest = 2000;
/// What a difference in length costs, in thousandths for a whole note, as 0.348 is for a sixteenth.
inline constexpr std::int64_t kLength = 348 * 16;
/// Every weight of an interval is a multiple of this, and at most 52 times it.
inline constexpr std::int64_t kWeightStep = 50;

/// A note or a rest of a melody heard in its key.
struct Element {
  std::int32_t semitones = 0;  ///< above a tonic below all notes
  std::int32_t degree = 0;     ///< the same in steps of the scale
  bool rest = false;
  bool on_scale = true;
  std::int64_t duration = 0;  ///< in the ticks it was given
  NoteSpan notes{};           ///< where it stands; a rest has none
};

struct Sequence {
  std::vector<Element> elements;
  double mean = 0;  ///< of the semitones, by time
};

/// The degree of a semitone above the tonic, -1 off the scale. In minor the sixth and seventh are movable.
[[nodiscard]] int degree_of(int semitone, bool minor);

/// Hears a melody in a key; `out` may have memory to reuse. The three spans have the same size, not zero.
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

[[nodiscard]] Sequence make_sequence(const Line& line);

/// Each melody is heard from a tonic below it; the document moved up by this many octaves is nearest to the query.
[[nodiscard]] std::int32_t octaves_between(const Sequence& query, const Sequence& document);

/// The weight, in thousandths, of the interval between an element of the query and one of the document so moved.
[[nodiscard]] std::int64_t interval(const Element& query, const Element& document, std::int32_t octaves);

}  // namespace rondo::mongeau_sankoff
