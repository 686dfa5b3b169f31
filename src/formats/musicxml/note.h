#pragma once

#include <optional>
#include <string>

#include "formats/xml_util.h"
#include "rondo/melody/pitch.h"

namespace rondo::musicxml {

/// One <note> with its times as stated; which of them applies depends on the context.
struct NoteElement {
  enum class Kind : std::uint8_t { pitched, rest, unpitched };

  Kind kind = Kind::rest;
  std::optional<Pitch> pitch;  ///< as written, before any transposition; none when it cannot be read
  bool chord = false;
  bool grace = false;
  bool cue = false;
  bool measure_rest = false;
  bool tremolo_pair = false;  ///< half of a tremolo of two notes: shown twice as long as it is
  bool tied = false;          ///< a tie ends here
  std::string voice = "1";
  int staff = 1;
  std::optional<Fraction> duration;  ///< in divisions, as stated
  std::optional<Fraction> shown;     ///< of the note's type, dots and tuplets, in whole notes
  Fraction type;                     ///< of type and dots alone; 0 where none is given
};

[[nodiscard]] NoteElement note_of(pugi::xml_node note, xml::Remarks& remarks);

}  // namespace rondo::musicxml
