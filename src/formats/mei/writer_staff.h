#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>

#include "formats/mei/writer_layers.h"
#include "formats/mei/writer_values.h"

namespace rondo::mei {

inline void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

/// Elements of a definition or of a layer.
void append_clef(pugi::xml_node parent, const Clef& clef);
/// `named`: the key that begins where the signature does; either may be missing.
void append_key(pugi::xml_node parent, const KeySignature* signature, const Key* named);
void append_time(pugi::xml_node parent, const TimeSignature& time);

/// Writes one voice as one staff, measure after measure.
class StaffWriter {
 public:
  /// `with_ids`: notes get an xml:id; see write_engraving.
  StaffWriter(const Voice& voice, std::vector<Layer> layers, Spelling spelling, bool with_ids = false)
      : voice_(voice), layers_(std::move(layers)), next_(layers_.size(), 0), spelling_(spelling), with_ids_(with_ids) {}

  struct Span {
    Fraction begin;
    Fraction end;
    bool last = false;        ///< includes events at its very end
    bool metre_fits = false;  ///< a measure's rest needs no value
  };
  /// false: some time has no note value (never with ids: an engraving uses an approximation).
  [[nodiscard]] bool write_measure(pugi::xml_node staff, const Span& span);
  /// Clefs and signatures that begin at this moment, as children of a staffDef; false when there are none.
  bool write_changes(pugi::xml_node staff_def, Fraction at) const;

 private:
  /// What a layer holds in a measure: a note or chord, or a rest where there is no event. Grace notes take no time.
  struct Step {
    Fraction begin;
    Fraction end;
    const Event* event = nullptr;
  };
  [[nodiscard]] std::vector<Step> steps_of(std::size_t index, const Span& span);
  [[nodiscard]] bool write_layer(pugi::xml_node node, std::size_t index, const Span& span);
  void write_value(const Step& step, const Value& value, const char* silence);
  void write_grace(const Event& event);
  void write_untimed(const Event& event);
  void write_notes(pugi::xml_node parent, const Event& event, const Value* value, bool begins, bool ends);
  void write_pitch(pugi::xml_node node, const Note& note);
  void write_id(pugi::xml_node node, const Note& note);
  void write_changes_within(Fraction until);
  [[nodiscard]] pugi::xml_node place_for(const Value& value);
  [[nodiscard]] pugi::xml_node here() const { return tuplet_ ? tuplet_ : layer_; }
  [[nodiscard]] int expected_alter(const Pitch& pitch) const;

  const Voice& voice_;
  std::vector<Layer> layers_;
  std::vector<std::size_t> next_;  ///< per layer, the first event that is not finished
  Spelling spelling_;
  bool with_ids_;
  bool first_pitch_ = true;           ///< none has been written yet
  std::map<std::size_t, int> parts_;  ///< how often a note was written: once, and once for each tie

  // Of the layer being written.
  pugi::xml_node layer_;
  pugi::xml_node tuplet_;
  Fraction position_;
  std::vector<Fraction> changes_;   ///< moments of changes within the measure that are still to come, last first
  std::map<int, int> accidentals_;  ///< of the measure, by diatonic number
};

}  // namespace rondo::mei
