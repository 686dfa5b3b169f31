#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo::report {

/// Error report-unavailable: the page's script is not in this program, because web/dist was not there when it was
/// built. To be asked before work begins whose result would be lost.
[[nodiscard]] Result<void> page_available();

/// One HTML file that needs nothing else: style, script and `data`, which the script draws. Data and code are kept
/// apart (the data is a block of JSON that is never run), and the page may load nothing from anywhere.
/// Errors: report-unavailable.
[[nodiscard]] Result<std::string> make_page(std::string_view title, const nlohmann::ordered_json& data);

/// JSON as it may stand inside a script element: no '<', so that no name in it can end the element.
[[nodiscard]] std::string script_json(const nlohmann::ordered_json& data);

}  // namespace rondo::report
