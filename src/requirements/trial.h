#pragma once

#include <string>
#include <vector>

#include "requirements/figures.h"
#include "requirements/requirement.h"
#include "search/corpus.h"

namespace rondo {

struct TrialOptions {
  std::size_t queries = 240;    ///< melodies to alter, at most
  std::size_t generated = 200;  ///< incipits the generator adds to the distractors
  bool fill = false;            ///< alter generated ones too where the collection has fewer than `queries`
  std::uint64_t seed = 1;
};

/// The melodies a trial is made with.
struct TrialMaterial {
  std::vector<Piece> queries;
  std::size_t generated_queries = 0;  ///< how many of them, the last, are the generator's
  Corpus distractors;                 ///< all melodies, those of `queries` too
  std::vector<std::string> families;  ///< of each distractor, its id if it has none
  std::vector<Piece> companions;      ///< two for the alterations
};

/// Chooses melodies to alter, evenly over the ids: those of one voice, without chords, and a length worth altering; of
/// a family (the field "family") only its first. Error: `trial-empty`: the collection has none.
[[nodiscard]] Result<TrialMaterial> make_trial(std::span<const Piece> collection, const TrialOptions& options = {});

/// Looks for each melody in a collection that has its altered form in place of itself and of its family, with the
/// standard parameters of the system, and notes at which rank it comes. The system learns the collection as it was.
/// One element for each alteration, in the order of the requirements.
[[nodiscard]] std::vector<RequirementFigures> try_requirements(const SystemRow& row, const TrialMaterial& material,
                                                               std::span<const Requirement* const> wanted,
                                                               unsigned threads = 1);

}  // namespace rondo
