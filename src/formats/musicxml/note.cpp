#include "formats/musicxml/note.h"

#include <iterator>

#include "formats/musicxml/attributes.h"

namespace rondo::musicxml {
namespace {

struct TypeRow {
  std::string_view name;
  Fraction value;
};

constexpr TypeRow kTypes[] = {{"quarter", {1, 4}}, {"eighth", {1, 8}},  {"half", {1, 2}},    {"16th", {1, 16}},
                              {"whole", {1, 1}},   {"32nd", {1, 32}},   {"64th", {1, 64}},   {"128th", {1, 128}},
                              {"breve", {2, 1}},   {"256th", {1, 256}}, {"512th", {1, 512}}, {"1024th", {1, 1024}},
                              {"long", {4, 1}},    {"maxima", {8, 1}}};

Fraction type_value(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.value;
  }
  return {};
}

/// A tie may be given as sound (<tie>), as notation (<tied>), or both; the sound takes precedence.
bool tie_ends(pugi::xml_node note) {
  bool any = false;
  for (pugi::xml_node tie : note.children("tie")) {
    any = true;
    if (xml::attribute(tie, "type") == "stop") return true;
  }
  if (any) return false;
  for (pugi::xml_node notations : note.children("notations")) {
    for (pugi::xml_node tied : notations.children("tied")) {
      const std::string_view type = xml::attribute(tied, "type");
      if (type == "stop" || type == "continue") return true;
    }
  }
  return false;
}

bool in_tremolo_pair(pugi::xml_node note) {
  for (pugi::xml_node notations : note.children("notations")) {
    for (pugi::xml_node ornaments : notations.children("ornaments")) {
      const std::string_view type = xml::attribute(ornaments.child("tremolo"), "type");
      if (type == "start" || type == "stop") return true;
    }
  }
  return false;
}

std::optional<Pitch> pitch_of(pugi::xml_node pitch, xml::Remarks& remarks) {
  const std::string_view step = xml::trimmed(pitch.child_value("step"));
  const auto octave = xml::integer(pitch.child_value("octave"), -2, 11);
  const int index = step.size() == 1 ? step_of_letter(step.front()) : -1;
  if (index < 0 || !octave) return std::nullopt;
  return make_pitch(index, alteration(pitch.child("alter"), remarks), *octave);
}

}  // namespace

NoteElement note_of(pugi::xml_node note, xml::Remarks& remarks) {
  NoteElement out;
  out.chord = static_cast<bool>(note.child("chord"));
  out.grace = static_cast<bool>(note.child("grace"));
  out.cue = static_cast<bool>(note.child("cue"));
  if (pugi::xml_node pitch = note.child("pitch")) {
    out.kind = NoteElement::Kind::pitched;
    out.pitch = pitch_of(pitch, remarks);
  } else if (note.child("unpitched")) {
    out.kind = NoteElement::Kind::unpitched;
  }
  out.measure_rest = xml::attribute(note.child("rest"), "measure") == "yes";
  out.tied = tie_ends(note);
  out.tremolo_pair = in_tremolo_pair(note);
  if (const std::string_view voice = xml::trimmed(note.child_value("voice")); !voice.empty()) out.voice = voice;
  out.staff = xml::integer(note.child_value("staff"), 1, 999).value_or(1);
  out.duration = xml::number(note.child_value("duration"));
  out.type = type_value(xml::trimmed(note.child_value("type")));
  if (!out.type.is_zero()) {
    const auto dots = note.children("dot");
    out.type =
        xml::dotted(out.type, static_cast<int>(std::min<std::ptrdiff_t>(std::distance(dots.begin(), dots.end()), 10)));
    out.shown = out.type;
    if (pugi::xml_node ratio = note.child("time-modification")) {
      const auto actual = xml::integer(ratio.child_value("actual-notes"), 1, 10'000);
      const auto normal = xml::integer(ratio.child_value("normal-notes"), 1, 10'000);
      if (actual && normal) out.shown = out.type * Fraction(*normal, *actual);
    }
  }
  return out;
}

}  // namespace rondo::musicxml
