#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "search/index/segment.h"
#include "search/kernels/window_align.h"

namespace rondo::fast {

/// Lays documents out as the kernels want them, [note][lane], the first document in the first lane: for each code what
/// `by_code` has for it. `codes_of(notes)` are a document's codes, `odd(note)` is what stands for a note whose code is
/// kException, where there are any such. The shortest document comes first; `out` has room for all lanes.
template <typename Value, typename CodesOf, typename Odd>
void spread(std::span<const index::Segment::Notes> documents, std::span<const Value> by_code, const CodesOf& codes_of,
            bool has_odd, const Odd& odd, Value* out) {
  // Eight at a time: what is written lies together, and the memory is asked for eight documents at once.
  constexpr std::size_t kTogether = 8;
  for (std::size_t lane = 0; lane < documents.size(); lane += kTogether) {
    const std::size_t last = std::min(documents.size(), lane + kTogether) - 1;
    const std::uint8_t* at[kTogether];
    for (std::size_t k = 0; k < kTogether; ++k) at[k] = codes_of(documents[std::min(lane + k, last)]).data();
    const std::size_t common = documents[lane].count;
    // Written out, not as a loop: then all addresses stay in registers.
    [&]<std::size_t... kAll>(std::index_sequence<kAll...>) {
      for (std::size_t i = 0; i < common; ++i) {
        Value* const to = out + i * kernels::kBatch + lane;
        ((to[kAll] = by_code[at[kAll][i]]), ...);
      }
    }(std::make_index_sequence<kTogether>());
    for (std::size_t k = 0; lane + k <= last; ++k) {
      const index::Segment::Notes& notes = documents[lane + k];
      for (std::size_t i = common; i < notes.count; ++i) out[i * kernels::kBatch + lane + k] = by_code[at[k][i]];
      if (!has_odd || std::memchr(at[k], index::kException, notes.count) == nullptr) continue;
      for (std::size_t i = 0; i < notes.count; ++i) {
        if (at[k][i] == index::kException) out[i * kernels::kBatch + lane + k] = odd(notes.first + i);
      }
    }
  }
}

}  // namespace rondo::fast
