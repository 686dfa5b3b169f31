#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "formats/kern/layers.h"
#include "formats/note_values.h"
#include "rondo/melody/voice.h"

namespace rondo::musicxml {

/// Writes one voice as one part, measure after measure. Layers of notes that overlap become MusicXML's voices.
class PartWriter {
 public:
  /// `bars` are the beginnings of the measures and, at last, the end of the music.
  PartWriter(const Voice& voice, const std::vector<Fraction>& bars);

  /// false: some time has no note value, or more notes overlap than can be written.
  [[nodiscard]] bool write(pugi::xml_node part);

 private:
  /// A chord or rest within one measure.
  struct Step {
    Fraction begin;
    Fraction end;
    const kern::Chord* chord = nullptr;  ///< nullptr: a rest
  };
  struct LayerMeasure {
    std::vector<Step> steps;
    Rhythm rhythm;
  };

  [[nodiscard]] bool plan();
  [[nodiscard]] std::vector<Step> steps_of(std::size_t layer, std::size_t measure) const;
  void find_divisions();
  void write_measure(pugi::xml_node measure, std::size_t index);
  void write_layer(pugi::xml_node measure, const LayerMeasure& layer, std::size_t number, std::size_t index);
  void write_value(pugi::xml_node measure, const Step& step, const Rhythm& rhythm, std::size_t at, Fraction now,
                   std::size_t number);
  void write_grace(pugi::xml_node measure, const Note& note, std::size_t number);
  void write_attributes(pugi::xml_node measure, Fraction at, bool first);
  void write_pitch(pugi::xml_node note, const Pitch& pitch);
  void write_type(pugi::xml_node note, const NoteValue& value, const Tuplet* tuplet);
  [[nodiscard]] std::string divisions(Fraction time) const;

  const Voice& voice_;
  const std::vector<Fraction>& bars_;
  std::vector<kern::Layer> layers_;
  std::vector<std::vector<LayerMeasure>> planned_;  ///< by measure, then layer
  std::int64_t divisions_ = 1;                      ///< of a quarter
  int number_ = 1;                                  ///< of the next measure
};

}  // namespace rondo::musicxml
