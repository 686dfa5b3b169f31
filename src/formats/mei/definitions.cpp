// scoreDef, staffGrp, staffDef: definitions for the staves from here on.
#include "formats/mei/score_reader.h"
#include "melody/limits.h"

namespace rondo::mei {

Line& Staff::line(const std::string& layer) {
  for (Line& line : lines) {
    if (line.layer == layer) return line;
  }
  // Exceeds the limit of a piece, which is reported at the end.
  if (lines.size() <= limits::kVoicesPerPiece) lines.push_back({layer, {}, {}});
  return lines.back();
}

void Staff::put(Context& context, std::uint32_t measure, Fraction at, decltype(ScoreChange::value) value) {
  if (++context.changes <= kChanges) changes.push_back({measure, at, std::move(value)});
}

void Staff::put_key(Context& context, std::uint32_t measure, Fraction at, const WrittenKey& written) {
  if (written.signature) {
    key.signature = written.signature;
    put(context, measure, at, transposition.apply(*written.signature));
  }
  if (written.key) {
    key.key = written.key;
    put(context, measure, at, transposition.apply(*written.key));
  }
}

void Staff::put_time(Context& context, std::uint32_t measure, Fraction at, TimeSignature value) {
  time = value;
  if (value.beats != 0) bar = value.bar();
  put(context, measure, at, std::move(value));
}

Staff& ScoreReader::staff(std::string_view n) {
  for (Staff& known : staves_) {
    if (known.n == n) return known;
  }
  if (staves_.size() <= limits::kVoicesPerPiece) {
    staves_.push_back(common_);
    staves_.back().n = n;
  }
  return staves_.back();
}

/// `def` may be a scoreDef (`for_all`) or a staffDef: both carry the same attributes and elements. A key for all is
/// the key that sounds; a transposing staff reads it from its own.
void ScoreReader::define_values(Staff& staff, pugi::xml_node def, bool for_all) {
  const auto at = static_cast<std::uint32_t>(score_.measures.size());
  const auto semitones = xml::integer(xml::attribute(def, "trans.semi"), -60, 60);
  const auto steps = xml::integer(xml::attribute(def, "trans.diat"), -60, 60);
  if (semitones) staff.transposition = Transposition::stated(*semitones, steps);
  const auto put_key = [&](WrittenKey key) {
    const Transposition back{-staff.transposition.steps, -staff.transposition.semitones};
    if (for_all && key.signature) key.signature = back.apply(*key.signature);
    if (for_all && key.key) key.key = back.apply(*key.key);
    staff.put_key(context_, at, 0, key);
  };
  if (const auto clef = clef_of(def, "clef.")) staff.put(context_, at, 0, *clef);
  put_key(key_of(def));
  if (auto time = time_of(def, "meter.")) staff.put_time(context_, at, 0, std::move(*time));
  if (const auto ppq = xml::number(xml::attribute(def, "ppq")); ppq && *ppq > Fraction(0)) staff.ppq = *ppq;
  if (const auto dur = duration_of(xml::attribute(def, "dur.default"))) staff.default_duration = dur->value;
  for (const char* name : {"oct.default", "octave.default"}) {
    if (const auto octave = xml::integer(xml::attribute(def, name), -2, 11)) staff.default_octave = *octave;
  }
  each_child(def, [&](pugi::xml_node child) {
    const std::string_view name = xml::name_of(child);
    if (name == "clef") {
      if (const auto clef = clef_of(child, "")) staff.put(context_, at, 0, *clef);
    } else if (name == "keySig") {
      put_key(key_of(child));
    } else if (name == "meterSig") {
      if (auto time = time_of(child, "")) staff.put_time(context_, at, 0, std::move(*time));
    } else if (name == "meterSigGrp") {
      if (auto time = time_of_group(child)) staff.put_time(context_, at, 0, std::move(*time));
    }
  });
}

namespace {

std::string label_of(pugi::xml_node def) {
  std::string label = xml::text_of(def.child("label"));
  return label.empty() ? xml::squeezed(xml::attribute(def, "label")) : label;
}

}  // namespace

void ScoreReader::define_staff(pugi::xml_node staff_def, const std::string& label) {
  Staff& defined = staff(xml::attribute(staff_def, "n"));
  std::string own = label_of(staff_def);
  if (own.empty()) own = label;
  if (!own.empty()) defined.name = std::move(own);
  define_values(defined, staff_def, false);
}

void ScoreReader::define_group(pugi::xml_node group, const std::string& label) {
  std::string own = label_of(group);
  if (own.empty()) own = label;
  int number = 0;
  each_child(group, [&](pugi::xml_node child) {
    const std::string_view name = xml::name_of(child);
    if (name == "staffGrp") define_group(child, own);
    if (name == "staffDef") define_staff(child, own.empty() ? own : own + ", staff " + std::to_string(++number));
  });
}

/// Staves must be known before definitions for all can be applied; a staff's own definitions come last.
void ScoreReader::define_score(pugi::xml_node score_def) {
  for (pugi::xml_node node = score_def; node; node = xml::next_element(node, score_def)) {
    if (xml::name_of(node) == "staffDef") (void)staff(xml::attribute(node, "n"));
  }
  for (Staff& known : staves_) define_values(known, score_def, true);
  define_values(common_, score_def, true);
  each_child(score_def, [&](pugi::xml_node child) {
    const std::string_view name = xml::name_of(child);
    if (name == "staffGrp") define_group(child, {});
    if (name == "staffDef") define_staff(child, {});
  });
}

}  // namespace rondo::mei
