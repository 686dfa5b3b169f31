#pragma once

#include <string_view>

namespace rondo {

/// data/requirements.tsv as it was when the program was built.
[[nodiscard]] std::string_view requirements_recorded();

}  // namespace rondo
