#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::study {

/// The order in which a participant sees the queries of a study: a random permutation of 0 to count - 1, the same on
/// every machine for the same seed and number. (Fisher and Yates's shuffle with statistics/random.h.)
[[nodiscard]] std::vector<std::size_t> query_order(std::uint64_t seed, std::int64_t participant, std::size_t count);

/// The same for the candidates of one query, given by its index in the study.
[[nodiscard]] std::vector<std::size_t> candidate_order(std::uint64_t seed, std::int64_t participant, std::size_t query,
                                                       std::size_t count);

}  // namespace rondo::study
