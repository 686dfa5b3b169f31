#pragma once

#include <string>
#include <string_view>

#include "formats/open/archive.h"

namespace rondo::open {

/// True when a zip is one score, compressed MusicXML (.mxl) or a score of MuseScore (.mscz): by its name, or by its
/// first file (`mimetype` with the right content, META-INF/container.xml, or MuseScore's style sheet).
[[nodiscard]] bool is_score_zip(std::string_view name, std::string_view head);

/// The score in it: the root file that META-INF/container.xml names, or the only likely one where that is missing;
/// MuseScore's separate parts, in folders of their own, come last. `mxl-no-score` when there is none.
[[nodiscard]] Result<std::string> read_score_zip(Archive& archive);

}  // namespace rondo::open
