#include "formats/mei/layer.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::mei {
namespace {

int dots_of(const Element& element) {
  if (const auto dots = xml::integer(element["dots"], 0, 10)) return *dots;
  int dots = 0;
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) == "dot" && dots < 10) ++dots;
  });
  return dots;
}

bool is_true(std::string_view text) { return text == "true" || text == "1"; }

}  // namespace

Element resolved(pugi::xml_node node, const Ids& ids) {
  Element element{node, {}};
  std::string_view reference = xml::attribute(node, "copyof");
  if (reference.empty()) reference = xml::attribute(node, "sameas");
  if (reference.empty()) return element;
  const pugi::xml_node model = ids.find(reference);
  if (model && model != node && xml::name_of(model) == xml::name_of(node)) element.model = model;
  return element;
}

LayerReader::Handler LayerReader::handler_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {{"note", &LayerReader::read_note},
                                  {"beam", &LayerReader::read_container},
                                  {"chord", &LayerReader::read_chord},
                                  {"rest", &LayerReader::read_rest},
                                  {"space", &LayerReader::read_space},
                                  {"tuplet", &LayerReader::read_tuplet},
                                  {"mRest", &LayerReader::read_measure_rest},
                                  {"mSpace", &LayerReader::read_measure_rest},
                                  {"multiRest", &LayerReader::read_measures_rest},
                                  {"graceGrp", &LayerReader::read_grace_group},
                                  {"bTrem", &LayerReader::read_container},
                                  {"fTrem", &LayerReader::read_finger_tremolo},
                                  {"clef", &LayerReader::read_clef},
                                  {"keySig", &LayerReader::read_key},
                                  {"meterSig", &LayerReader::read_meter},
                                  {"mRpt", &LayerReader::read_measure_repeat},
                                  {"mRpt2", &LayerReader::read_measure_repeat},
                                  {"multiRpt", &LayerReader::read_measure_repeat},
                                  {"halfmRpt", &LayerReader::read_beat_repeat},
                                  {"beatRpt", &LayerReader::read_beat_repeat},
                                  {"ligature", &LayerReader::read_container},
                                  {"syllable", &LayerReader::read_container},
                                  {"neume", &LayerReader::read_container},
                                  {"nc", &LayerReader::read_note}};
  for (const Row& row : kRows) {
    if (row.name == name) return row.handler;
  }
  return nullptr;
}

void LayerReader::read(pugi::xml_node layer) {
  read_children(resolved(layer, context_.ids).content(), Scope{});
  filled_ = std::max(filled_, position_);
}

void LayerReader::read_children(pugi::xml_node node, const Scope& scope) {
  Scope inner = scope;
  if (++inner.depth > limits::kNesting) return;  // copies of copies that contain each other
  each_child(node, [&](pugi::xml_node child) { read_event(child, inner); });
}

void LayerReader::read_event(pugi::xml_node node, const Scope& scope) {
  const Handler handler = handler_of(xml::name_of(node));
  if (handler == nullptr || !context_.spend()) return;
  (this->*handler)(resolved(node, context_.ids), scope);
}

void LayerReader::advance(Fraction duration) {
  position_ += duration;
  filled_ = std::max(filled_, position_);
}

void LayerReader::read_container(const Element& element, const Scope& scope) {
  Scope inner = scope;
  if (!element["grace"].empty()) inner.grace = true;
  read_children(element.content(), inner);
}

void LayerReader::read_tuplet(const Element& element, const Scope& scope) {
  const pugi::xml_node says =
      !xml::attribute(element.own, "num").empty() || !element.model ? element.own : element.model;
  const Fraction ratio = tuplet_ratio(says);
  Scope inner = scope;
  inner.in_tuplet = true;
  inner.scale *= ratio;
  if (scope.grace) inner.grace_scale *= ratio;
  read_children(element.content(), inner);
}

void LayerReader::read_grace_group(const Element& element, const Scope& scope) {
  Scope inner = scope;
  inner.grace = true;
  read_children(element.content(), inner);
}

/// Both notes of a two-note tremolo are written with the total length.
void LayerReader::read_finger_tremolo(const Element& element, const Scope& scope) {
  Scope inner = scope;
  inner.scale *= Fraction(1, 2);
  read_children(element.content(), inner);
}

std::optional<Fraction> LayerReader::written_duration(const Element& element) const {
  if (const auto dur = duration_of(element["dur"])) {
    if (dur->mensural) {
      context_.remarks.add("mei-mensural", element.own, "mensural values are read as imperfect",
                           "check the rhythm of perfect mensurations");
    }
    const Fraction value = xml::dotted(dur->value, dots_of(element));
    const auto num = xml::integer(element["num"], 1, 1'000'000);
    const auto numbase = xml::integer(element["numbase"], 1, 1'000'000);
    return num && numbase ? value * Fraction(*numbase, *num) : value;
  }
  if (staff_.default_duration > Fraction(0)) return xml::dotted(staff_.default_duration, dots_of(element));
  return std::nullopt;
}

/// The duration of an event. Pulses (@dur.ppq) are used if no note value is given, and for members of a tuplet that is
/// only marked (@tuplet), without a ratio.
Fraction LayerReader::time_of_event(const Element& element, const Scope& scope, std::optional<Fraction> written) {
  const Fraction spans = scope.in_tuplet ? Fraction(1) : span_ratio();
  const bool lost_tuplet = !element["tuplet"].empty() && !scope.in_tuplet && spans == Fraction(1);
  if (!written || lost_tuplet) {
    const auto pulses = xml::number(element["dur.ppq"]);
    if (pulses && *pulses >= Fraction(0) && staff_.ppq > Fraction(0)) return *pulses / (Fraction(4) * staff_.ppq);
  }
  if (written) return *written * scope.scale * spans;
  return Fraction::invalid();
}

Fraction LayerReader::note_time(const Element& element, const Scope& scope) {
  const Fraction time = time_of_event(element, scope, written_duration(element));
  if (time.valid()) return time;
  context_.remarks.add("mei-no-duration", element.own, "a note or rest without a duration counts as a quarter");
  return Fraction(1, 4) * scope.scale;
}

void LayerReader::add(const Element& note, const Element& event, Fraction duration, bool grace) {
  const auto tie_says = [](std::string_view tie) { return tie.find_first_of("mt") != std::string_view::npos; };
  const auto known = [](const auto& set, pugi::xml_node node) {
    const std::string_view id = id_of(node);
    return !id.empty() && set.contains(id);
  };
  ScoreNote out;
  out.tied = tie_says(note["tie"]) || tie_says(event["tie"]) || known(context_.tie_ends, note.own) ||
             known(context_.tie_ends, event.own);
  out.tie_open = known(context_.open_ties, note.own) || known(context_.open_ties, event.own);
  if (is_true(note["cue"]) || is_true(event["cue"])) {
    context_.remarks.add("mei-cue-skipped", note.own, "cue notes belong to another part and are left out");
    return;
  }
  const Sounding sounding = pitch_of(note, staff_, context_, out.tied);
  if (!sounding.pitch) return;
  out.measure = measure_;
  out.at = position_;
  out.duration = duration;
  out.pitch = *sounding.pitch;
  out.spelled = sounding.spelled;
  out.grace = grace;
  if (line_.score.notes.size() <= limits::kNotesPerVoice) line_.score.notes.push_back(out);  // write_out says if more
}

void LayerReader::read_note(const Element& element, const Scope& scope) {
  const bool grace = scope.grace || !element["grace"].empty();
  if (grace) {
    add(element, element, written_duration(element).value_or(Fraction(0)) * scope.grace_scale, true);
    return;
  }
  open_spans(element.own, scope);
  const Fraction duration = note_time(element, scope);
  add(element, element, duration, false);
  advance(duration);
  close_spans(element.own);
}

void LayerReader::read_chord(const Element& element, const Scope& scope) {
  std::vector<Element> notes;
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) == "note" && context_.spend()) notes.push_back(resolved(child, context_.ids));
  });
  const bool grace = scope.grace || !element["grace"].empty();
  if (!grace) open_spans(element.own, scope);
  // A chord without a value of its own takes that of its notes.
  const bool own_value = !element["dur"].empty() || !element["dur.ppq"].empty() || notes.empty();
  const Element& timed = own_value ? element : notes.front();
  const Fraction duration =
      grace ? written_duration(timed).value_or(Fraction(0)) * scope.grace_scale : note_time(timed, scope);
  for (const Element& note : notes) {
    const bool own = !note["dur"].empty() && !grace;
    const Fraction time = own ? note_time(note, scope) : duration;
    add(note, element, time, grace);
    if (!grace) filled_ = std::max(filled_, position_ + time);
  }
  if (grace) return;
  advance(duration);
  close_spans(element.own);
}

void LayerReader::read_rest(const Element& element, const Scope& scope) {
  if (scope.grace || !element["grace"].empty()) return;
  open_spans(element.own, scope);
  advance(note_time(element, scope));
  close_spans(element.own);
}

void LayerReader::read_space(const Element& element, const Scope& scope) {
  if (scope.grace) return;
  open_spans(element.own, scope);
  const Fraction time = time_of_event(element, scope, written_duration(element));
  if (time.valid()) {
    advance(time);
  } else {
    gaps_.push_back(line_.score.notes.size());
  }
  close_spans(element.own);
}

void LayerReader::stretch(Fraction measure_length) {
  if (gaps_.empty() || filled_ >= measure_length) return;
  const Fraction share = (measure_length - filled_) / Fraction(static_cast<std::int64_t>(gaps_.size()));
  std::size_t passed = 0;
  Fraction shift;
  for (std::size_t i = gaps_.front(); i < line_.score.notes.size(); ++i) {
    for (; passed < gaps_.size() && gaps_[passed] <= i; ++passed) shift += share;
    line_.score.notes[i].at += shift;
  }
}

/// A rest of the whole measure, whose length follows from the other layers.
void LayerReader::read_measure_rest(const Element& /*element*/, const Scope& /*scope*/) {}

void LayerReader::read_measures_rest(const Element& element, const Scope& /*scope*/) {
  rest_measures_ = xml::integer(element["num"], 1, 10'000).value_or(1);
}

void LayerReader::copy_notes(std::uint32_t from_measure, Fraction from, Fraction until, Fraction shift) {
  const std::vector<ScoreNote>& notes = line_.score.notes;
  std::vector<ScoreNote> copies;
  for (auto it = notes.rbegin(); it != notes.rend() && it->measure >= from_measure; ++it) {
    if (!context_.spend()) return;
    if (it->measure != from_measure || it->at < from || it->at >= until) continue;
    copies.push_back(*it);
    copies.back().measure = measure_;
    copies.back().at += shift;
  }
  if (notes.size() + copies.size() > limits::kNotesPerVoice) return;
  line_.score.notes.insert(line_.score.notes.end(), copies.rbegin(), copies.rend());
}

/// Repeats the measure before, or for mRpt2 the one before that.
void LayerReader::read_measure_repeat(const Element& element, const Scope& /*scope*/) {
  const std::string_view name = xml::name_of(element.own);
  if (name == "multiRpt") {
    context_.remarks.add("mei-repeat-sign", element.own, "a repetition of several measures is left out");
    return;
  }
  const std::uint32_t back = name == "mRpt2" ? 2 : 1;
  if (measure_ < back) return;
  const Fraction length = score_.measures[measure_ - back].length;
  copy_notes(measure_ - back, 0, length, 0);
  advance(length);
}

void LayerReader::read_beat_repeat(const Element& element, const Scope& /*scope*/) {
  Fraction length = xml::name_of(element.own) == "halfmRpt" ? staff_.bar / Fraction(2) : staff_.time.bar();
  if (xml::name_of(element.own) == "beatRpt") {
    const Fraction beats = xml::number(element["beatdef"]).value_or(Fraction(1));
    length = beats > Fraction(0) ? beats * Fraction(1, std::max<std::int64_t>(staff_.time.unit, 1)) : Fraction(1, 4);
  }
  copy_notes(measure_, position_ - length, position_, length);
  advance(length);
}

void LayerReader::read_clef(const Element& element, const Scope& /*scope*/) {
  if (const auto clef = clef_of(element.own, "")) staff_.put(context_, measure_, position_, *clef);
}

void LayerReader::read_key(const Element& element, const Scope& /*scope*/) {
  staff_.put_key(context_, measure_, position_, key_of(element.own));
}

void LayerReader::read_meter(const Element& element, const Scope& /*scope*/) {
  if (auto time = time_of(element.own, "")) staff_.put_time(context_, measure_, position_, std::move(*time));
}

void LayerReader::open_spans(pugi::xml_node event, const Scope& scope) {
  if (context_.spans.empty() || scope.in_tuplet) return;
  for (pugi::xml_node node = event; node; node = xml::next_element(node, event)) {
    const auto found = context_.spans.find(id_of(node));
    if (found == context_.spans.end()) continue;
    for (const TupletSpan& span : found->second) {
      if (line_.open_spans.size() < static_cast<std::size_t>(limits::kNesting)) line_.open_spans.push_back(span);
    }
  }
}

void LayerReader::close_spans(pugi::xml_node event) {
  if (line_.open_spans.empty()) return;
  for (pugi::xml_node node = event; node; node = xml::next_element(node, event)) {
    const std::string_view id = id_of(node);
    if (!id.empty()) std::erase_if(line_.open_spans, [&](const TupletSpan& span) { return span.end == id; });
  }
}

Fraction LayerReader::span_ratio() const {
  Fraction ratio = 1;
  for (const TupletSpan& span : line_.open_spans) ratio *= span.ratio;
  return ratio;
}

}  // namespace rondo::mei
