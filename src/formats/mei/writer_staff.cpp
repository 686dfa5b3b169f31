#include "formats/mei/writer_staff.h"

#include <algorithm>
#include <array>

#include "formats/notated_time.h"

namespace rondo::mei {
namespace {

const char* accid_of(int alter) {
  static constexpr std::array<const char*, 7> kNames = {"tf", "ff", "f", "n", "s", "ss", "ts"};
  const int at = std::clamp(alter, -3, 3) + 3;
  return kNames[static_cast<std::size_t>(at)];
}

std::string pname_of(int step) { return {static_cast<char>(letter_of_step(step) - 'A' + 'a')}; }

template <typename T>
const Change<T>* change_at(const std::vector<Change<T>>& changes, Fraction at) {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.onset == at; });
  return found == changes.end() ? nullptr : &*found;
}

}  // namespace

void append_clef(pugi::xml_node parent, const Clef& clef) {
  pugi::xml_node node = parent.append_child("clef");
  const char* shape = clef.shape == 'F' ? "F" : clef.shape == 'C' ? "C" : clef.shape == 'P' ? "perc" : "G";
  set(node, "shape", clef.shape == 'T' ? "TAB" : shape);
  set(node, "line", std::to_string(clef.line));
  if (clef.shape == 'g') {
    set(node, "dis", "8");
    set(node, "dis.place", "below");
  }
}

void append_key(pugi::xml_node parent, const KeySignature* signature, const Key* named) {
  pugi::xml_node node = parent.append_child("keySig");
  if (signature != nullptr) {
    const auto fifths = signature->fifths();
    if (fifths) {
      set(node, "sig", *fifths == 0 ? "0" : std::to_string(std::abs(*fifths)) + (*fifths > 0 ? "s" : "f"));
    } else {
      set(node, "sig", "mixed");
      for (int step = 0; step < 7; ++step) {
        const int alter = signature->alter[static_cast<std::size_t>(step)];
        if (alter == 0) continue;
        pugi::xml_node accid = node.append_child("keyAccid");
        set(accid, "pname", pname_of(step));
        set(accid, "accid", accid_of(alter));
      }
    }
  }
  if (named != nullptr) {
    const std::string name = named->to_string();
    set(node, "pname", pname_of(named->step));
    if (named->alter != 0) set(node, "accid", accid_of(named->alter));
    set(node, "mode", name.substr(name.find(' ') + 1));
  }
}

void append_time(pugi::xml_node parent, const TimeSignature& time) {
  std::vector<NotatedMeter> meters = notated_meters(time);
  if (meters.size() > 1) {
    parent = parent.append_child("meterSigGrp");
    set(parent, "func", "mixed");
  }
  if (meters.empty()) parent.append_child("meterSig");
  for (const NotatedMeter& meter : meters) {
    pugi::xml_node node = parent.append_child("meterSig");
    set(node, "count", meter.count);
    set(node, "unit", std::to_string(meter.unit));
    if (time.symbol == "c") set(node, "sym", "common");
    if (time.symbol == "c/") set(node, "sym", "cut");
    if (time.symbol == meter.count) set(node, "form", "num");
  }
}

bool StaffWriter::write_changes(pugi::xml_node parent, Fraction at) const {
  const auto* clef = change_at(voice_.clefs, at);
  const auto* signature = change_at(voice_.key_signatures, at);
  const auto* key = change_at(voice_.keys, at);
  const auto* time = change_at(voice_.times, at);
  if (clef != nullptr) append_clef(parent, clef->value);
  if (signature != nullptr || key != nullptr) {
    append_key(parent, signature == nullptr ? nullptr : &signature->value, key == nullptr ? nullptr : &key->value);
  }
  if (time != nullptr) append_time(parent, time->value);
  return clef != nullptr || signature != nullptr || key != nullptr || time != nullptr;
}

bool StaffWriter::write_measure(pugi::xml_node staff, const Span& span) {
  accidentals_.clear();
  changes_.clear();
  const auto collect = [&](const auto& changes) {
    for (const auto& change : changes) {
      if (change.onset > span.begin && change.onset < span.end) changes_.push_back(change.onset);
    }
  };
  collect(voice_.clefs);
  collect(voice_.key_signatures);
  collect(voice_.keys);
  collect(voice_.times);
  std::sort(changes_.rbegin(), changes_.rend());
  changes_.erase(std::unique(changes_.begin(), changes_.end()), changes_.end());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const bool empty = next_[i] >= layers_[i].size() || (layers_[i][next_[i]].onset >= span.end &&
                                                         !(span.last && layers_[i][next_[i]].onset == span.end));
    if (empty && i > 0) continue;
    pugi::xml_node node = staff.append_child("layer");
    set(node, "n", std::to_string(i + 1));
    // One voice with overlapping notes: the reader merges the layers again.
    if (i > 0) set(node, "type", "same-voice");
    if (empty && span.metre_fits && changes_.empty()) {
      node.append_child("mRest");
    } else if (!write_layer(node, i, span)) {
      return false;
    }
  }
  return true;
}

std::vector<StaffWriter::Step> StaffWriter::steps_of(std::size_t index, const Span& span) {
  std::vector<Step> steps;
  Fraction now = span.begin;
  auto change = changes_.rbegin();
  const auto rest_until = [&](Fraction until) {
    while (now < until) {
      while (change != changes_.rend() && *change <= now) ++change;
      const Fraction stop = change == changes_.rend() ? until : std::min(until, *change);
      steps.push_back({now, stop, nullptr});
      now = stop;
    }
  };
  for (std::size_t& next = next_[index]; next < layers_[index].size(); ++next) {
    const Event& event = layers_[index][next];
    if (event.onset > span.end || (event.onset == span.end && !span.last)) break;
    rest_until(std::max(event.onset, span.begin));
    const bool timed = !event.grace && !event.duration.is_zero();
    const Fraction until = timed ? std::min(event.end(), span.end) : now;
    steps.push_back({now, until, &event});
    now = until;
    if (timed && event.end() > span.end) break;  // goes on in the next measure
  }
  rest_until(span.end);
  return steps;
}

bool StaffWriter::write_layer(pugi::xml_node node, std::size_t index, const Span& span) {
  layer_ = node;
  tuplet_ = {};
  position_ = span.begin;
  const std::vector<Step> steps = steps_of(index, span);
  std::vector<TimeSpan> spans;
  for (const Step& step : steps) {
    if (step.begin < step.end) spans.push_back({step.begin, step.end});
  }
  const auto values = values_of(spans, span.begin, beat_of(in_force(voice_.times, span.begin)), spelling_, with_ids_);
  if (!values) return false;
  auto value = values->begin();
  std::size_t timed = 0;
  for (const Step& step : steps) {
    write_changes_within(step.begin);
    if (step.begin < step.end) {
      for (; value != values->end() && value->span == timed; ++value) {
        write_value(step, *value, index == 0 ? "rest" : "space");
        const auto next = std::next(value);
        if (next == values->end() || next->begins_tuplet || next->num == next->numbase) tuplet_ = {};
      }
      ++timed;
    } else if (step.event->grace) {
      write_grace(*step.event);
    } else {
      write_untimed(*step.event);
    }
  }
  return true;
}

void StaffWriter::write_changes_within(Fraction until) {
  while (!changes_.empty() && changes_.back() <= until) {
    write_changes(here(), changes_.back());
    changes_.pop_back();
  }
}

pugi::xml_node StaffWriter::place_for(const Value& value) {
  if (value.num == value.numbase) tuplet_ = {};
  if (value.begins_tuplet) {
    tuplet_ = layer_.append_child("tuplet");
    set(tuplet_, "num", std::to_string(value.num));
    set(tuplet_, "numbase", std::to_string(value.numbase));
  }
  return here();
}

void StaffWriter::write_value(const Step& step, const Value& value, const char* silence) {
  const Fraction end = position_ + value.time;
  if (step.event != nullptr) {
    write_notes(place_for(value), *step.event, &value, position_ == step.event->onset, end == step.event->end());
  } else {
    pugi::xml_node rest = place_for(value).append_child(silence);
    set(rest, "dur", value.dur);
    if (value.dots > 0) set(rest, "dots", std::to_string(value.dots));
  }
  position_ = end;
}

void StaffWriter::write_notes(pugi::xml_node parent, const Event& event, const Value* value, bool begins, bool ends) {
  const bool chord = event.notes.size() > 1;
  pugi::xml_node timed = parent.append_child(chord ? "chord" : "note");
  if (value != nullptr) {
    set(timed, "dur", value->dur);
    if (value->dots > 0) set(timed, "dots", std::to_string(value->dots));
  } else {
    set(timed, "dur.ppq", "0");
  }
  for (const Note* note : event.notes) {
    pugi::xml_node node = chord ? timed.append_child("note") : timed;
    write_pitch(node, *note);
    if (!begins || !ends) set(node, "tie", begins ? "i" : ends ? "t" : "m");
  }
}

/// A note without duration that is not a grace note: expressed by pulses, because no note value fits.
void StaffWriter::write_untimed(const Event& event) { write_notes(here(), event, nullptr, true, true); }

void StaffWriter::write_grace(const Event& event) {
  pugi::xml_node parent = here().append_child("graceGrp");
  for (const Note* note : event.notes) {
    pugi::xml_node place = parent;
    std::optional<Value> value;
    if (!event.duration.is_zero()) value = grace_value(event.duration);
    if (value && value->num != value->numbase) {
      place = parent.append_child("tuplet");
      set(place, "num", std::to_string(value->num));
      set(place, "numbase", std::to_string(value->numbase));
    }
    pugi::xml_node node = place.append_child("note");
    set(node, "grace", "unknown");
    if (value) {
      set(node, "dur", value->dur);
      if (value->dots > 0) set(node, "dots", std::to_string(value->dots));
    }
    write_pitch(node, *note);
  }
}

int StaffWriter::expected_alter(const Pitch& pitch) const {
  if (const auto found = accidentals_.find(pitch.diatonic()); found != accidentals_.end()) return found->second;
  const KeySignature* signature = in_force(voice_.key_signatures, position_);
  return signature == nullptr ? 0 : signature->alter[static_cast<std::size_t>(pitch.step)];
}

void StaffWriter::write_id(pugi::xml_node node, const Note& note) {
  const auto index = static_cast<std::size_t>(&note - voice_.notes.data());
  const int part = ++parts_[index];
  set(node, "xml:id", "n" + std::to_string(index) + (part == 1 ? "" : "-" + std::to_string(part)));
}

/// The written accidental is given where a player needs it; the gestural one wherever the note is altered.
void StaffWriter::write_pitch(pugi::xml_node node, const Note& note) {
  const Pitch& pitch = note.pitch;
  if (with_ids_) write_id(node, note);
  set(node, "pname", pname_of(pitch.step));
  set(node, "oct", std::to_string(pitch.octave));
  const bool shown = expected_alter(pitch) != pitch.alter;
  if (shown) {
    set(node, "accid", accid_of(pitch.alter));
    accidentals_[pitch.diatonic()] = pitch.alter;
  }
  // Always given for the first note: if no note had it, a reader would have to apply the key signature.
  if (shown || pitch.alter != 0 || (first_pitch_ && !voice_.key_signatures.empty())) {
    set(node, "accid.ges", accid_of(pitch.alter));
  }
  first_pitch_ = false;
  if (!note.spelled) set(node, "type", "spelling-guessed");
}

}  // namespace rondo::mei
