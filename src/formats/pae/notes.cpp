// Notes and what belongs to a single one: octave, value, accidental, chord, tie, ornament.

#include <algorithm>

#include "formats/pae/notation.h"
#include "formats/pae/signs.h"
#include "melody/limits.h"

namespace rondo::pae {
namespace {

constexpr std::size_t kMostDots = 4;
constexpr std::size_t kMostChordNotes = 64;  // also the bits of State::tie_claimed

/// By figure and number of dots.
constexpr std::array<std::array<Fraction, kMostDots + 1>, 10> kValues = [] {
  constexpr std::array<Fraction, 10> kPlain = {Fraction(4),    Fraction(1),     Fraction(1, 2),  Fraction(1, 32),
                                               Fraction(1, 4), Fraction(1, 64), Fraction(1, 16), Fraction(1, 128),
                                               Fraction(1, 8), Fraction(2)};
  std::array<std::array<Fraction, kMostDots + 1>, 10> values{};
  for (std::size_t figure = 0; figure < 10; ++figure) {
    Fraction dot = kPlain[figure];
    for (std::size_t dots = 0; dots <= kMostDots; ++dots) {
      values[figure][dots] = dots == 0 ? dot : values[figure][dots - 1] + dot;
      dot = dot / 2;
    }
  }
  return values;
}();

}  // namespace

void Notation::on_octave() {
  const char mark = text_[s_.at];
  int count = 0;
  while (peek() == mark) {
    ++count;
    ++s_.at;
  }
  count = std::min(count, 12);  // far out of range; the note reports it
  s_.octave = mark == '\'' ? 3 + count : 4 - count;
}

void Notation::on_duration() {
  const std::size_t begin = s_.at;
  const auto figure = static_cast<std::size_t>(text_[s_.at++] - '0');
  std::size_t dots = 0;
  while (peek() == '.') {
    ++dots;
    ++s_.at;
  }
  if (dots > kMostDots) {
    warn("pae-too-many-dots", "more than four dots; four were counted", begin);
    dots = kMostDots;
  }
  // Version 1 writes notes without rhythm, those of chant, as "7."; like the neumes of version 2 they count as
  // quarters.
  const bool neume = version_ == PaeVersion::v1 && figure == 7 && dots == 1;
  const bool continues = s_.value_end == begin && s_.value_stated;
  if (!continues) pattern_.clear();
  pattern_.push_back(neume ? kValues[4][0] : kValues[figure][dots]);
  s_.pattern_step = 0;
  s_.value_stated = true;
  s_.value_end = s_.at;
  if (!groups_.empty()) groups_.back().value_inside = true;
}

void Notation::on_accidental() {
  const std::size_t begin = s_.at;
  const char sign = text_[s_.at];
  int count = 0;
  while (peek() == sign) {
    ++count;
    ++s_.at;
  }
  if (count > (sign == 'n' ? 1 : 2)) {
    warn("pae-accidental-odd", std::string("the accidental ") + sign + " is repeated too often", begin);
    count = std::min(count, Pitch::kMaxAlter);
  }
  s_.accidental_pending = true;
  s_.accidental = static_cast<std::int8_t>(sign == 'x' ? count : sign == 'b' ? -count : 0);
  s_.accidental_at = begin;
}

void Notation::drop_pending() {
  if (s_.accidental_pending) {
    warn("pae-accidental-dangling", "an accidental without a note was left out", s_.accidental_at);
  }
  s_.accidental_pending = false;
  s_.grace = Grace::none;
  s_.joins = false;
}

Fraction Notation::next_value() {
  const Fraction value = pattern_[s_.pattern_step];
  if (++s_.pattern_step == pattern_.size()) s_.pattern_step = 0;
  s_.value_stated = false;
  return value;
}

Fraction Notation::grace_value() {
  if (s_.grace == Grace::acciaccatura) {
    const bool own_value = s_.value_stated && s_.value_end > s_.grace_at;
    return own_value ? next_value() : Fraction(0);
  }
  if (s_.grace == Grace::appoggiatura && !s_.value_stated && !liberal_) {
    warn("pae-grace-duration", "an appoggiatura (q) without its own value; the last value was used", s_.at,
         "write the value: q8A");
  }
  return next_value();
}

bool Notation::ends_with_note() const {
  const auto& events = score_->events;
  return !events.empty() && (events.back().kind == EventKind::note || events.back().kind == EventKind::grace);
}

void Notation::count_item() {
  ++s_.items;
  if (!groups_.empty()) ++groups_.back().items;
}

/// A new note or chord begins: ties before it may continue in it.
void Notation::begin_chord() {
  if (s_.tie_missed && !s_.mensural) {
    // In mensural music the sign also joins different pitches: a ligature, which has no effect here.
    warn("pae-tie-mismatch", "a tie between different pitches was left out", s_.tie_at,
         "a tie joins equal pitches only");
  }
  s_.tie_missed = s_.tie_pending;
  s_.tie_from = s_.tie_pending ? s_.chord : Range{};
  s_.tie_all = s_.tie_pending && score_->events[s_.chord.end - 1].tie_out;
  s_.tie_claimed = 0;
  s_.tie_pending = false;
}

const Event* Notation::tie_partner(const Event& event) {
  for (std::size_t i = s_.tie_from.begin; i < s_.tie_from.end; ++i) {
    const Event& before = score_->events[i];
    const std::uint64_t bit = std::uint64_t{1} << (i - s_.tie_from.begin);
    const bool claimed = (s_.tie_claimed & bit) != 0;
    if (claimed || (!s_.tie_all && !before.tie_out)) continue;
    if (before.pitch.step != event.pitch.step || before.pitch.octave != event.pitch.octave) continue;
    if (event.explicit_accidental && before.pitch.alter != event.pitch.alter) continue;
    s_.tie_claimed |= bit;
    return &before;
  }
  return nullptr;
}

const Event* Notation::space_partner(const Event& event) const {
  for (std::size_t i = s_.chord.begin; i < s_.chord.end; ++i) {
    const Event& before = score_->events[i];
    if (before.pitch.step == event.pitch.step && before.pitch.octave == event.pitch.octave) return &before;
  }
  return nullptr;
}

/// Accidentals apply to the name, in every octave, up to the bar line; a tied note keeps its own beyond it.
void Notation::resolve_pitch(Event& event, unsigned step, bool member) {
  event.pitch.step = static_cast<std::int8_t>(step);
  event.pitch.octave = static_cast<std::int8_t>(s_.octave);
  event.explicit_accidental = s_.accidental_pending;
  if (s_.accidental_pending) {
    s_.alter[step] = s_.accidental;
    s_.accidental_pending = false;
  }
  event.pitch.alter = s_.alter[step];
  if (event.kind == EventKind::note) {
    if (!s_.tie_from.empty()) {
      if (const Event* partner = tie_partner(event)) {
        event.pitch.alter = partner->pitch.alter;
        event.tied = true;
        s_.tie_missed = false;
      }
    } else if (s_.space_pending && !member) {
      if (const Event* partner = space_partner(event)) {
        event.after_space = true;
        event.value = static_cast<std::uint32_t>(partner - score_->events.data());
        ++s_.lost_ties;
      }
    }
    s_.space_pending = false;
  }
  if (!event.pitch.playable()) {
    stop("pae-octave-range", event.pitch.to_string() + " is outside what can be played", s_.at,
         "octaves go from ,,,, to ''''''");
  }
}

void Notation::on_name() {
  const auto step = static_cast<unsigned>(text_[s_.at] - 'A' + 5) % 7;  // C is 0
  auto& events = score_->events;
  const bool member = (s_.joins || (s_.in_chord && s_.chord_open)) && ends_with_note();
  const bool ornament = member ? events.back().kind == EventKind::grace : s_.grace != Grace::none || s_.grace_group;
  Fraction duration;
  if (member) {
    duration = events.back().duration;
  } else if (ornament) {
    duration = grace_value();
    ++s_.ornaments;
  } else {
    begin_chord();
    duration = next_value();
    count_item();
  }
  const std::size_t index = events.size();
  if (member && !ornament && index - s_.chord.begin >= kMostChordNotes) {
    return stop("pae-chord-too-large", "a chord of more than " + std::to_string(kMostChordNotes) + " notes", s_.at);
  }
  Event& event = add(ornament ? EventKind::grace : EventKind::note);
  event.duration = duration;
  event.chord = member;
  resolve_pitch(event, step, member);
  if (!ornament) {
    s_.chord = Range{member ? s_.chord.begin : index, index + 1};
    s_.timed = s_.chord;
    s_.late_dots = 0;
  }
  s_.grace = Grace::none;
  s_.joins = false;
  s_.chord_open = s_.in_chord;
  s_.note_end = ++s_.at;
}

void Notation::on_rest() {
  drop_pending();
  if (s_.tie_pending) warn("pae-tie-dangling", "a tie leads into a rest and was left out", s_.tie_at);
  s_.tie_pending = false;
  begin_chord();
  const std::size_t index = score_->events.size();
  const Fraction duration = next_value();
  add(EventKind::rest).duration = duration;
  s_.chord = Range{};
  s_.timed = Range{index, index + 1};
  s_.late_dots = 0;
  s_.space_pending = false;
  count_item();
  s_.note_end = ++s_.at;
}

/// A dot after the name instead of after the value lengthens only that note.
void Notation::on_dot() {
  if (s_.note_end != s_.at || s_.timed.empty() || s_.late_dots == static_cast<int>(kMostDots)) return on_unknown();
  if (s_.late_dots == 0) {
    warn("pae-dot-after-name", "a dot behind a note was read as lengthening it", s_.at,
         "write the dot after the value: 4.A");
  }
  // Dots make a value v into v(2 - 2^-dots).
  const int power = 1 << s_.late_dots;
  const Fraction before(2 * power - 1, power);
  const Fraction after(4 * power - 1, 2 * power);
  for (std::size_t i = s_.timed.begin; i < s_.timed.end; ++i) score_->events[i].duration *= after / before;
  ++s_.late_dots;
  s_.note_end = ++s_.at;
}

void Notation::on_trill() {
  if (s_.note_end != s_.at) return on_unknown();
  s_.note_end = ++s_.at;
}

void Notation::on_fermata() {
  expect_version(PaeVersion::v2, "the fermata p");
  if (s_.note_end == s_.at) s_.note_end = s_.at + 1;
  ++s_.at;  // follows a note, or precedes a chord
}

void Notation::on_ligature() {
  if (s_.note_end != s_.at) return on_unknown();
  expect_version(PaeVersion::v2, "the ligature sign u");
  s_.note_end = ++s_.at;
}

void Notation::on_tie() {
  expect_version(PaeVersion::v1, "the tie sign +");
  const bool behind_note = s_.note_end == s_.at || s_.tie_place == s_.at;
  if (behind_note && !s_.chord.empty() && score_->events.size() == s_.chord.end) {
    score_->events[s_.chord.end - 1].tie_out = true;
    s_.tie_pending = true;
    s_.tie_at = s_.at;
    s_.note_end = s_.at + 1;
  } else {
    warn("pae-tie-dangling", "a tie that follows no note was left out", s_.at);
  }
  ++s_.at;
}

/// Version 2: the sign is the tie and the note (or chord) it leads to.
void Notation::on_tied_note() {
  expect_version(PaeVersion::v2, "the tied note _");
  if (s_.chord.empty()) {
    warn("pae-tie-dangling", "a tied note that follows no note was read as a rest", s_.at);
    return on_rest();
  }
  drop_pending();
  s_.tie_pending = false;
  begin_chord();
  const Range from = s_.chord;
  const Fraction duration = next_value();
  const std::size_t index = score_->events.size();
  for (std::size_t i = from.begin; i < from.end; ++i) {
    const Pitch pitch = score_->events[i].pitch;
    Event& event = add(EventKind::note);
    event.duration = duration;
    event.pitch = pitch;
    event.chord = i > from.begin;
    event.tied = true;
  }
  s_.chord = s_.timed = Range{index, score_->events.size()};
  s_.late_dots = 0;
  s_.space_pending = false;
  count_item();
  s_.note_end = ++s_.at;
}

/// Version 1 puts ^ between the notes of a chord, version 2 puts ^ and > around them: a > before the next ^ tells.
void Notation::on_chord() {
  const std::size_t next = text_.find_first_of("^>", s_.at + 1);
  if (next != std::string_view::npos && text_[next] == '>') {
    expect_version(PaeVersion::v2, "the chord ^...>");
    s_.in_chord = true;
    s_.chord_open = false;
  } else if (ends_with_note()) {
    expect_version(PaeVersion::v1, "the chord with ^ between its notes");
    s_.joins = true;
  } else {
    warn("pae-chord-dangling", "a chord sign that follows no note was left out", s_.at);
  }
  ++s_.at;
}

void Notation::on_chord_end() {
  if (!s_.in_chord) return on_unknown();
  s_.in_chord = false;
  s_.note_end = ++s_.at;
}

void Notation::on_acciaccatura() {
  s_.grace = Grace::acciaccatura;
  s_.grace_at = s_.at++;
}

void Notation::on_appoggiatura() {
  if (peek(1) == 'q') {
    expect_version(PaeVersion::v1, "the group qq...r");
    ++s_.at;
    return on_grace_group();
  }
  s_.grace = Grace::appoggiatura;
  ++s_.at;
}

void Notation::on_grace_group() {
  if (text_[s_.at] == 'y') expect_version(PaeVersion::v2, "the group y...r");
  if (s_.grace_group) close_grace_group("another one begins");
  s_.grace_group = true;
  s_.grace_group_at = s_.at;
  s_.grace = Grace::none;
  s_.outer_beams = s_.beams;
  s_.beams = 0;
  ++s_.at;
}

void Notation::on_grace_group_end() {
  if (!s_.grace_group) return on_unknown();
  if (s_.beams != 0) warn("pae-beam-unbalanced", "a beam is open at the end of a group of ornaments", s_.at);
  s_.beams = s_.outer_beams;
  s_.grace_group = false;
  ++s_.at;
}

void Notation::close_grace_group(std::string_view why) {
  warn("pae-grace-unclosed", "a group of ornaments has no end: " + std::string(why), s_.grace_group_at,
       "close the group with r");
  s_.beams = s_.outer_beams;
  s_.grace_group = false;
}

}  // namespace rondo::pae
