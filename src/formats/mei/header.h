#pragma once

#include "formats/xml_util.h"
#include "rondo/melody/piece.h"

namespace rondo::mei {

/// Metadata from the header; `id` is set if Rondo wrote the file.
struct Header {
  std::string id;
  Metadata metadata;
};
[[nodiscard]] Header header_of(pugi::xml_node mei_head);

}  // namespace rondo::mei
