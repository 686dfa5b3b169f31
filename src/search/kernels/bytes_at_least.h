#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::kernels {

/// Appends base + i for every i with bytes[i] >= least.
void bytes_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint32_t base,
                    std::vector<std::uint32_t>& out);
[[nodiscard]] std::size_t count_bytes_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least);

}  // namespace rondo::kernels
