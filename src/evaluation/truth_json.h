#pragma once

#include <string>

#include "rondo/evaluation/truth.h"

namespace rondo::evaluation {

[[nodiscard]] Result<Truth> read_truth_json(ByteSource& source, const std::string& file);
[[nodiscard]] std::string write_truth_json(const Truth& truth);

}  // namespace rondo::evaluation
