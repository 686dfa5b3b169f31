#include "rondo/melody/builder.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo {
namespace {

/// The order of Voice::notes; equal elements (grace notes at one onset, unisons) keep their written order.
bool before(const Note& a, const Note& b) {
  if (a.onset != b.onset) return a.onset < b.onset;
  if (a.grace != b.grace) return a.grace;
  if (a.grace) return false;
  return a.pitch.midi() > b.pitch.midi();
}

/// A later value at the same onset replaces the earlier one; a value that changes nothing is dropped.
template <typename T>
void put(std::vector<Change<T>>& changes, Fraction onset, T value) {
  while (!changes.empty() && changes.back().onset >= onset) changes.pop_back();
  if (changes.empty() || !(changes.back().value == value)) changes.push_back({onset, std::move(value)});
}

}  // namespace

void VoiceBuilder::problem(std::string code, std::string message) {
  if (failed_) return;
  failed_ = true;
  error_ = Error{std::move(code), std::move(message), {}, {}};
}

bool VoiceBuilder::accept(Fraction time) {
  if (failed_) return false;
  if (limits::time_ok(time)) return true;
  problem("time-out-of-range", "a time of " + time.to_string() + " whole notes is beyond what a melody can hold");
  return false;
}

bool VoiceBuilder::note(Fraction onset, Fraction duration, Pitch pitch, bool tied, bool spelled) {
  if (!accept(onset) || !accept(duration) || !accept(onset + duration)) return false;
  if (!pitch.playable()) {
    problem("pitch-out-of-range", pitch.to_string() + " is outside the range of MIDI key numbers 0 to 127");
    return false;
  }
  lasts_until(onset + duration);
  if (tied) {
    // The tied note is near the end: only notes of the current onset and grace notes can follow it.
    for (auto it = voice_.notes.rbegin(); it != voice_.notes.rend() && it - voice_.notes.rbegin() < 128; ++it) {
      if (!it->grace && it->pitch.midi() == pitch.midi() && it->end() == onset) {
        it->duration += duration;
        return true;
      }
    }
  }
  if (voice_.notes.size() >= limits::kNotesPerVoice) {
    problem("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
    return false;
  }
  const Note added{onset, duration, pitch, false, spelled};
  if (!voice_.notes.empty() && before(added, voice_.notes.back())) sorted_ = false;
  voice_.notes.push_back(added);
  return !tied;
}

void VoiceBuilder::grace(Fraction onset, Fraction written, Pitch pitch) {
  if (!accept(onset) || !accept(written)) return;
  if (!pitch.playable()) {
    problem("pitch-out-of-range", pitch.to_string() + " is outside the range of MIDI key numbers 0 to 127");
    return;
  }
  if (voice_.notes.size() >= limits::kNotesPerVoice) {
    problem("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
    return;
  }
  const Note added{onset, written, pitch, true, true};
  if (!voice_.notes.empty() && before(added, voice_.notes.back())) sorted_ = false;
  voice_.notes.push_back(added);
  lasts_until(onset);
}

void VoiceBuilder::lasts_until(Fraction end) {
  if (accept(end) && end > voice_.length) voice_.length = end;
}

void VoiceBuilder::bar(Fraction onset) {
  if (!accept(onset)) return;
  if (!voice_.bars.empty() && voice_.bars.back() >= onset) return;
  if (voice_.bars.size() >= limits::kBarsPerVoice) {
    problem("too-many-bars", "more than " + std::to_string(limits::kBarsPerVoice) + " bars in one voice");
    return;
  }
  voice_.bars.push_back(onset);
}

void VoiceBuilder::clef(Fraction onset, Clef value) {
  if (accept(onset)) put(voice_.clefs, onset, value);
}
void VoiceBuilder::key_signature(Fraction onset, KeySignature value) {
  if (accept(onset)) put(voice_.key_signatures, onset, value);
}
void VoiceBuilder::key(Fraction onset, Key value) {
  if (accept(onset)) put(voice_.keys, onset, value);
}
void VoiceBuilder::time(Fraction onset, TimeSignature value) {
  if (accept(onset)) put(voice_.times, onset, std::move(value));
}

Result<Voice> VoiceBuilder::finish() {
  if (!sorted_) std::stable_sort(voice_.notes.begin(), voice_.notes.end(), before);
  Voice done = std::move(voice_);
  voice_.clear();
  sorted_ = true;
  if (failed_) {
    failed_ = false;
    return fail(std::move(error_));
  }
  return done;
}

Result<void> normalise(Voice& voice) {
  VoiceBuilder builder(voice.name);
  for (const Note& n : voice.notes) {
    if (n.grace) {
      builder.grace(n.onset, n.duration, n.pitch);
    } else {
      builder.note(n.onset, n.duration, n.pitch, false, n.spelled);
    }
  }
  builder.lasts_until(voice.length);
  for (const Fraction bar : voice.bars) builder.bar(bar);
  for (const auto& c : voice.clefs) builder.clef(c.onset, c.value);
  for (const auto& c : voice.key_signatures) builder.key_signature(c.onset, c.value);
  for (const auto& c : voice.keys) builder.key(c.onset, c.value);
  for (const auto& c : voice.times) builder.time(c.onset, c.value);
  auto done = builder.finish();
  if (!done) return fail(std::move(done.error()));
  voice = std::move(*done);
  return {};
}

}  // namespace rondo
