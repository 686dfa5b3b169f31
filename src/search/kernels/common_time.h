#pragma once

#include <cstddef>
#include <cstdint>

/// How long query and document are on the same pitch when one is moved in time, for several transpositions side by
/// side: a piecewise linear function of the move, given by the changes of its slope.
namespace rondo::kernels {

inline constexpr std::size_t kSweeps = 16;

/// The highest value of any of them. `turns` are laid out [step][transposition]; nothing leaves 16 bits.
[[nodiscard]] std::int16_t longest_common(const std::int16_t* turns, std::size_t steps);
[[nodiscard]] std::int16_t longest_common_plain(const std::int16_t* turns, std::size_t steps);

}  // namespace rondo::kernels
