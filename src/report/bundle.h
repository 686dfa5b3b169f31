#pragma once

#include <string_view>

/// What `npm run build` in web/ made for the report page, as it was when the program was built; empty when it was not
/// there.
namespace rondo::report {

[[nodiscard]] std::string_view bundle_script();
[[nodiscard]] std::string_view bundle_style();

}  // namespace rondo::report
