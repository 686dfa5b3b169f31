#include "formats/musicxml/writer_part.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/interrupt.h"
#include "formats/notated_time.h"

namespace rondo::musicxml {
namespace {

const ValueRange kXmlValues{1024, 8};

pugi::xml_node add(pugi::xml_node parent, const char* name, const std::string& text) {
  pugi::xml_node node = parent.append_child(name);
  node.text().set(text.c_str());
  return node;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string type_of(Fraction base) {
  if (base == Fraction(8)) return "maxima";
  if (base == Fraction(4)) return "long";
  if (base == Fraction(2)) return "breve";
  if (base == Fraction(1)) return "whole";
  if (base == Fraction(1, 2)) return "half";
  if (base == Fraction(1, 4)) return "quarter";
  if (base == Fraction(1, 8)) return "eighth";
  if (base == Fraction(1, 32)) return "32nd";
  return std::to_string(base.den()) + "th";
}

template <typename T>
const T* change_at(const std::vector<Change<T>>& changes, Fraction at) {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.onset == at; });
  return found == changes.end() ? nullptr : &found->value;
}

void write_key(pugi::xml_node attributes, const KeySignature& signature, const Key* key) {
  pugi::xml_node node = attributes.append_child("key");
  const auto fifths = signature.fifths();
  if (!fifths) {
    for (int step = 0; step < 7; ++step) {
      const int alter = signature.alter[static_cast<std::size_t>(step)];
      if (alter == 0) continue;
      add(node, "key-step", std::string(1, letter_of_step(step)));
      add(node, "key-alter", std::to_string(alter));
    }
    return;
  }
  add(node, "fifths", std::to_string(*fifths));
  if (key == nullptr || key->signature() != signature) return;
  const std::string name = key->to_string();
  add(node, "mode", name.substr(name.find(' ') + 1));
}

void write_time(pugi::xml_node attributes, const TimeSignature& time) {
  pugi::xml_node node = attributes.append_child("time");
  const std::vector<NotatedMeter> meters = notated_meters(time);
  if (meters.empty()) {
    node.append_child("senza-misura");
    return;
  }
  if (time.symbol == "c") set(node, "symbol", "common");
  if (time.symbol == "c/") set(node, "symbol", "cut");
  if (meters.size() == 1 && time.symbol == meters[0].count) set(node, "symbol", "single-number");
  for (const NotatedMeter& meter : meters) {
    add(node, "beats", meter.count);
    add(node, "beat-type", std::to_string(meter.unit));
  }
}

void write_clef(pugi::xml_node attributes, const Clef& clef) {
  pugi::xml_node node = attributes.append_child("clef");
  const char* sign = clef.shape == 'F'   ? "F"
                     : clef.shape == 'C' ? "C"
                     : clef.shape == 'P' ? "percussion"
                     : clef.shape == 'T' ? "TAB"
                                         : "G";
  add(node, "sign", sign);
  if (clef.shape != 'P' && clef.line >= 1) add(node, "line", std::to_string(clef.line));
  if (clef.shape == 'g') add(node, "clef-octave-change", "-1");
}

}  // namespace

PartWriter::PartWriter(const Voice& voice, const std::vector<Fraction>& bars)
    : voice_(voice), bars_(bars), layers_(kern::layers_of(voice)) {}

bool PartWriter::write(pugi::xml_node part) {
  if (layers_.empty() || !plan()) return false;
  find_divisions();
  constexpr std::size_t kMeasure = 100;  // bytes, at least
  for (std::size_t i = 0; i + 1 < bars_.size(); ++i) {
    if (interrupted_after(kMeasure)) return true;
    pugi::xml_node measure = part.append_child("measure");
    const TimeSignature* time = in_force(voice_.times, Fraction(0));
    const bool upbeat = i == 0 && bars_.size() > 2 && time != nullptr && bars_[1] - bars_[0] < time->bar();
    if (upbeat) number_ = 0;
    set(measure, "number", std::to_string(number_++));
    if (upbeat) set(measure, "implicit", "yes");
    write_measure(measure, i);
  }
  return true;
}

std::vector<PartWriter::Step> PartWriter::steps_of(std::size_t layer, std::size_t measure) const {
  const Fraction begin = bars_[measure];
  const Fraction end = bars_[measure + 1];
  const bool last = measure + 2 == bars_.size();
  std::vector<Fraction> cuts;
  const auto collect = [&](const auto& changes) {
    for (const auto& change : changes) {
      if (change.onset > begin && change.onset < end) cuts.push_back(change.onset);
    }
  };
  collect(voice_.clefs);
  collect(voice_.key_signatures);
  collect(voice_.keys);
  collect(voice_.times);
  std::sort(cuts.begin(), cuts.end());
  std::vector<Step> steps;
  Fraction now = begin;
  const auto until = [&](Fraction stop, const kern::Chord* chord) {
    while (now < stop) {
      const auto cut = std::upper_bound(cuts.begin(), cuts.end(), now);
      const Fraction next = cut == cuts.end() ? stop : std::min(*cut, stop);
      steps.push_back({now, next, chord});
      now = next;
    }
  };
  const kern::Layer& chords = layers_[layer];
  auto chord = std::partition_point(chords.begin(), chords.end(), [&](const kern::Chord& c) {
    return c.onset < begin && (c.is_grace() || c.end <= begin);
  });
  for (; chord != chords.end() && (chord->onset < end || (last && chord->onset == end)); ++chord) {
    until(std::max(chord->onset, begin), nullptr);
    if (chord->is_grace()) {
      steps.push_back({now, now, &*chord});
    } else {
      until(std::min(chord->end, end), &*chord);
    }
  }
  if (layer == 0 || !steps.empty()) until(end, nullptr);
  return steps;
}

bool PartWriter::plan() {
  for (std::size_t measure = 0; measure + 1 < bars_.size(); ++measure) {
    auto& layers = planned_.emplace_back();
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      LayerMeasure& planned = layers.emplace_back();
      planned.steps = steps_of(layer, measure);
      std::vector<TimeSpan> spans;
      for (const Step& step : planned.steps) {
        if (step.begin < step.end) spans.push_back({step.begin, step.end});
      }
      auto rhythm = notate(spans, bars_[measure], beat_of(in_force(voice_.times, bars_[measure])), kXmlValues);
      if (!rhythm) return false;
      planned.rhythm = std::move(*rhythm);
    }
  }
  return true;
}

void PartWriter::find_divisions() {
  for (const auto& measure : planned_) {
    for (const LayerMeasure& layer : measure) {
      for (const NoteValue& value : layer.rhythm.values) divisions_ = std::lcm(divisions_, (value.time * 4).den());
    }
  }
}

std::string PartWriter::divisions(Fraction time) const { return std::to_string((time * 4 * divisions_).num()); }

void PartWriter::write_measure(pugi::xml_node measure, std::size_t index) {
  write_attributes(measure, bars_[index], index == 0);
  bool written = false;
  for (std::size_t layer = 0; layer < planned_[index].size(); ++layer) {
    if (planned_[index][layer].steps.empty()) continue;
    if (written) add(measure.append_child("backup"), "duration", divisions(bars_[index + 1] - bars_[index]));
    write_layer(measure, planned_[index][layer], layer + 1, index);
    written = true;
  }
  if (index + 2 < bars_.size()) return;
  pugi::xml_node line = measure.append_child("barline");
  set(line, "location", "right");
  add(line, "bar-style", "light-heavy");
}

void PartWriter::write_layer(pugi::xml_node measure, const LayerMeasure& layer, std::size_t number, std::size_t index) {
  std::size_t value = 0;
  std::size_t span = 0;
  Fraction now = bars_[index];
  for (const Step& step : layer.steps) {
    if (number == 1 && step.begin > bars_[index] && step.begin < step.end) write_attributes(measure, step.begin, false);
    if (step.begin == step.end) {
      write_grace(measure, *step.chord->notes.front(), number);
      continue;
    }
    for (; value < layer.rhythm.values.size() && layer.rhythm.values[value].span == span; ++value) {
      write_value(measure, step, layer.rhythm, value, now, number);
      now += layer.rhythm.values[value].time;
    }
    ++span;
  }
}

void PartWriter::write_pitch(pugi::xml_node note, const Pitch& pitch) {
  pugi::xml_node node = note.append_child("pitch");
  add(node, "step", std::string(1, letter_of_step(pitch.step)));
  if (pitch.alter != 0) add(node, "alter", std::to_string(pitch.alter));
  add(node, "octave", std::to_string(pitch.octave));
}

void PartWriter::write_type(pugi::xml_node note, const NoteValue& value, const Tuplet* tuplet) {
  add(note, "type", type_of(value.base));
  for (int i = 0; i < value.dots; ++i) note.append_child("dot");
  if (tuplet == nullptr) return;
  pugi::xml_node ratio = note.append_child("time-modification");
  add(ratio, "actual-notes", std::to_string(tuplet->num));
  add(ratio, "normal-notes", std::to_string(tuplet->numbase));
}

void PartWriter::write_value(pugi::xml_node measure, const Step& step, const Rhythm& rhythm, std::size_t at,
                             Fraction now, std::size_t number) {
  const NoteValue& value = rhythm.values[at];
  const Tuplet* tuplet = value.tuplet == kNoTuplet ? nullptr : &rhythm.tuplets[value.tuplet];
  const bool begins = tuplet != nullptr && tuplet->first == at;
  const bool ends = tuplet != nullptr && tuplet->first + tuplet->count == at + 1;
  const std::size_t count = step.chord == nullptr ? 1 : step.chord->notes.size();
  for (std::size_t i = 0; i < count; ++i) {
    pugi::xml_node note = measure.append_child("note");
    const bool tied_before = step.chord != nullptr && now > step.chord->onset;
    const bool tied_after = step.chord != nullptr && now + value.time < step.chord->end;
    if (i > 0) note.append_child("chord");
    if (step.chord == nullptr) {
      note.append_child("rest");
    } else {
      write_pitch(note, step.chord->notes[i]->pitch);
    }
    add(note, "duration", divisions(value.time));
    if (tied_before) set(note.append_child("tie"), "type", "stop");
    if (tied_after) set(note.append_child("tie"), "type", "start");
    add(note, "voice", std::to_string(number));
    write_type(note, value, tuplet);
    if (!tied_before && !tied_after && (i > 0 || (!begins && !ends))) continue;
    pugi::xml_node notations = note.append_child("notations");
    if (tied_before) set(notations.append_child("tied"), "type", "stop");
    if (tied_after) set(notations.append_child("tied"), "type", "start");
    if (i > 0) continue;
    if (begins) set(notations.append_child("tuplet"), "type", "start");
    if (ends) set(notations.append_child("tuplet"), "type", "stop");
  }
}

void PartWriter::write_grace(pugi::xml_node measure, const Note& grace, std::size_t number) {
  pugi::xml_node note = measure.append_child("note");
  note.append_child("grace");
  write_pitch(note, grace.pitch);
  add(note, "voice", std::to_string(number));
  const auto values = grace.duration.is_zero() ? std::vector<NoteValue>() : plain_values(grace.duration, kXmlValues);
  if (values.size() == 1) write_type(note, values.front(), nullptr);
}

void PartWriter::write_attributes(pugi::xml_node measure, Fraction at, bool first) {
  const KeySignature* signature = change_at(voice_.key_signatures, at);
  const Key* key = change_at(voice_.keys, at);
  const TimeSignature* time = change_at(voice_.times, at);
  const Clef* clef = change_at(voice_.clefs, at);
  if (!first && signature == nullptr && key == nullptr && time == nullptr && clef == nullptr) return;
  pugi::xml_node attributes = measure.append_child("attributes");
  if (first) add(attributes, "divisions", std::to_string(divisions_));
  if (signature != nullptr || key != nullptr) {
    const KeySignature* before = in_force(voice_.key_signatures, at);
    write_key(attributes, before != nullptr ? *before : key->signature(), key);
  }
  if (time != nullptr) write_time(attributes, *time);
  if (clef != nullptr) write_clef(attributes, *clef);
}

}  // namespace rondo::musicxml
