// Signs around or between notes: beams, tuplets, bar lines, shortcuts, changes.

#include <algorithm>
#include <bit>

#include "formats/pae/notation.h"
#include "formats/pae/signs.h"
#include "melody/limits.h"

namespace rondo::pae {
namespace {

/// Limit of the expansion of !...!ff, in characters read again.
constexpr std::size_t kMostWork = limits::kRecordBytes;

/// Parts of a tuplet whose group has no stated length take the time of this many plain ones: 3 of 2, 5 to 7 of 4;
/// 2 and 4 only occur against three.
Fraction usual_scale(unsigned parts) {
  if (parts <= 1) return 1;
  if (parts == 2 || parts == 4) return Fraction(3, parts);
  return Fraction(std::bit_floor(parts - 1), parts);
}

/// A number up to 6 digits at the front of `text` (more saturate), and how many digits it has.
struct Number {
  unsigned value = 0;
  std::size_t length = 0;
};
Number front_number(std::string_view text) {
  Number number;
  for (; number.length < text.size() && is_digit(text[number.length]); ++number.length) {
    number.value = std::min(999'999U, number.value * 10 + static_cast<unsigned>(text[number.length] - '0'));
  }
  return number;
}

}  // namespace

void Notation::on_beam() {
  if (s_.beams++ > 0) {
    warn("pae-beam-unbalanced", "a beam is opened inside a beam", s_.at, "close the beam before with }");
    s_.beams = 1;
  }
  ++s_.at;
}

void Notation::on_beam_end() {
  if (s_.beams == 0) {
    warn("pae-beam-unbalanced", "a beam is closed that was not opened", s_.at, "open it with {");
  } else {
    --s_.beams;
  }
  step_over_end();
}

/// A sign that closes a group or beam: a tie may follow it as it may follow the note.
void Notation::step_over_end() {
  const bool behind_note = s_.note_end == s_.at || s_.tie_place == s_.at;
  ++s_.at;
  if (behind_note) s_.tie_place = s_.at;
}

void Notation::on_group() {
  if (groups_.size() >= static_cast<std::size_t>(limits::kNesting)) {
    stop("pae-nesting", "more than " + std::to_string(limits::kNesting) + " parentheses inside one another", s_.at);
    return;
  }
  Group group;
  group.first_event = score_->events.size();
  group.position = s_.at;
  group.total = s_.value_stated ? pattern_.back() : Fraction::invalid();
  groups_.push_back(group);
  ++s_.at;
}

void Notation::on_group_end() {
  if (groups_.empty()) {
    warn("pae-group-unopened", "a parenthesis is closed that was not opened", s_.at);
  } else {
    close_group(false, 3);
  }
  step_over_end();
}

void Notation::on_group_number() {
  if (groups_.empty()) return on_unknown();
  const bool behind_note = s_.note_end == s_.at || s_.tie_place == s_.at;
  const std::size_t begin = s_.at++;
  const Number number = front_number(text_.substr(s_.at));
  s_.at += number.length;
  if (number.value == 0) warn("pae-tuplet-number", "the number of a tuplet is missing; 3 was assumed", begin);
  close_group(true, number.value == 0 ? 3 : number.value);
  if (peek() == ')') {
    ++s_.at;
    if (behind_note) s_.tie_place = s_.at;
  } else {
    warn("pae-group-unclosed", "a tuplet is not closed after its number", s_.at, "close it with )");
  }
}

void Notation::close_group(bool numbered, unsigned number) {
  const Group group = groups_.back();
  groups_.pop_back();
  if (!groups_.empty()) {
    groups_.back().items += group.items;
    groups_.back().value_inside |= group.value_inside;
  }
  if (group.items == 0 || (group.items == 1 && !numbered)) return;  // empty, or a fermata
  if (group.total.valid() && group.value_inside) {
    Fraction sum;
    for (std::size_t i = group.first_event; i < score_->events.size(); ++i) {
      if (score_->events[i].advances()) sum += score_->events[i].duration;
    }
    return scale_group(group, group.total / sum);
  }
  if (group.total.valid()) {
    warn("pae-tuplet-value-missing", "a tuplet without a value inside; the value before it was used for its notes",
         group.position, "write the length of the tuplet before ( and the value of its notes after it");
  } else if (number != 3 || version_ == PaeVersion::v2) {
    warn("pae-tuplet-total-missing", "a tuplet without its length; the usual one was assumed", group.position,
         "write the length of the whole tuplet before (");
  }
  scale_group(group, usual_scale(number));
}

void Notation::scale_group(const Group& group, Fraction scale) {
  bool inside = false;  // further notes of a chord that began before the parenthesis have its length
  for (std::size_t i = group.first_event; i < score_->events.size(); ++i) {
    Event& event = score_->events[i];
    inside |= event.advances();
    if (inside && event.kind != EventKind::grace) event.duration *= scale;
  }
  score_->odd_times = true;
}

/// "/" or "//", with ":" on the left where a repeat ends and on the right where one starts.
void Notation::on_bar() {
  const std::size_t begin = s_.at;
  std::size_t at = begin;
  const bool ends = text_[at] == ':';
  if (ends) ++at;
  const std::size_t slashes = at;
  while (at < text_.size() && at < slashes + 2 && text_[at] == '/') ++at;
  if (at == slashes) return on_unknown();
  const bool starts = at < text_.size() && text_[at] == ':';
  if (starts) ++at;

  drop_pending();
  if (s_.grace_group) close_grace_group("a bar line comes first");
  const bool empty = score_->events.size() == s_.measure_begin;
  if (empty && s_.bar_seen) {
    warn("pae-empty-bar", "a measure with nothing in it was left out", begin);
  }
  if (!empty) s_.last_measure = Range{s_.measure_begin, score_->events.size()};
  Event& bar = add(EventKind::bar);
  bar.repeat_ends = ends;
  bar.repeat_starts = starts;
  score_->has_bars = true;
  score_->has_repeats |= ends || starts;
  s_.bar_seen = true;
  s_.measure_begin = score_->events.size();
  reset_accidentals();
  s_.at = at;
}

void Notation::on_measure_rest() {
  const std::size_t begin = s_.at++;
  const Number number = front_number(text_.substr(s_.at));
  s_.at += number.length;
  const unsigned count = std::max(1U, number.value);
  if ((number.length == 0 && version_ == PaeVersion::v1 && !liberal_) || (number.length > 0 && number.value == 0)) {
    warn("pae-measure-rest-count", "measure rests without their number were read as one", begin, "write =1");
  }
  if (s_.measure.is_zero()) {
    warn("pae-measure-rest-no-time", "a measure rest without a time signature was read as a whole note", begin);
    s_.measure = Fraction(1);
  }
  drop_pending();
  if (s_.tie_pending) warn("pae-tie-dangling", "a tie leads into a rest and was left out", s_.tie_at);
  s_.tie_pending = false;
  begin_chord();
  Event& event = add(EventKind::measures);
  event.duration = s_.measure * count;
  event.value = count;
  if (!std::has_single_bit(static_cast<std::uint64_t>(s_.measure.den()))) score_->odd_times = true;
  score_->has_bars = true;
  s_.chord = s_.timed = Range{};
  s_.space_pending = false;
  count_item();
}

/// Repeats the sounding measure before.
void Notation::on_repeat_bar() {
  const bool alone = score_->events.size() == s_.measure_begin && s_.bar_seen;
  const char next = peek(1);
  const bool closed = next == '/' || next == ':' || next == '\0' || is_blank(next);
  if (!alone || !closed || s_.last_measure.empty()) {
    warn("pae-repeat-bar", "a repeat sign for a measure (i) that does not stand alone between bar lines was left out",
         s_.at);
    ++s_.at;
    return;
  }
  drop_pending();
  begin_chord();
  const Range from = s_.last_measure;
  const std::size_t shift = score_->events.size() - from.begin;
  std::size_t advanced = 0;
  for (std::size_t i = from.begin; i < from.end && !s_.stopped; ++i) {
    Event copy = score_->events[i];
    copy.position = static_cast<std::uint32_t>(s_.at);
    copy.after_space = false;
    if (copy.advances()) ++advanced;
    if (advanced == 1 && copy.kind == EventKind::note) {
      // A tie into the measure belongs to its first occurrence; a tie out of it may lead into the second.
      copy.explicit_accidental = true;
      copy.tied = tie_partner(copy) != nullptr;
      if (copy.tied) s_.tie_missed = false;
    }
    add(copy.kind) = copy;
    if (copy.advances()) count_item();
  }
  if (!s_.stopped && !s_.chord.empty() && s_.chord.begin >= from.begin && s_.chord.end <= from.end) {
    s_.chord = Range{s_.chord.begin + shift, s_.chord.end + shift};
    s_.tie_pending = score_->events[s_.chord.end - 1].tie_out;
    s_.tie_at = s_.at;
  }
  s_.timed = Range{};
  ++s_.at;
}

/// !figure!ff: the signs of the figure are read again once for each f, so that octave and value continue as if it had
/// been written out.
void Notation::on_figure() {
  const std::size_t sign = s_.at++;
  if (s_.figure_begin == kNowhere) {
    s_.figure_begin = s_.at;
    s_.figure_end = kNowhere;
    return;
  }
  if (s_.figure_end == kNowhere) {
    s_.figure_end = sign;
    const std::size_t stop = std::min(text_.find_first_not_of('f', s_.at), text_.size());
    s_.figure_left = stop - s_.at;
    if (s_.figure_left == 0) {
      warn("pae-figure-count", "a repeat figure without an f after it is played once", sign,
           "write one f per repetition");
    }
  }
  if (s_.figure_left > 0) {
    --s_.figure_left;
    s_.work += s_.figure_end - s_.figure_begin + 1;
    if (s_.work > kMostWork) return stop("pae-figure-too-long", "repeat figures make the notation too long", sign);
    s_.at = s_.figure_begin;
    return;
  }
  s_.at = std::min(text_.find_first_not_of('f', s_.at), text_.size());
  s_.figure_begin = s_.figure_end = kNowhere;
}

void Notation::end_change(std::size_t extent) {
  const std::size_t sign = s_.at;
  const bool leading = s_.items == 0 && !s_.bar_seen && s_.unknown == 0;
  if (leading && !liberal_ && (sign == 0 || sign == s_.change_end)) {
    warn("pae-header-in-data", "clef, key or time at the head of the notation replaces the one of the header", sign,
         "they belong in separate fields");
  }
  s_.at += 1 + extent;
  if (peek() == ' ') {
    ++s_.at;
  } else if (s_.at < text_.size() && std::string_view("%$@").find(peek()) == std::string_view::npos) {
    warn("pae-change-unspaced", "a change of clef, key or time is not ended by a space", s_.at);
  }
  s_.change_end = s_.at;
}

void Notation::on_clef_change() {
  const std::string_view rest = text_.substr(s_.at + 1);
  const std::size_t extent = clef_extent(rest);
  const auto clef = read_clef(rest.substr(0, extent));
  if (!clef) {
    warn("pae-clef-unknown", "a change to an unknown clef was left out", s_.at, "clefs look like G-2, C+1, F-4");
    end_change(std::min(rest.find_first_of(" /$@'{"), rest.size()));
    return;
  }
  add(EventKind::clef).value = static_cast<std::uint32_t>(score_->clefs.size());
  score_->clefs.push_back(*clef);
  s_.mensural = clef->kind != Clef::Kind::modern;
  end_change(extent);
}

void Notation::on_key_change() {
  const std::string_view rest = text_.substr(s_.at + 1);
  const std::size_t extent = key_signature_extent(rest);
  const auto key = read_key_signature(rest.substr(0, extent), s_.key);
  if (!key) {
    warn("pae-key-signature-unknown", "a change to an unknown key signature was left out", s_.at,
         "key signatures look like xFC or bBEA");
    return end_change(extent);
  }
  add(EventKind::key).value = static_cast<std::uint32_t>(score_->keys.size());
  score_->keys.push_back(*key);
  s_.key = *key;
  reset_accidentals();
  end_change(extent);
}

void Notation::on_time_change() {
  const std::string_view rest = text_.substr(s_.at + 1);
  const std::size_t extent = time_extent(rest);
  auto time = read_time(trimmed(rest.substr(0, extent)));
  if (!time) {
    warn("pae-time-unknown", "a change to an unknown time signature was left out", s_.at,
         "time signatures look like 3/4, c or c/");
    return end_change(extent);
  }
  s_.measure = time->bar();
  add(EventKind::time).value = static_cast<std::uint32_t>(score_->times.size());
  score_->times.push_back(std::move(*time));
  end_change(extent);
}

}  // namespace rondo::pae
