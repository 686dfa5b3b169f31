#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/xml_util.h"
#include "rondo/melody/pitch.h"

namespace rondo::musescore {

struct ChordNote {
  Pitch pitch;
  bool spelled = true;
  bool tied = false;  ///< a tie ends here
};

/// A <Chord> or <Rest> as written; the caller applies tuplets.
struct ChordElement {
  std::vector<ChordNote> notes;  ///< empty: a rest
  std::optional<Fraction> duration;
  bool whole_measure = false;  ///< a rest as long as its measure
  bool grace = false;
  bool behind = false;     ///< a grace note that follows its note
  std::string tuplet;      ///< version 2: the id of the tuplet it is in
  int voice = 0;           ///< version 2: 0 to 3
  bool bad_pitch = false;  ///< a note was left out because its pitch cannot be read
};

/// `open_ties`: ids of ties that wait for their end (version 2); ties that begin here are added.
[[nodiscard]] ChordElement chord_of(pugi::xml_node element, std::set<std::string, std::less<>>& open_ties);

/// A pitch by MIDI number and place on the line of fifths (14 is C, 13 F, 15 G); spelled by guess where they do not
/// agree. nullopt where there is no such MIDI number.
[[nodiscard]] std::optional<ChordNote> pitch_of(std::optional<int> midi, std::optional<int> fifths);

/// "1/4", or the attributes z and n of version 2.
[[nodiscard]] std::optional<Fraction> fraction_of(pugi::xml_node duration);

}  // namespace rondo::musescore
