#include <bit>
#include <numeric>
#include <optional>

#include "melody/limits.h"
#include "melody/packed.h"
#include "melody/packed_layout.h"
#include "melody/varint.h"

namespace rondo {
namespace {

using namespace packed;

std::string ordinal(std::string_view what, std::size_t index) {
  return std::string(what) + " " + std::to_string(index + 1);
}

/// Checks every time of a voice and finds their common denominator.
class TimeSurvey {
 public:
  [[nodiscard]] bool admit(Fraction time) {
    if (!limits::time_ok(time)) return false;
    if (ticks_ != 0 && ticks_ % time.den() != 0) {
      // Both are at most kDenominator, so the product fits; beyond it there is no common tick (0).
      ticks_ = std::lcm(ticks_, time.den());
      if (ticks_ > limits::kDenominator) ticks_ = 0;
    }
    return true;
  }
  [[nodiscard]] std::int64_t ticks() const { return ticks_; }

 private:
  std::int64_t ticks_ = 1;
};

Result<void> survey_notes(const Voice& voice, TimeSurvey& times) {
  if (voice.notes.size() > limits::kNotesPerVoice) {
    return fail("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
  }
  Fraction before;
  for (std::size_t i = 0; i < voice.notes.size(); ++i) {
    const Note& note = voice.notes[i];
    if (!times.admit(note.onset) || !times.admit(note.duration) || !limits::time_ok(note.end())) {
      return fail("time-out-of-range", ordinal("note", i) + " lies beyond what a melody can hold");
    }
    if (note.onset < before) return fail("voice-not-in-order", ordinal("note", i) + " begins before the one before it");
    if (note.pitch.step < 0 || note.pitch.step > 6 || !note.pitch.playable()) {
      return fail("pitch-out-of-range", ordinal("note", i) + " is outside the range of MIDI key numbers 0 to 127");
    }
    before = note.onset;
  }
  return {};
}

template <typename T>
Fraction onset_of(const Change<T>& change) {
  return change.onset;
}
Fraction onset_of(Fraction bar) { return bar; }

// Whether the layout can represent a value; only a voice not made by VoiceBuilder can have others.
bool sayable(Fraction /*bar*/) { return true; }
bool sayable(const Change<Clef>& clef) { return clef.value.kind <= Clef::Kind::neume; }
bool sayable(const Change<KeySignature>& /*key*/) { return true; }
bool sayable(const Change<Key>& key) {
  return key.value.step >= 0 && key.value.step <= 6 && static_cast<int>(key.value.mode) < kModes;
}
bool sayable(const Change<TimeSignature>& time) { return time.value.symbol.size() <= limits::kRecordBytes; }

template <typename T>
Result<void> survey_list(const std::vector<T>& list, std::string_view what, TimeSurvey& times) {
  if (list.size() > kMaxChanges) {
    return fail("too-many-signatures", "more than " + std::to_string(kMaxChanges) + " times a " + std::string(what));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!times.admit(onset_of(list[i]))) {
      return fail("time-out-of-range", ordinal(what, i) + " lies beyond what a melody can hold");
    }
    if (i > 0 && onset_of(list[i]) <= onset_of(list[i - 1])) {
      return fail("voice-not-in-order", ordinal(what, i) + " does not lie after the one before it");
    }
    if (!sayable(list[i])) return fail("signature-unknown", ordinal(what, i) + " is none that Rondo knows");
  }
  return {};
}

Result<TimeSurvey> survey(const Voice& voice) {
  TimeSurvey times;
  if (!times.admit(voice.length)) return fail("time-out-of-range", "the voice is longer than a melody can be");
  if (voice.name.size() > limits::kRecordBytes) return fail("name-too-long", "the name of the voice is too long");
  auto done = survey_notes(voice, times);
  if (done) done = survey_list(voice.bars, "bar", times);
  if (done) done = survey_list(voice.clefs, "clef", times);
  if (done) done = survey_list(voice.key_signatures, "key signature", times);
  if (done) done = survey_list(voice.keys, "key", times);
  if (done) done = survey_list(voice.times, "time signature", times);
  if (!done) return fail(std::move(done.error()));
  return times;
}

class Packer {
 public:
  Packer(const Voice& voice, std::int64_t ticks, std::string& out) : voice_(voice), ticks_(ticks), out_(out) {}

  void run() {
    const Fraction end = last_end();
    out_.byte(kPackedVersion);
    out_.byte((voice_.name.empty() ? 0U : kHasName) | (ticks_ == 0 ? kFractions : 0U) |
              (voice_.bars.empty() ? 0U : kHasBars) | (voice_.length == end ? 0U : kHasLength));
    out_.byte(arrangement(voice_.clefs) | arrangement(voice_.key_signatures) << 2 | arrangement(voice_.keys) << 4 |
              arrangement(voice_.times) << 6);
    if (!voice_.name.empty()) out_.text(voice_.name);
    if (ticks_ != 0) out_.number(static_cast<std::uint64_t>(ticks_));
    changes(voice_.clefs);
    changes(voice_.key_signatures);
    changes(voice_.keys);
    changes(voice_.times);
    if (!voice_.bars.empty()) bars();
    notes();
    if (!(voice_.length == end)) time(voice_.length, 0);
  }

 private:
  [[nodiscard]] Fraction last_end() const {
    Fraction end;
    for (const Note& note : voice_.notes) end = std::max(end, note.end());
    return end;
  }

  template <typename T>
  static unsigned arrangement(const std::vector<Change<T>>& list) {
    if (list.empty()) return kNoSignature;
    return list.size() == 1 && list.front().onset.is_zero() ? kOneSignature : kManySignatures;
  }

  [[nodiscard]] std::int64_t in_ticks(Fraction time) const { return time.num() * (ticks_ / time.den()); }

  void time(Fraction time, Fraction since) {
    if (ticks_ != 0) return out_.number(static_cast<std::uint64_t>(in_ticks(time) - in_ticks(since)));
    out_.number(static_cast<std::uint64_t>(time.num()));
    out_.number(static_cast<std::uint64_t>(time.den()));
  }

  template <typename T>
  void changes(const std::vector<Change<T>>& list) {
    const unsigned kind = arrangement(list);
    if (kind == kNoSignature) return;
    if (kind == kOneSignature) return value(list.front().value);
    out_.number(list.size());
    Fraction before;
    for (const Change<T>& change : list) {
      time(change.onset, before);
      value(change.value);
      before = change.onset;
    }
  }

  void value(const Clef& clef) {
    const std::size_t found = kClefShapes.find(clef.shape);
    const unsigned shape = found == std::string_view::npos ? kOther : static_cast<unsigned>(found);
    const unsigned line =
        clef.line >= 0 && clef.line < static_cast<int>(kOther) ? static_cast<unsigned>(clef.line) : kOther;
    out_.byte(shape | line << 3 | static_cast<unsigned>(clef.kind) << 6);
    if (shape == kOther) out_.byte(static_cast<unsigned char>(clef.shape));
    if (line == kOther) out_.byte(static_cast<std::uint8_t>(clef.line));
  }

  void value(const KeySignature& key) {
    if (const std::optional<int> fifths = key.fifths()) return out_.byte(static_cast<unsigned>(*fifths + 7));
    out_.byte(kOtherSignature);
    for (const std::int8_t alter : key.alter) out_.byte(static_cast<std::uint8_t>(alter));
  }

  void value(const Key& key) {
    out_.byte(static_cast<unsigned>(key.step) | static_cast<unsigned>(key.mode) << 3);
    out_.byte(static_cast<std::uint8_t>(key.alter));
  }

  void value(const TimeSignature& time) {
    const bool usual = time.beats < 16 && std::has_single_bit(time.unit) && time.unit <= 64;
    const unsigned unit = usual ? static_cast<unsigned>(std::countr_zero(time.unit)) : kOther;
    out_.byte((usual ? time.beats : 0U) | unit << 4 | (time.symbol.empty() ? 0U : 0x80U));
    if (!usual) {
      out_.number(time.beats);
      out_.number(time.unit);
    }
    if (!time.symbol.empty()) out_.text(time.symbol);
  }

  void bars() {
    const std::vector<Fraction>& bars = voice_.bars;
    out_.number(bars.size());
    time(bars.front(), 0);
    if (ticks_ == 0) {
      for (std::size_t i = 1; i < bars.size(); ++i) time(bars[i], 0);
      return;
    }
    const auto distance = [&](std::size_t i) { return in_ticks(bars[i]) - in_ticks(bars[i - 1]); };
    for (std::size_t i = 1; i < bars.size();) {
      std::size_t end = i + 1;
      while (end < bars.size() && distance(end) == distance(i)) ++end;
      out_.number(static_cast<std::uint64_t>(distance(i)));
      out_.number(end - i);
      i = end;
    }
  }

  void notes() {
    out_.number(voice_.notes.size());
    PitchContext context(voice_);
    std::int64_t end = 0;
    for (const Note& note : voice_.notes) {
      const unsigned flags = (note.grace ? kGrace : 0U) | (note.spelled ? kSpelled : 0U);
      const unsigned pitch = short_pitch(note.pitch, context);
      if (ticks_ == 0) {
        out_.byte(pitch << 4 | kEscape);
        time(note.onset, 0);
        out_.byte(flags);
        time(note.duration, 0);
      } else {
        const std::int64_t onset = in_ticks(note.onset);
        const Shape shape{onset - end, in_ticks(note.duration), flags};
        const unsigned known = find(shape);
        out_.byte(pitch << 4 | known);
        if (known == kEscape) add(shape);
        end = note.grace ? onset : onset + shape.duration;
      }
      if (pitch == kEscape) long_pitch(note.pitch, context);
      context.heard(note.pitch);
    }
  }

  [[nodiscard]] unsigned find(const Shape& shape) const {
    for (unsigned i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i] == shape) return i;
    }
    return kEscape;
  }

  void add(const Shape& shape) {
    out_.number(zigzag(shape.gap));
    out_.number(static_cast<std::uint64_t>(shape.duration) << 2 | shape.flags);
    shapes_.add(shape);
  }

  static unsigned short_pitch(Pitch pitch, const PitchContext& context) {
    const int steps = pitch.diatonic() - context.position();
    if (steps < -kShortSteps || steps > kShortSteps || pitch.alter != context.alter(pitch.step)) return kEscape;
    return static_cast<unsigned>(steps + kShortSteps);
  }

  void long_pitch(Pitch pitch, const PitchContext& context) {
    const int steps = pitch.diatonic() - context.position();
    const bool far = steps < -kLongSteps || steps > kLongSteps;
    const bool odd = pitch.alter < -Pitch::kMaxAlter || pitch.alter > Pitch::kMaxAlter;
    out_.byte((odd ? kOther : static_cast<unsigned>(pitch.alter + Pitch::kMaxAlter)) |
              (far ? kFarAway : static_cast<unsigned>(steps + kLongSteps)) << 3);
    if (odd) out_.byte(static_cast<std::uint8_t>(pitch.alter));
    if (far) out_.number(zigzag(pitch.diatonic()));
  }

  const Voice& voice_;
  std::int64_t ticks_;  ///< of a whole note; 0: times are fractions
  ByteWriter out_;
  Ring<Shape> shapes_;
};

}  // namespace

Result<void> pack(const Voice& voice, std::string& out) {
  auto times = survey(voice);
  if (!times) return fail(std::move(times.error()));
  Packer(voice, times->ticks(), out).run();
  return {};
}

}  // namespace rondo
