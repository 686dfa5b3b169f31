// The sounding pitch of a note: written name and octave, gestural ones, accidentals stated or implied, transposition.
#include "formats/mei/layer.h"

namespace rondo::mei {
namespace {

struct Alteration {
  std::optional<Accidental> sounding;
  std::optional<Accidental> written;
};

/// From the note's attributes and its accid children; a gestural accidental always counts.
Alteration alteration_of(const Element& note) {
  Alteration found;
  found.sounding = accidental_of(note["accid.ges"]);
  found.written = accidental_of(note["accid"]);
  each_child(note.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) != "accid") return;
    if (!found.sounding) found.sounding = accidental_of(xml::attribute(child, "accid.ges"));
    if (!found.written) found.written = accidental_of(xml::attribute(child, "accid"));
  });
  return found;
}

/// As a player reads it: the accidental before the note, else an earlier one of the measure, else the signature.
int implied_alter(Staff& staff, int step, int octave, const std::optional<Accidental>& written, bool tied) {
  const int diatonic = 7 * octave + step;
  if (written) return staff.accidentals[diatonic] = written->alter;
  if (const auto found = staff.accidentals.find(diatonic); found != staff.accidentals.end()) return found->second;
  if (tied) {
    const auto found = staff.earlier_accidentals.find(diatonic);
    if (found != staff.earlier_accidentals.end()) return staff.accidentals[diatonic] = found->second;
  }
  return staff.key.signature ? staff.key.signature->alter[static_cast<std::size_t>(step)] : 0;
}

}  // namespace

Sounding pitch_of(const Element& note, Staff& staff, Context& context, bool tied) {
  std::string_view pname = note["pname.ges"];
  const std::string_view octave_ges = note["oct.ges"];
  const bool gestural = !pname.empty() || !octave_ges.empty();
  if (pname.empty()) pname = note["pname"];
  const int step = pname.size() == 1 ? step_of_letter(pname.front()) : -1;
  if (step < 0) {
    // Old files may give a key number alone.
    const auto midi = xml::integer(note["pnum"], 0, 127);
    if (midi) return {Pitch::from_midi(*midi), false};
    context.remarks.add("mei-no-pitch", note.own, "notes without a pitch are left out");
    return {};
  }
  std::optional<int> octave = xml::integer(octave_ges, -2, 11);
  if (!octave) octave = xml::integer(note["oct"], -2, 11);
  const Alteration alteration = alteration_of(note);
  const std::optional<Accidental>& stated = alteration.sounding ? alteration.sounding : alteration.written;
  if (stated && stated->microtone) {
    context.remarks.add("mei-microtone", note.own,
                        "an alteration by part of a semitone is rounded towards the natural");
  }
  const int at = octave.value_or(staff.default_octave);
  int alter = stated ? stated->alter : 0;
  if (context.implied_accidentals) alter = implied_alter(staff, step, at, stated, tied);
  Sounding sounding;
  sounding.pitch = make_pitch(step, alter, at);
  // A gestural name or octave is already at sounding pitch.
  if (sounding.pitch && !gestural) sounding.pitch = staff.transposition.apply(*sounding.pitch);
  if (!sounding.pitch) {
    context.remarks.add("mei-bad-pitch", note.own, "a pitch that cannot be sounded is left out");
  }
  sounding.spelled = !has_token(note["type"], "spelling-guessed");
  return sounding;
}

}  // namespace rondo::mei
