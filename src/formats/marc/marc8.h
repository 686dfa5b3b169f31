#pragma once

#include <string>
#include <string_view>

namespace rondo::marc {

/// MARC-8 text (ASCII and ANSEL, as leader/09 blank promises) as composed UTF-8. What stands in another alphabet,
/// after an escape sequence, becomes one '?' for each character, and `lost` is set; so do bytes without a meaning.
[[nodiscard]] std::string from_marc8(std::string_view bytes, bool& lost);

}  // namespace rondo::marc
