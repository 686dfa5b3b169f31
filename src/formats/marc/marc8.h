#pragma once

#include <string>
#include <string_view>

namespace rondo::marc {

/// MARC-8 text (ASCII and ANSEL, as a blank leader/09 says) as composed UTF-8. Characters of other scripts, after an
/// escape sequence, and undefined bytes become '?', and `lost` is set.
[[nodiscard]] std::string from_marc8(std::string_view bytes, bool& lost);

}  // namespace rondo::marc
