#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "concordances/pair_engine.h"

namespace rondo::concordances {

/// Equal notes of the densest stretch: fewer are no phrase.
inline constexpr std::uint32_t kPhraseNotes = 5;

/// Where an alignment has the most equal notes together: the steps next to each other with the greatest sum of 1 for
/// an equal note and -1 for one that differs or is left out; of equal sums those with more equal notes.
struct Stretch {
  std::uint32_t equal = 0;     ///< notes
  std::uint32_t query = 0;     ///< notes of the query in it
  std::uint32_t document = 0;  ///< notes of the document in it
};
[[nodiscard]] Stretch densest_stretch(std::span<const Step> steps);

/// Whether what two melodies have in common is one phrase, and they go different ways otherwise: the densest stretch is
/// less than half of each and has three fifths of the equal notes. Without the latter, variants that differ everywhere
/// would be phrases too (docs/concordances.md measures it). `there` is the explanation with the first as the query,
/// `back` with the second; all notes of each query are in its steps. Both must say so: that is the same for either
/// order, and who finds more in common than the other has a reason to call it a variant.
[[nodiscard]] bool phrase_in_common(const Explanation& there, const Explanation& back);

/// The same by pair, 1 or 0, of those that `asked` is not 0 for, whatever the number of threads. For a system that
/// aligns all notes of the query, as rondo does.
[[nodiscard]] std::vector<char> phrases_in_common(const MelodySet& set, const System& system,
                                                  std::span<const UnitPair> pairs, std::span<const char> asked,
                                                  unsigned threads);

}  // namespace rondo::concordances
