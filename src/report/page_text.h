#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "report/bundle.h"
#include "rondo/base/result.h"

namespace rondo::report {

/// Escapes < > & and " for HTML and XML.
[[nodiscard]] std::string markup_text(std::string_view text);
/// Error report-unavailable.
[[nodiscard]] Result<void> available(const Bundle& bundle);
[[nodiscard]] std::string page_text(const Bundle& bundle, std::string_view title, const nlohmann::ordered_json& data);

}  // namespace rondo::report
