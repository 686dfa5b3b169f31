#include "formats/musescore/staff.h"

#include <algorithm>

#include "formats/notated_time.h"
#include "melody/limits.h"

namespace rondo::musescore {
namespace {

constexpr std::int64_t kTicksOfWhole = 1920;  // version 2 counts 480 to a quarter
constexpr std::size_t kTupletDepth = 16;
constexpr std::size_t kOpenOctaves = 16;
constexpr std::size_t kMostLabels = 1000;                           // jumps and marks, each
constexpr std::size_t kMarkedMeasures = 8 * limits::kBarsPerVoice;  // by all endings together

int octaves_of(std::string_view subtype) {
  if (subtype == "8vb" || subtype == "2") return -1;
  if (subtype == "15ma" || subtype == "1") return 2;
  if (subtype == "15mb" || subtype == "3") return -2;
  if (subtype == "22ma") return 3;
  if (subtype == "22mb") return -3;
  return 1;
}

}  // namespace

void StaffReader::read(pugi::xml_node staff) {
  changes_.push_back({0, Fraction(0), info_.clef});
  for (pugi::xml_node measure : staff.children("Measure")) {
    if (measure.child("multiMeasureRest")) continue;  // represents the measures after it
    if (measure_ > limits::kBarsPerVoice) break;      // write_out says so
    if (score_.measures.size() <= measure_) score_.measures.resize(measure_ + 1);
    read_measure(measure);
    ++measure_;
  }
  if (measure_ == 0) return;
  if (!open_endings_.empty()) {
    remarks_.add("musescore-ending-open", staff, "an ending that is not closed counts for one measure");
    for (const auto& [id, ending] : open_endings_) mark_ending(ending.from, ending.from, ending.passes);
  }
  shift_octaves();
  add_lines();
}

void StaffReader::read_measure(pugi::xml_node measure) {
  position_ = reached_ = Fraction(0);
  tuplets_.clear();
  named_tuplets_.clear();
  voice_ = 0;
  std::size_t number = 0;
  for (pugi::xml_node element : measure.children()) {
    in_voice_ = xml::name_of(element) == "voice";
    if (!in_voice_) {
      read_element(element);
      continue;
    }
    position_ = Fraction(0);
    tuplets_.clear();
    voice_ = std::min(number++, kVoices - 1);
    for (pugi::xml_node inner : element.children()) read_element(inner);
  }
  in_voice_ = false;
  ScoreMeasure& shared = score_.measures[measure_];
  if (xml::trimmed(measure.child_value("irregular")) == "1" && measure_ > 0) shared.continues = true;
  const auto stated = xml::number(xml::attribute(measure, "len"));
  const Fraction length = stated && *stated > Fraction(0) ? *stated : bar_;
  shared.length = std::max({shared.length, length, reached_});
  onset_of_measure_ += shared.length;
}

void StaffReader::read_element(pugi::xml_node element) {
  const std::string_view name = xml::name_of(element);
  if (name == "Chord" || name == "Rest") return read_chord(element);
  if (name == "Tuplet") return read_tuplet(element);
  if (name == "endTuplet") {
    if (!tuplets_.empty()) tuplets_.pop_back();
    return;
  }
  if (name == "location") {
    const auto by = xml::number(element.child_value("fractions"));
    return move_to(position_ + by.value_or(Fraction(0)) * stretch_, element);
  }
  if (name == "tick") {
    const auto tick = xml::integer(element.child_value(), 0, 1'000'000'000);
    if (tick) move_to(Fraction(*tick, kTicksOfWhole) - onset_of_measure_, element);
    return;
  }
  if (name == "KeySig") return read_key(element);
  if (name == "TimeSig") return read_time(element);
  if (name == "Clef") return read_clef(element);
  if (name == "startRepeat") {
    score_.measures[measure_].repeat.starts = true;
  } else if (name == "endRepeat") {
    const int times = xml::integer(element.child_value(), 1, 255).value_or(2);
    std::uint8_t& ends = score_.measures[measure_].repeat.ends;
    ends = std::max(ends, static_cast<std::uint8_t>(std::max(times, 2)));
  } else if (name == "Spanner") {
    read_spanner(element);
  } else if (name == "Volta" && !in_voice_) {
    const std::uint32_t passes = xml::ending_passes(element.child_value("endings"));
    open_endings_[std::string(xml::attribute(element, "id"))] = {measure_, passes};
  } else if (name == "Ottava" && !in_voice_) {
    begin_octaves(element, std::string(xml::attribute(element, "id")));
  } else if (name == "endSpanner") {
    const std::string_view id = xml::attribute(element, "id");
    end_ending(id);
    end_octaves(id);
  } else if (name == "Marker") {
    if (labels_.markers.size() < kMostLabels)
      labels_.markers.push_back({measure_, std::string(xml::trimmed(element.child_value("label")))});
  } else if (name == "Jump") {
    read_jump(element);
  }
}

void StaffReader::move_to(Fraction to, pugi::xml_node where) {
  if (!to.valid() || to < Fraction(0)) {
    remarks_.add("musescore-bad-position", where,
                 "a position before its measure is moved to the beginning of the measure");
    to = Fraction(0);
  }
  position_ = to;
}

void StaffReader::read_tuplet(pugi::xml_node tuplet) {
  const auto actual = xml::integer(tuplet.child_value("actualNotes"), 1, 10'000);
  const auto normal = xml::integer(tuplet.child_value("normalNotes"), 1, 10'000);
  Fraction ratio = 1;
  if (actual && normal) {
    ratio = Fraction(*normal, *actual);
  } else {
    remarks_.add("musescore-bad-tuplet", tuplet, "a tuplet without its numbers is read as plain notes");
  }
  if (in_voice_) {
    if (tuplets_.size() < kTupletDepth) tuplets_.push_back(ratio * (tuplets_.empty() ? Fraction(1) : tuplets_.back()));
    return;
  }
  const std::string outer(xml::trimmed(tuplet.child_value("Tuplet")));
  named_tuplets_[std::string(xml::attribute(tuplet, "id"))] = ratio * tuplet_ratio(outer);
}

Fraction StaffReader::tuplet_ratio(const std::string& id) const {
  if (in_voice_) return tuplets_.empty() ? Fraction(1) : tuplets_.back();
  const auto found = named_tuplets_.find(id);
  return found == named_tuplets_.end() ? Fraction(1) : found->second;
}

void StaffReader::read_chord(pugi::xml_node element) {
  const ChordElement chord = chord_of(element, open_ties_);
  const std::size_t voice = in_voice_ ? voice_ : static_cast<std::size_t>(chord.voice);
  if (chord.bad_pitch) {
    remarks_.add("musescore-bad-pitch", element, "a note whose pitch cannot be read is left out");
  }
  Fraction duration = bar_;
  if (chord.duration) {
    duration = *chord.duration * stretch_;
    if (!chord.grace && !chord.whole_measure) duration *= tuplet_ratio(chord.tuplet);
  } else if (!chord.whole_measure) {
    remarks_.add("musescore-no-duration", element, "a note without a known duration is read as a quarter");
    duration = Fraction(1, 4);
  }
  if (info_.drums) {
    if (!chord.notes.empty()) {
      remarks_.add("musescore-unpitched", element, "notes without a pitch (percussion) are left out");
    }
  } else {
    for (const ChordNote& note : chord.notes) {
      ScoreNote out;
      out.measure = measure_;
      out.at = position_;
      out.duration = chord.grace ? chord.duration.value_or(Fraction(0)) : duration;
      out.pitch = note.pitch;
      out.spelled = note.spelled;
      out.grace = chord.grace;
      out.tied = note.tied;
      (chord.behind ? behind_ : notes_[voice]).push_back(out);
    }
  }
  if (chord.grace) return;
  position_ += duration;
  reached_ = std::max(reached_, position_);
  // MuseScore writes grace notes that follow a note before it, the last one first.
  for (auto grace = behind_.rbegin(); grace != behind_.rend(); ++grace) {
    grace->at = position_;
    notes_[voice].push_back(*grace);
  }
  behind_.clear();
}

void StaffReader::put(decltype(ScoreChange::value) value) {
  if (changes_.size() > kChanges) return;  // add_lines says so
  changes_.push_back({measure_, position_, std::move(value)});
}

void StaffReader::read_key(pugi::xml_node key) {
  const pugi::xml_node concert = key.child("concertKey");
  const pugi::xml_node written = concert ? concert : key.child("accidental");
  if (xml::trimmed(key.child_value("custom")) == "1" || key.child("KeySym") || key.child("CustDef")) {
    remarks_.add("musescore-custom-key", key, "a key signature of one's own making is left out");
    return;
  }
  const int fifths = xml::integer(written.child_value(), -14, 14).value_or(0);
  // Version 4 stores the sounding signature, versions 2 and 3 the written one.
  const Transposition to_sounding = concert ? Transposition{} : info_.to_sounding;
  put(to_sounding.apply(signature_of_fifths(fifths)));
  if (const auto mode = mode_of_name(xml::trimmed(key.child_value("mode")))) {
    put(to_sounding.apply(key_of_fifths(fifths, *mode)));
  }
}

void StaffReader::read_time(pugi::xml_node time) {
  const auto unit = xml::integer(time.child_value("sigD"), 1, 1024);
  const auto beats = xml::integer(time.child_value("sigN"), 1, 1024);
  if (!unit || !beats) {
    remarks_.add("musescore-bad-time", time, "a time signature that cannot be read is left out");
    return;
  }
  const auto stretch_count = xml::integer(time.child_value("stretchN"), 1, 1024).value_or(1);
  const auto stretch_unit = xml::integer(time.child_value("stretchD"), 1, 1024).value_or(1);
  stretch_ = Fraction(stretch_unit, stretch_count);
  const std::string_view subtype = xml::trimmed(time.child_value("subtype"));
  const MeterSign sign = subtype == "1" ? MeterSign::common : subtype == "2" ? MeterSign::cut : MeterSign::numbers;
  // A sum such as 3+2 is only the text above the line.
  const std::string shown(xml::trimmed(time.child_value("textN")));
  std::optional<TimeSignature> value;
  if (!shown.empty()) value = notated_time(std::array{NotatedMeter{shown, *unit}}, sign);
  if (!value || value->bar() != Fraction(*beats, *unit)) {
    value = notated_time(std::array{NotatedMeter{std::to_string(*beats), *unit}}, sign);
  }
  if (!value) return;
  bar_ = value->bar() * stretch_;
  put(std::move(*value));
}

void StaffReader::read_clef(pugi::xml_node clef) {
  if (const auto value = clef_of(xml::trimmed(clef.child_value("concertClefType")))) put(*value);
}

void StaffReader::read_spanner(pugi::xml_node spanner) {
  const std::string_view type = xml::attribute(spanner, "type");
  if (type == "Ottava") {
    if (pugi::xml_node ottava = spanner.child("Ottava")) {
      begin_octaves(ottava, {});
    } else if (spanner.child("prev")) {
      end_octaves({});
    }
    return;
  }
  const pugi::xml_node volta = spanner.child("Volta");
  if (type != "Volta" || !volta) return;
  const pugi::xml_node location = spanner.child("next").child("location");
  const int measures = xml::integer(location.child_value("measures"), 0, 100'000).value_or(0);
  const auto part = xml::number(location.child_value("fractions"));
  const int covered = std::max(1, measures + (part && *part > Fraction(0) ? 1 : 0));
  endings_to_mark_.push_back(
      {measure_, measure_ + static_cast<std::uint32_t>(covered) - 1, xml::ending_passes(volta.child_value("endings"))});
}

void StaffReader::begin_octaves(pugi::xml_node ottava, std::string id) {
  if (octaves_.size() >= kChanges || open_octaves_.size() >= kOpenOctaves) return;
  open_octaves_.push_back({std::move(id), octaves_.size()});
  octaves_.push_back(
      {measure_, position_, UINT32_MAX, Fraction(0), octaves_of(xml::trimmed(ottava.child_value("subtype")))});
}

void StaffReader::end_octaves(std::string_view id) {
  for (std::size_t i = open_octaves_.size(); i-- > 0;) {
    if (open_octaves_[i].id != id) continue;
    Octaves& line = octaves_[open_octaves_[i].index];
    line.to = measure_;
    line.to_at = position_;
    open_octaves_.erase(open_octaves_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void StaffReader::end_ending(std::string_view id) {
  const auto found = open_endings_.find(id);
  if (found == open_endings_.end()) return;
  const std::uint32_t last = position_.is_zero() && measure_ > found->second.from ? measure_ - 1 : measure_;
  endings_to_mark_.push_back({found->second.from, last, found->second.passes});
  open_endings_.erase(found);
}

void StaffReader::read_jump(pugi::xml_node jump) {
  if (labels_.jumps.size() >= kMostLabels) return;
  labels_.jumps.push_back({measure_, std::string(xml::trimmed(jump.child_value("jumpTo"))),
                           std::string(xml::trimmed(jump.child_value("playUntil"))),
                           std::string(xml::trimmed(jump.child_value("continueAt")))});
}

void StaffReader::shift_octaves() {
  if (octaves_.empty()) return;
  const auto before = [](std::uint32_t measure, Fraction at, std::uint32_t other, Fraction other_at) {
    return measure != other ? measure < other : at < other_at;
  };
  // Lines do not overlap in real music: for each note the last that began counts.
  std::stable_sort(octaves_.begin(), octaves_.end(),
                   [&](const Octaves& a, const Octaves& b) { return before(a.from, a.from_at, b.from, b.from_at); });
  for (auto& notes : notes_) {
    for (ScoreNote& note : notes) {
      const auto after = std::partition_point(octaves_.begin(), octaves_.end(), [&](const Octaves& line) {
        return !before(note.measure, note.at, line.from, line.from_at);
      });
      if (after == octaves_.begin()) continue;
      const Octaves& line = *(after - 1);
      if (!before(note.measure, note.at, line.to, line.to_at)) continue;
      Pitch higher = note.pitch;
      higher.octave = static_cast<std::int8_t>(higher.octave + line.count);
      if (higher.playable()) note.pitch = higher;
    }
  }
}

void StaffReader::add_lines() {
  for (const EndingSpan& ending : endings_to_mark_) mark_ending(ending.first, ending.last, ending.passes);
  std::size_t sounding = 0;
  for (const auto& notes : notes_) sounding += notes.empty() ? 0 : 1;
  for (std::size_t voice = 0; voice < kVoices; ++voice) {
    // A silent staff gives one silent voice.
    if (notes_[voice].empty() && (sounding > 0 || voice > 0)) continue;
    if (!score_.may_add(changes_.size())) return;
    ScoreLine line;
    line.name = info_.name;
    if (sounding > 1) line.name += (line.name.empty() ? "voice " : ", voice ") + std::to_string(voice + 1);
    line.notes = std::move(notes_[voice]);
    line.changes = changes_;
    score_.lines.push_back(std::move(line));
  }
}

void StaffReader::mark_ending(std::uint32_t first, std::uint32_t last, std::uint32_t passes) {
  for (std::uint32_t i = first; i <= last && i < score_.measures.size() && marked_ < kMarkedMeasures; ++i, ++marked_) {
    score_.measures[i].repeat.endings |= passes;
  }
}

void Labels::apply(std::vector<ScoreMeasure>& measures) const {
  for (const Jump& jump : jumps) {
    JumpMarks& marks = measures[jump.measure].jumps;
    if (jump.to == "start") {
      marks.da_capo = true;
    } else if (!jump.to.empty()) {
      marks.dal_segno = jump.to;
    }
  }
  for (const Marker& marker : markers) {
    JumpMarks& marks = measures[marker.measure].jumps;
    if (marker.label == "fine") marks.fine = true;
    for (const Jump& jump : jumps) {
      if (marker.label.empty()) continue;
      if (marker.label == jump.to) marks.segno = jump.to;
      if (marker.label == jump.then) marks.coda = jump.then;
      if (marker.label == jump.until && marker.label != "fine" && !jump.then.empty()) marks.to_coda = jump.then;
    }
  }
}

}  // namespace rondo::musescore
