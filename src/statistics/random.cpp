#include "statistics/random.h"

#include <bit>

namespace rondo::statistics {

Random::Random(std::uint64_t seed) {
  // SplitMix64 spreads any seed, also 0, over the whole state.
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15U;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    word = z ^ (z >> 31U);
  }
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t moved = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= moved;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Rejection sampling: numbers from the last, incomplete block of `bound` would favour small remainders.
  const std::uint64_t unfair = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t drawn = next();
    if (drawn >= unfair) return drawn % bound;
  }
}

}  // namespace rondo::statistics
