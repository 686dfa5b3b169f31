#pragma once

#include <algorithm>
#include <vector>

#include "rondo/melody/line.h"

namespace rondo {

/// The useful transpositions: every difference between a note of the document and one of the query, once each,
/// ascending. Under any other, no notes coincide.
inline void candidate_transpositions(const Line& query, const Line& document, std::vector<int>& out) {
  out.clear();
  bool seen[512] = {};
  for (const int q : query.pitch) {
    for (const int d : document.pitch) seen[d - q + 256] = true;
  }
  for (int t = 0; t < 512; ++t) {
    if (seen[t]) out.push_back(t - 256);
  }
}

}  // namespace rondo
