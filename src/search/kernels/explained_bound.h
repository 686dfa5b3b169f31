#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/window_align.h"

/// A bound on what the system rondo (similarity/systems/rondo.h) can give two melodies, whichever of them is the query:
/// the best local alignment, in which everything before the first and behind the last pair is free, a pair counts by
/// the greater of the weights of its notes, and no pair counts less than nothing. One document in one transposition in
/// each lane of a vector. It stays a bound whatever notes at the ends cost, as long as they do not add.
namespace rondo::kernels {

/// Totals from this on may have been cut off: no bound.
inline constexpr std::int32_t kMostBounded = 30'000;

/// One melody: one number for each note in each column.
struct BoundRows {
  std::vector<std::int16_t> pitch;
  std::vector<std::int16_t> next;
  std::vector<std::int16_t> length;  ///< times its cost
  std::vector<std::int16_t> change;  ///< times its cost
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> weight;
  std::vector<std::int16_t> gap;
  std::int16_t near = 0;
  std::int16_t far = 0;
  std::int16_t interval = 0;  ///< cost where the next intervals differ
};

/// A batch of documents, laid out [note][lane]; shorter ones are filled up with notes that `fill_up` makes.
struct BoundColumns {
  std::size_t columns = 0;
  std::vector<std::int16_t> pitch;  ///< less the lane's transposition
  std::vector<std::int16_t> next;
  std::vector<std::int16_t> length;
  std::vector<std::int16_t> change;
  std::vector<std::int16_t> place;
  std::vector<std::int16_t> weight;
  std::vector<std::int16_t> gap;
  std::vector<std::int16_t> interval;  ///< what differing intervals cost here: nothing at a document's last note
  std::int16_t place_factor[kBatch] = {};

  void resize(std::size_t notes) {
    columns = notes;
    for (auto* part : {&pitch, &next, &length, &change, &place, &weight, &gap, &interval}) part->resize(notes * kBatch);
  }
  /// A note that no pair is worth anything with.
  void fill_up(std::size_t at) {
    pitch[at] = next[at] = change[at] = place[at] = weight[at] = gap[at] = interval[at] = 0;
    length[at] = 20'000;
  }
};

/// The bound of each lane.
void explained_bound(const BoundRows& rows, const BoundColumns& columns, std::int16_t* bound);
void explained_bound_plain(const BoundRows& rows, const BoundColumns& columns, std::int16_t* bound);

}  // namespace rondo::kernels
