#include "formats/pae/perform.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::pae {
namespace {

/// As in VoiceBuilder: a later value at the same onset replaces the earlier one; a value that changes nothing is
/// dropped.
template <typename T>
void put(std::vector<Change<T>>& changes, Fraction onset, const T& value) {
  while (!changes.empty() && changes.back().onset >= onset) changes.pop_back();
  if (changes.empty() || !(changes.back().value == value)) changes.push_back({onset, value});
}

}  // namespace

Result<void> Performer::perform(const Score& score, bool expand_repeats, Voice& voice) {
  score_ = &score;
  voice_ = &voice;
  now_ = chord_onset_ = Fraction();
  bar_pending_ = score.has_bars;
  stopped_ = false;
  chord_begin_ = 0;
  sounding_.clear();
  next_sounding_.clear();
  if (score.has_repeats && expand_repeats) {
    if (auto done = play_in_order(); !done) return done;
  } else {
    play(0, score.events.size());
  }
  if (stopped_) return fail(std::move(error_));
  voice.length = now_;
  // "/" alone: a measure with nothing in it, but a measure.
  if (score.has_bars && voice.bars.empty()) voice.bars.emplace_back(0);
  return check();
}

void Performer::split() {
  stretches_.assign(1, Stretch{});
  marks_.assign(1, RepeatMark{});
  Stretch in_force;
  const auto& events = score_->events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    switch (event.kind) {
      case EventKind::clef: in_force.clef = event.value; break;
      case EventKind::key: in_force.key = event.value; break;
      case EventKind::time: in_force.time = event.value; break;
      default: break;
    }
    if (event.kind != EventKind::bar || (!event.repeat_ends && !event.repeat_starts)) continue;
    stretches_.back().end = i + 1;
    if (event.repeat_ends) marks_.back().ends = 2;
    in_force.begin = i + 1;
    stretches_.push_back(in_force);
    marks_.push_back(RepeatMark{event.repeat_starts, 0, 0});
  }
  stretches_.back().end = events.size();
}

Result<void> Performer::play_in_order() {
  split();
  auto order = play_order(marks_);
  if (!order) return fail(std::move(order.error()));
  std::size_t expected = 0;
  for (const std::uint32_t index : *order) {
    const Stretch& stretch = stretches_[index];
    if (index != expected) jump_to(stretch);
    play(stretch.begin, stretch.end);
    if (stopped_) break;
    expected = index + 1;
  }
  return {};
}

/// Jumps to an earlier stretch: restores its clef, key and time, and discards open ties.
void Performer::jump_to(const Stretch& stretch) {
  if (stretch.clef != kNone) put(voice_->clefs, now_, score_->clefs[stretch.clef]);
  if (stretch.key != kNone) put(voice_->key_signatures, now_, score_->keys[stretch.key]);
  if (stretch.time != kNone) put(voice_->times, now_, score_->times[stretch.time]);
  sounding_.clear();
  next_sounding_.clear();
}

void Performer::play(std::size_t begin, std::size_t end) {
  const auto& events = score_->events;
  for (std::size_t i = begin; i < end && !stopped_; ++i) {
    const Event& event = events[i];
    switch (event.kind) {
      case EventKind::note: add_note(event); break;
      case EventKind::grace: add_grace(event); break;
      case EventKind::rest: add_rest(event); break;
      case EventKind::measures: add_measures(event); break;
      case EventKind::bar: bar_pending_ = true; break;
      default: add_change(event); break;
    }
  }
}

/// A measure begins with its first note or rest, so that a bar line at the end begins none.
void Performer::begin_measure() {
  if (!bar_pending_) return;
  bar_pending_ = false;
  add_bar(now_);
}

void Performer::add_bar(Fraction onset) {
  auto& bars = voice_->bars;
  if (!bars.empty() && bars.back() >= onset) return;
  if (bars.size() >= limits::kBarsPerVoice) {
    return stop("too-many-bars", "more than " + std::to_string(limits::kBarsPerVoice) + " bars in one voice");
  }
  bars.push_back(onset);
}

void Performer::add_note(const Event& event) {
  if (!event.chord) {
    begin_measure();
    sounding_.swap(next_sounding_);
    next_sounding_.clear();
    chord_begin_ = voice_->notes.size();
    chord_onset_ = now_;
    now_ += event.duration;
  }
  if (event.tied && continue_tie(event)) return;
  if (!room_for_note()) return;
  insert_by_height(Note{chord_onset_, event.duration, event.pitch, false, true});
}

bool Performer::continue_tie(const Event& event) {
  const auto it = std::find_if(sounding_.begin(), sounding_.end(),
                               [&](std::uint32_t index) { return voice_->notes[index].pitch == event.pitch; });
  if (it == sounding_.end()) return false;
  voice_->notes[*it].duration += event.duration;
  next_sounding_.push_back(*it);
  sounding_.erase(it);
  return true;
}

/// The order of Voice::notes: at one onset the highest first, equals as written.
void Performer::insert_by_height(const Note& note) {
  auto& notes = voice_->notes;
  std::size_t place = notes.size();
  while (place > chord_begin_ && notes[place - 1].pitch.midi() < note.pitch.midi()) --place;
  notes.push_back(note);
  if (place + 1 < notes.size()) {
    std::rotate(notes.begin() + static_cast<std::ptrdiff_t>(place), notes.end() - 1, notes.end());
    for (std::uint32_t& index : next_sounding_) {
      if (index >= place) ++index;
    }
  }
  next_sounding_.push_back(static_cast<std::uint32_t>(place));
}

void Performer::add_grace(const Event& event) {
  if (room_for_note()) voice_->notes.push_back(Note{now_, event.duration, event.pitch, true, true});
}

void Performer::add_rest(const Event& event) {
  begin_measure();
  sounding_.clear();
  next_sounding_.clear();
  now_ += event.duration;
}

void Performer::add_measures(const Event& event) {
  begin_measure();
  sounding_.clear();
  next_sounding_.clear();
  const Fraction measure = event.duration / event.value;
  for (std::uint32_t i = 0; i < event.value && !stopped_; ++i) {
    add_bar(now_);
    now_ += measure;
  }
}

void Performer::add_change(const Event& event) {
  if (event.kind == EventKind::clef) put(voice_->clefs, now_, score_->clefs[event.value]);
  if (event.kind == EventKind::key) put(voice_->key_signatures, now_, score_->keys[event.value]);
  if (event.kind == EventKind::time) put(voice_->times, now_, score_->times[event.value]);
}

bool Performer::room_for_note() {
  if (voice_->notes.size() < limits::kNotesPerVoice) return true;
  stop("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
  return false;
}

void Performer::stop(std::string code, std::string message) {
  if (stopped_) return;
  stopped_ = true;
  error_ = Error{std::move(code), std::move(message), {}, {}};
}

/// Plain and dotted values stay within the limits if their sum does; tuplets may not.
Result<void> Performer::check() const {
  const auto changes_fit = [](const auto& changes) {
    return std::all_of(changes.begin(), changes.end(), [](const auto& c) { return limits::time_ok(c.onset); });
  };
  bool fine = limits::time_ok(voice_->length);
  if (fine && score_->odd_times) {
    fine = std::all_of(voice_->notes.begin(), voice_->notes.end(), [](const Note& note) {
      return limits::time_ok(note.onset) && limits::time_ok(note.duration) && limits::time_ok(note.end());
    });
    fine = fine && std::all_of(voice_->bars.begin(), voice_->bars.end(), limits::time_ok) &&
           changes_fit(voice_->clefs) && changes_fit(voice_->key_signatures) && changes_fit(voice_->times);
  }
  if (fine) return {};
  return fail("time-out-of-range", "the times of this incipit are beyond what a melody can hold");
}

}  // namespace rondo::pae
