#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "search/kernels/explained_align.h"

/// What the system rondo compares of each note (similarity/systems/rondo.h), one document in each lane of a vector:
/// fills the columns of kernels/explained_align.h.
namespace rondo::kernels {

/// A batch of documents with equally many notes, laid out [note][lane]. Onsets ascend.
struct ExplainedNotes {
  std::size_t columns = 0;
  std::vector<std::int16_t> pitch;
  std::vector<std::int32_t> length;  ///< from onset to onset in ticks; of the last note its duration
  std::vector<float> octaves;        ///< the logarithm of that
  std::int32_t all[kBatch];          ///< from the first onset to the last; with one note, its duration
  float average[kBatch] = {};        ///< the logarithm of a note's part of that
  std::int16_t first[kBatch] = {};   ///< transpositions
  std::int16_t second[kBatch] = {};

  ExplainedNotes() { std::fill(std::begin(all), std::end(all), 1); }
  void resize(std::size_t notes) {
    columns = notes;
    pitch.resize(notes * kBatch);
    length.resize(notes * kBatch);
    octaves.resize(notes * kBatch);
  }
};

/// What a note costs that is left out, by its length in steps: max(least, (base + slope * length) >> 16).
struct ExplainedGap {
  std::int32_t base = 0;
  std::int32_t slope = 0;
  std::int32_t least = 0;
  [[nodiscard]] std::int32_t of(std::int32_t length) const {
    const std::int32_t cost = (base + slope * length) >> 16;
    return cost < least ? least : cost;
  }
};

struct ExplainedCosts {
  bool rhythm = true;       ///< else only pitches and intervals are filled; the rest stays as it is
  std::int16_t length = 0;  ///< of a step
  std::int16_t change = 0;
  ExplainedGap gap;
};

/// `doubtful`: lanes where a length lies so near to the border of two steps that this cannot decide it; the scalar
/// reference has none.
void explained_features(const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out,
                        bool* doubtful);
void explained_features_plain(const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out,
                              bool* doubtful);

}  // namespace rondo::kernels
