#pragma once

#include <algorithm>

#include "search/index/layout.h"
#include "similarity/implication.h"

namespace rondo::index {

/// The code of a structure in an index.
[[nodiscard]] inline StructureCode code_of(const Structure& structure) {
  return {static_cast<std::uint8_t>(structure.archetype), static_cast<std::uint8_t>(structure.retrospective ? 1 : 0),
          structure.direction, structure.overlap, std::min(structure.size(), kLongestStructure)};
}

}  // namespace rondo::index
