#pragma once

#include <string>
#include <vector>

#include "rondo/formats/format.h"

namespace rondo::test {

/// The codes of warnings or errors, in order.
[[nodiscard]] inline std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : diagnostics) out.push_back(diagnostic.code);
  return out;
}

/// The ids of pieces, in order.
[[nodiscard]] inline std::vector<std::string> ids(const CollectingSink& sink) {
  std::vector<std::string> out;
  for (const Piece& piece : sink.pieces) out.push_back(piece.id);
  return out;
}

}  // namespace rondo::test
