#pragma once

#include <optional>
#include <string_view>

namespace rondo {

/// The century that a year as catalogues write it lies in, the first that it names: 18 for "1782", "ca. 1750", "17..",
/// "18th century", "18.sc", "18.me", "18. Jh." and "s. XVIII". A year counts by its first two digits, so 1800 is in the
/// 19th. Nothing where none can be told.
[[nodiscard]] std::optional<int> century_of(std::string_view year);

}  // namespace rondo
