#include "formats/abc/script.h"

#include "melody/limits.h"

namespace rondo::abc {
namespace {

constexpr std::size_t kEvents = 2 * limits::kNotesPerVoice + limits::kBarsPerVoice;

}  // namespace

void Script::push(Event event) {
  if (events_.size() >= kEvents || notes_.size() > limits::kNotesPerVoice) overflowed_ = true;
  if (!overflowed_) events_.push_back(event);
}

void Script::timed() { empty_ = fresh_ = false; }

void Script::sound(Fraction advance, std::span<const ScriptNote> chord) {
  push({Event::Kind::sound, advance, static_cast<std::uint32_t>(notes_.size()),
        static_cast<std::uint32_t>(chord.size())});
  if (overflowed_) return;
  notes_.insert(notes_.end(), chord.begin(), chord.end());
  last_timed_ = last_sound_ = static_cast<std::uint32_t>(events_.size() - 1);
  timed();
}

void Script::grace(std::span<const ScriptNote> notes) {
  push({Event::Kind::grace, {}, static_cast<std::uint32_t>(notes_.size()), static_cast<std::uint32_t>(notes.size())});
  if (overflowed_) return;
  notes_.insert(notes_.end(), notes.begin(), notes.end());
  timed();
}

void Script::rest(Fraction duration) {
  push({Event::Kind::rest, duration, 0, 0});
  if (overflowed_) return;
  last_timed_ = static_cast<std::uint32_t>(events_.size() - 1);
  last_sound_ = kNone;
  timed();
}

void Script::signs(const Signs& signs) {
  // Several fields at one position are one change.
  const bool goes_on = events_.size() > stretches_.back().begin && events_.back().kind == Event::Kind::signs;
  if (goes_on) {
    signs_.back() = signs;
    return;
  }
  push({Event::Kind::signs, {}, static_cast<std::uint32_t>(signs_.size()), 0});
  if (!overflowed_) signs_.push_back(signs);
}

Stretch& Script::begin_stretch() {
  if (!fresh_) {
    Stretch next;
    next.begin = static_cast<std::uint32_t>(events_.size());
    next.signs = static_cast<std::uint32_t>(signs_.size());
    next.part = stretches_.back().part;
    stretches_.push_back(next);
    fresh_ = true;
  }
  return stretches_.back();
}

void Script::end_repeat(std::uint8_t plays) {
  // "[2 A ||" directly followed by ":|": the sign belongs to the music before it, not to the empty stretch.
  const bool nothing = fresh_ && stretches_.size() > 1 && stretches_.back().presumed;
  if (nothing && stretches_[stretches_.size() - 2].mark.ends == 0) stretches_.pop_back();
  stretches_.back().mark.ends = plays;
  repeat_open_ = false;
  fresh_ = false;
}

/// An ending for a later pass needs a first ending before it. If only the :| between them is missing, it is assumed; if
/// there is no first ending, the music is played on every pass rather than never.
bool Script::begin_ending(std::uint32_t endings) {
  const bool later = (endings & 1U) == 0;
  const std::size_t before = stretches_.size() - 1 - (fresh_ && stretches_.size() > 1 ? 1 : 0);
  RepeatMark& previous = stretches_[before].mark;
  bool proper = true;
  if (later && previous.ends == 0) {
    proper = false;
    if (previous.endings != 0) previous.ends = 2;
  }
  if (later && previous.endings == 0) {
    proper = false;
    endings = 0;
  }
  Stretch& next = begin_stretch();
  if (next.presumed && endings != 0) next.mark.starts = next.presumed = false;
  next.mark.endings = endings;
  return proper;
}

bool Script::bar(const BarSign& sign) {
  if (sign.line) {
    push({Event::Kind::bar, {}, 0, 0});
    has_bars_ = true;
    last_timed_ = kNone;
  }
  if (sign.ends != 0) end_repeat(sign.ends);
  // A double bar ends an ending and so a repeat. Elsewhere it has no effect: by the standard a later :| without |:
  // could go back to it, but in real tunes it only marks a phrase, and players go back to the last repeat.
  const bool closes_ending = sign.heavy && !fresh_ && stretches_.back().mark.endings != 0;
  if (sign.starts || sign.ends != 0 || closes_ending) {
    Stretch& next = begin_stretch();
    next.mark.endings = 0;
    if (sign.starts) {
      next.mark.starts = repeat_open_ = true;
      next.presumed = false;
    } else if (!next.mark.starts && !repeat_open_) {
      next.mark.starts = next.presumed = true;
    }
  }
  return sign.endings == 0 || begin_ending(sign.endings);
}

void Script::part(char label) {
  if (stretches_.back().part == label) return;
  Stretch& next = begin_stretch();
  next.part = label;
  if (next.mark.starts || repeat_open_) return;
  next.mark.endings = 0;
  next.mark.starts = next.presumed = true;
}

bool Script::scale_last(Fraction by) {
  if (last_timed_ == kNone) return false;
  Event& event = events_[last_timed_];
  event.duration *= by;
  for (std::uint32_t i = 0; i < event.count; ++i) notes_[event.first + i].duration *= by;
  return true;
}

bool Script::tie_last() {
  if (last_sound_ == kNone) return false;
  const Event& event = events_[last_sound_];
  for (std::uint32_t i = 0; i < event.count; ++i) notes_[event.first + i].ties = true;
  return true;
}

}  // namespace rondo::abc
