#pragma once

#include <optional>

#include "formats/transposition.h"
#include "formats/xml_util.h"

/// The children of MusicXML's <attributes>, each as the model's value.
namespace rondo::musicxml {

struct WrittenKey {
  KeySignature signature;
  std::optional<Key> key;  ///< where a mode is named
};

/// nullopt for the clef "none" and signs we do not know.
[[nodiscard]] std::optional<Clef> clef_of(pugi::xml_node clef);
[[nodiscard]] WrittenKey key_of(pugi::xml_node key, xml::Remarks& remarks);
/// nullopt where no number can be read.
[[nodiscard]] std::optional<TimeSignature> time_of(pugi::xml_node time, xml::Remarks& remarks);
[[nodiscard]] Transposition transposition_of(pugi::xml_node transpose);

/// An <alter>, rounded to the semitone. Quarter tones are rounded towards the natural.
[[nodiscard]] int alteration(pugi::xml_node alter, xml::Remarks& remarks);

}  // namespace rondo::musicxml
