#include "study/order.h"

#include <numeric>
#include <utility>

#include "statistics/random.h"

namespace rondo::study {
namespace {

/// An independent generator for each seed, participant and query, also for consecutive numbers. Each number in turn is
/// added to a draw of the generator so far; the constructor spreads the sum over its whole state.
statistics::Random generator(std::uint64_t seed, std::uint64_t participant, std::uint64_t purpose) {
  const std::uint64_t person = statistics::Random(seed).next() + participant;
  return statistics::Random(statistics::Random(person).next() + purpose);
}

std::vector<std::size_t> shuffled(std::size_t count, statistics::Random random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(random.below(left))]);
  }
  return order;
}

}  // namespace

std::vector<std::size_t> query_order(std::uint64_t seed, std::int64_t participant, std::size_t count) {
  return shuffled(count, generator(seed, static_cast<std::uint64_t>(participant), 0));
}

std::vector<std::size_t> candidate_order(std::uint64_t seed, std::int64_t participant, std::size_t query,
                                         std::size_t count) {
  return shuffled(count, generator(seed, static_cast<std::uint64_t>(participant), query + 1));
}

}  // namespace rondo::study
