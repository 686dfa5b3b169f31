#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo::report {

/// Error report-unavailable: the page's script is not embedded, because web/dist was missing at build time. Call it
/// before expensive work whose result would be lost.
[[nodiscard]] Result<void> page_available();

/// One self-contained HTML file: style, script and `data`, which the script displays. Data and code are separate (the
/// data is a block of JSON that is never executed), and the page may not load anything. Errors: report-unavailable.
[[nodiscard]] Result<std::string> make_page(std::string_view title, const nlohmann::ordered_json& data);

/// JSON for use inside a script element: without '<', so that no name in it can end the element.
[[nodiscard]] std::string script_json(const nlohmann::ordered_json& data);

}  // namespace rondo::report
