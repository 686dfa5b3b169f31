#pragma once

#include <string>
#include <string_view>

#include "formats/open/archive.h"

namespace rondo::open {

/// True when a zip is a compressed MusicXML score: by its name, or by its first file (`mimetype` with the right
/// content, or META-INF/container.xml).
[[nodiscard]] bool looks_like_mxl(std::string_view name, std::string_view head);

/// The score in it: the root file that META-INF/container.xml names, or the only likely one where that is missing.
/// `mxl-no-score` when there is none.
[[nodiscard]] Result<std::string> read_mxl(Archive& archive);

}  // namespace rondo::open
