#pragma once

#include <string_view>
#include <vector>

/// Which of the processor's instruction sets the kernels use: the best at hand, or the one that the environment
/// variable RONDO_SIMD names. All give the same numbers.
namespace rondo::kernels {

/// Those compiled in that this machine has, the best last; "plain", without vectors, is the first. The others are
/// ssse3, sse4, avx2, avx512.
[[nodiscard]] std::vector<std::string_view> levels();
/// Uses this one from now on; "best" takes that back. False: it is not at hand. Not while a search runs.
bool use_level(std::string_view name);
/// Whether "plain" is to be used.
[[nodiscard]] bool plain_forced();

}  // namespace rondo::kernels
