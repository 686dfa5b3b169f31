#pragma once

#include <vector>

#include "formats/transposition.h"
#include "formats/xml_util.h"
#include "rondo/melody/piece.h"

/// MuseScore's own files, versions 2 to 4. See docs/formats/musescore.md.
namespace rondo::musescore {

/// Data of <Part> about a staff whose music follows later.
struct StaffInfo {
  std::string name;           ///< of the part; of several staves with the number
  Clef clef;                  ///< until another is written
  Transposition to_sounding;  ///< for key signatures only: notes are stored at sounding pitch
  bool drums = false;
  bool repeats_another = false;  ///< repeats the music of another staff, as tablature
};

/// In the order of the staves.
[[nodiscard]] std::vector<StaffInfo> staves_of(pugi::xml_node score);

[[nodiscard]] Metadata metadata_of(pugi::xml_node score);

/// "G", "F8vb", "C3"; nullopt for signs we do not know.
[[nodiscard]] std::optional<Clef> clef_of(std::string_view type);

}  // namespace rondo::musescore
