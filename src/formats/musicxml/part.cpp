#include "formats/musicxml/part.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::musicxml {

void PartReader::read(const std::vector<pugi::xml_node>& measures, const std::string& name) {
  if (score_.measures.size() < measures.size()) score_.measures.resize(measures.size());
  for (measure_ = 0; measure_ < measures.size(); ++measure_) read_measure(measures[measure_]);
  if (ending_ != 0) {
    remarks_.add("musicxml-ending-open", measures[ending_from_], "an ending that is not closed counts for one measure");
    close_ending(ending_from_);
  }
  add_lines(name);
}

void PartReader::read_measure(pugi::xml_node measure) {
  position_ = onset_ = reached_ = Fraction(0);
  for (pugi::xml_node element : measure.children()) read_element(element);
  ScoreMeasure& shared = score_.measures[measure_];
  const bool implicit = xml::attribute(measure, "implicit") == "yes";
  if (implicit) shared.continues = true;
  // A measure without any content is an empty bar.
  if (reached_.is_zero() && !implicit && !measure.child("note")) reached_ = bar_;
  shared.length = std::max(shared.length, reached_);
}

void PartReader::read_element(pugi::xml_node element) {
  const std::string_view name = xml::name_of(element);
  if (name == "note") return read_note(element);
  if (name == "backup") return move(element, -1);
  if (name == "forward") return move(element, 1);
  if (name == "attributes") return read_attributes(element);
  if (name == "barline") return read_barline(element);
  if (name == "sound") return read_sound(element);
  if (name == "direction") return read_sound(element.child("sound"));
}

void PartReader::advance(Fraction to) {
  position_ = to;
  reached_ = std::max(reached_, position_);
}

void PartReader::move(pugi::xml_node element, int direction) {
  const auto duration = xml::number(element.child_value("duration"));
  if (!duration || *duration < Fraction(0)) {
    remarks_.add("musicxml-bad-duration", element, "a move without a duration is left out");
    return;
  }
  Fraction to = position_ + Fraction(direction) * in_wholes(*duration);
  if (to < Fraction(0)) {
    remarks_.add("musicxml-backup-too-far", element, "goes back beyond the beginning of the measure; stops there");
    to = 0;
  }
  advance(to);
  onset_ = position_;
}

Fraction PartReader::duration_of(pugi::xml_node node, const NoteElement& note) {
  if (note.grace) return note.type;
  if (!note.duration || *note.duration <= Fraction(0)) {
    if (note.kind == NoteElement::Kind::rest && (note.measure_rest || !note.shown)) return bar_;
    remarks_.add("musicxml-no-duration", node, "a note without a duration: its type counts, else a quarter");
    return note.shown.value_or(Fraction(1, 4));
  }
  const Fraction stated = in_wholes(*note.duration);
  if (!note.shown || *note.shown == stated || note.kind == NoteElement::Kind::rest || note.tremolo_pair) return stated;
  const Fraction off = stated > *note.shown ? stated - *note.shown : *note.shown - stated;
  if (off < in_wholes(1)) {
    remarks_.add("musicxml-duration-rounded", node,
                 "<duration> is rounded to whole divisions; the note's type and tuplet are exact and count");
    return *note.shown;
  }
  remarks_.add("musicxml-duration-type", node, "<duration> and the note's type disagree; <duration> counts");
  return stated;
}

void PartReader::read_note(pugi::xml_node node) {
  const NoteElement note = note_of(node, remarks_);
  Event event;
  event.staff = note.staff;
  event.chord = note.chord;
  event.note.measure = measure_;
  event.note.grace = note.grace;
  event.note.tied = note.tied;
  event.note.duration = duration_of(node, note);
  event.note.at = note.chord ? onset_ : position_;
  if (!note.chord) onset_ = position_;
  if (!note.grace) {
    if (!note.chord) advance(position_ + event.note.duration);
    reached_ = std::max(reached_, event.note.at + event.note.duration);
  }
  VoiceEvents& target = voice(note.voice);
  std::optional<Pitch> pitch;
  if (note.cue) {
    if (note.kind == NoteElement::Kind::pitched) {
      remarks_.add("musicxml-cue-skipped", node, "cue notes belong to another part and are left out");
    }
  } else if (note.kind == NoteElement::Kind::unpitched) {
    remarks_.add("musicxml-unpitched", node, "notes without a pitch (percussion) are left out");
  } else if (note.kind == NoteElement::Kind::pitched) {
    if (note.pitch) pitch = transposition(note.staff).apply(*note.pitch);
    if (!pitch) remarks_.add("musicxml-bad-pitch", node, "a pitch that cannot be read or sounded is left out");
  }
  event.rest = !pitch;
  if (pitch) {
    event.note.pitch = *pitch;
    target.sounds = true;
  }
  if (!event.rest || !note.grace) target.events.push_back(event);
}

Transposition PartReader::transposition(int staff) const {
  auto found = transpositions_.find(staff);
  if (found == transpositions_.end()) found = transpositions_.find(0);
  return found == transpositions_.end() ? Transposition{} : found->second;
}

void PartReader::put(int staff, decltype(ScoreChange::value) value) {
  if (changes_.size() > kChanges) return;  // add_line says so
  changes_.push_back({staff, ScoreChange{measure_, position_, std::move(value)}});
}

void PartReader::put_key(int staff, const WrittenKey& key) {
  const Transposition to_sounding = transposition(staff);
  put(staff, to_sounding.apply(key.signature));
  if (key.key) put(staff, to_sounding.apply(*key.key));
}

void PartReader::read_attributes(pugi::xml_node attributes) {
  if (pugi::xml_node divisions = attributes.child("divisions")) {
    const auto value = xml::number(divisions.child_value());
    if (value && *value > Fraction(0)) {
      divisions_ = *value;
    } else {
      remarks_.add("musicxml-bad-divisions", divisions, "divisions must be a positive number; the old ones stay");
    }
  }
  const auto staff_of = [](pugi::xml_node node) {
    return xml::integer(xml::attribute(node, "number"), 1, 999).value_or(0);
  };
  for (pugi::xml_node transpose : attributes.children("transpose")) {
    const int staff = staff_of(transpose);
    if (staff == 0) transpositions_.clear();
    transpositions_[staff] = transposition_of(transpose);
    if (!attributes.child("key")) {
      for (const auto& [of, key] : keys_) put_key(of, key);
    }
  }
  for (pugi::xml_node key : attributes.children("key")) {
    const int staff = staff_of(key);
    if (staff == 0) keys_.clear();
    put_key(staff, keys_[staff] = key_of(key, remarks_));
  }
  for (pugi::xml_node time : attributes.children("time")) {
    if (auto value = time_of(time, remarks_)) {
      if (value->beats != 0) bar_ = value->bar();
      put(staff_of(time), std::move(*value));
    }
  }
  for (pugi::xml_node clef : attributes.children("clef")) {
    // Without a number a clef is that of the first staff, unlike a key or a time.
    if (const auto value = clef_of(clef)) put(std::max(1, staff_of(clef)), *value);
  }
}

void PartReader::read_barline(pugi::xml_node barline) {
  const bool left = xml::attribute(barline, "location") == "left";
  if (pugi::xml_node repeat = barline.child("repeat")) {
    if (xml::attribute(barline, "location") == "middle") {
      remarks_.add("musicxml-repeat-inside", repeat, "a repeat sign inside a measure counts at the measure's edge");
    }
    if (xml::attribute(repeat, "direction") == "forward") {
      const std::uint32_t first = left || position_.is_zero() ? measure_ : measure_ + 1;
      if (first < score_.measures.size()) score_.measures[first].repeat.starts = true;
    } else if (!(left && measure_ == 0)) {
      const int times = xml::integer(xml::attribute(repeat, "times"), 1, 255).value_or(2);
      std::uint8_t& ends = score_.measures[left ? measure_ - 1 : measure_].repeat.ends;
      ends = std::max(ends, static_cast<std::uint8_t>(times));
    }
  }
  for (pugi::xml_node ending : barline.children("ending")) read_ending(ending);
  read_sound(barline);  // a bar line may carry segno and coda itself
}

void PartReader::read_ending(pugi::xml_node ending) {
  const std::string_view type = xml::attribute(ending, "type");
  if (type == "start") {
    if (ending_ != 0) close_ending(measure_ > ending_from_ ? measure_ - 1 : measure_);
    ending_ = xml::ending_passes(xml::attribute(ending, "number"));
    if (ending_ == 0) ending_ = xml::ending_passes(ending.child_value());
    ending_from_ = measure_;
  } else if (ending_ != 0) {
    close_ending(measure_);
  }
}

void PartReader::close_ending(std::uint32_t last) {
  for (std::uint32_t i = ending_from_; i <= last && i < score_.measures.size(); ++i) {
    score_.measures[i].repeat.endings |= ending_;
  }
  ending_ = 0;
}

void PartReader::read_sound(pugi::xml_node sound) {
  if (!sound) return;
  JumpMarks& jumps = score_.measures[measure_].jumps;
  const auto keep = [&](const char* attribute, std::string& mark) {
    if (const std::string_view value = xml::attribute(sound, attribute); !value.empty()) mark = value;
  };
  keep("segno", jumps.segno);
  keep("coda", jumps.coda);
  keep("dalsegno", jumps.dal_segno);
  keep("tocoda", jumps.to_coda);
  if (xml::attribute(sound, "dacapo") == "yes") jumps.da_capo = true;
  if (const std::string_view fine = xml::attribute(sound, "fine"); !fine.empty() && fine != "no") jumps.fine = true;
  if (xml::attribute(sound, "forward-repeat") == "yes") score_.measures[measure_].repeat.starts = true;
}

PartReader::VoiceEvents& PartReader::voice(const std::string& number) {
  for (VoiceEvents& known : voices_) {
    if (known.number == number) return known;
  }
  if (voices_.size() < limits::kVoicesPerPiece) {
    voices_.push_back({number, {}, false});
  } else {
    score_.refuse("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices in one part");
  }
  return voices_.back();
}

}  // namespace rondo::musicxml
