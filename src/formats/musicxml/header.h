#pragma once

#include <array>

#include "formats/xml_util.h"
#include "rondo/melody/piece.h"

namespace rondo::musicxml {

/// Metadata that MusicXML has no element for, as fields of <miscellaneous> in the files that Rondo writes.
struct MiscellaneousPlace {
  const char* field;
  std::string Metadata::*member;
};
inline constexpr std::array kMiscellaneousPlaces = {
    MiscellaneousPlace{"rondo-library", &Metadata::library},
    MiscellaneousPlace{"rondo-shelfmark", &Metadata::shelfmark},
    MiscellaneousPlace{"rondo-uri", &Metadata::uri},
    MiscellaneousPlace{"rondo-year", &Metadata::year},
};
inline constexpr const char* kIdField = "rondo-id";
inline constexpr const char* kCatalogueField = "rondo-catalogue";  ///< the second and further numbers

/// The id that Rondo wrote; empty in other files.
[[nodiscard]] std::string written_id(pugi::xml_node score);

/// Title, names and rights of a score.
[[nodiscard]] Metadata metadata_of(pugi::xml_node score);

/// The name of a part by its <score-part>: its name, else what is displayed, else the instrument.
[[nodiscard]] std::string part_name(pugi::xml_node score_part);

}  // namespace rondo::musicxml
