#include "rondo/melody/piece.h"

namespace rondo {

std::string_view Metadata::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace rondo
