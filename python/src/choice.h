#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "binding.h"
#include "rondo/similarity/system.h"

namespace rondo::python {

/// Parameters of a system as Python gives them.
using Settings = std::optional<std::map<std::string, double>>;

/// As NAME=VALUE, the way the library takes them.
[[nodiscard]] std::vector<std::string> settings_text(const Settings& settings);
[[nodiscard]] ChosenSystem choose(const std::string& name, const Settings& settings);

}  // namespace rondo::python
