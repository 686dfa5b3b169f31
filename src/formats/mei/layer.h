#pragma once

#include "formats/mei/staff.h"

namespace rondo::mei {

/// An element that may refer to another (@copyof, @sameas), from which it takes missing attributes and content.
struct Element {
  pugi::xml_node own;
  pugi::xml_node model;

  [[nodiscard]] std::string_view operator[](const char* name) const {
    const std::string_view value = xml::attribute(own, name);
    return value.empty() && model ? xml::attribute(model, name) : value;
  }
  /// Where its children are.
  [[nodiscard]] pugi::xml_node content() const { return model && !own.first_child() ? model : own; }
};

[[nodiscard]] Element resolved(pugi::xml_node node, const Ids& ids);

/// Reads one <layer> of one measure.
class LayerReader {
 public:
  LayerReader(Context& context, Staff& staff, Line& line, std::uint32_t measure, const ScoreInMeasures& score)
      : context_(context), staff_(staff), line_(line), measure_(measure), score_(score) {}

  void read(pugi::xml_node layer);

  /// The end of the layer's content; 0 if it is only a measure rest.
  [[nodiscard]] Fraction filled() const { return filled_; }
  /// Number of measures of its multi-measure rest.
  [[nodiscard]] int rest_measures() const { return rest_measures_; }
  /// It has spaces without a duration.
  [[nodiscard]] bool has_gaps() const { return !gaps_.empty(); }
  /// Spaces without a duration share the time that the layer lacks in the measure; the notes after them are shifted.
  void stretch(Fraction measure_length);

 private:
  struct Scope {
    Fraction scale = 1;        ///< of tuplets around
    Fraction grace_scale = 1;  ///< of tuplets among grace notes
    bool grace = false;
    bool in_tuplet = false;
    int depth = 0;
  };
  using Handler = void (LayerReader::*)(const Element&, const Scope&);
  static Handler handler_of(std::string_view name);

  void read_children(pugi::xml_node node, const Scope& scope);
  void read_event(pugi::xml_node node, const Scope& scope);
  void read_container(const Element& element, const Scope& scope);
  void read_tuplet(const Element& element, const Scope& scope);
  void read_grace_group(const Element& element, const Scope& scope);
  void read_finger_tremolo(const Element& element, const Scope& scope);
  void read_note(const Element& element, const Scope& scope);
  void read_chord(const Element& element, const Scope& scope);
  void read_rest(const Element& element, const Scope& scope);
  void read_space(const Element& element, const Scope& scope);
  void read_measure_rest(const Element& element, const Scope& scope);
  void read_measures_rest(const Element& element, const Scope& scope);
  void read_measure_repeat(const Element& element, const Scope& scope);
  void read_beat_repeat(const Element& element, const Scope& scope);
  void read_clef(const Element& element, const Scope& scope);
  void read_key(const Element& element, const Scope& scope);
  void read_meter(const Element& element, const Scope& scope);

  [[nodiscard]] std::optional<Fraction> written_duration(const Element& element) const;
  [[nodiscard]] Fraction time_of_event(const Element& element, const Scope& scope, std::optional<Fraction> written);
  [[nodiscard]] Fraction note_time(const Element& element, const Scope& scope);
  void add(const Element& note, const Element& event, Fraction duration, bool grace);
  void copy_notes(std::uint32_t from_measure, Fraction from, Fraction until, Fraction shift);
  void advance(Fraction duration);

  void open_spans(pugi::xml_node event, const Scope& scope);
  void close_spans(pugi::xml_node event);
  [[nodiscard]] Fraction span_ratio() const;

  Context& context_;
  Staff& staff_;
  Line& line_;
  std::uint32_t measure_;
  const ScoreInMeasures& score_;
  Fraction position_;
  Fraction filled_;
  int rest_measures_ = 0;
  std::vector<std::size_t> gaps_;  ///< for each space without a duration, how many notes stand before it
};

/// The sounding pitch of a note; `tied`: it continues another and so needs no accidental.
struct Sounding {
  std::optional<Pitch> pitch;
  bool spelled = true;
};
[[nodiscard]] Sounding pitch_of(const Element& note, Staff& staff, Context& context, bool tied);

}  // namespace rondo::mei
