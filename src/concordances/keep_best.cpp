#include "concordances/keep_best.h"

#include <algorithm>
#include <numeric>

namespace rondo::concordances {

void keep_best(Concordances& all, std::size_t most) {
  std::vector<std::vector<std::uint32_t>> of(all.melodies.size());
  for (std::uint32_t p = 0; p < all.pairs.size(); ++p) {
    of[all.pairs[p].a].push_back(p);
    of[all.pairs[p].b].push_back(p);
  }
  std::vector<char> kept(all.pairs.size(), 0);
  for (auto& own : of) {
    // Pairs of one melody are in the order of its partners, so that equal scores keep that order.
    std::stable_sort(own.begin(), own.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return all.pairs[x].score() > all.pairs[y].score(); });
    for (std::size_t i = 0; i < std::min(most, own.size()); ++i) kept[own[i]] = 1;
  }
  std::vector<Pair> pairs;
  for (std::size_t p = 0; p < kept.size(); ++p) {
    if (kept[p] != 0) pairs.push_back(all.pairs[p]);
  }
  all.pairs = std::move(pairs);
}

}  // namespace rondo::concordances
