#pragma once

#include "formats/xml_util.h"
#include "rondo/melody/piece.h"

namespace rondo::musicxml {

/// Title, names and rights of a score.
[[nodiscard]] Metadata metadata_of(pugi::xml_node score);

/// The name of a part by its <score-part>: its name, else what is displayed, else the instrument.
[[nodiscard]] std::string part_name(pugi::xml_node score_part);

}  // namespace rondo::musicxml
