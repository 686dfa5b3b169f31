// The writer of EsAC: one melody, no chords and no grace notes, in degrees of the major scale over its tonic.

#include <algorithm>

#include "formats/esac/melody.h"
#include "formats/esac/metadata.h"
#include "formats/note_values.h"
#include "formats/readers.h"

namespace rondo {
namespace esac {
namespace {

constexpr std::size_t kBarsPerLine = 4;
const ValueRange kEsacValues{256, 4};

Pitch tonic_of_voice(const Voice& voice) {
  Pitch tonic;
  if (!voice.keys.empty()) {
    tonic.step = voice.keys.front().value.step;
    tonic.alter = voice.keys.front().value.alter;
    return tonic;
  }
  const int fifths = voice.key_signatures.empty() ? 0 : voice.key_signatures.front().value.fifths().value_or(0);
  // Four steps up for each fifth; then its accidentals.
  tonic.step = static_cast<std::int8_t>((fifths * 4 % 7 + 7) % 7);
  tonic.alter = KeySignature::from_fifths(fifths).alter[static_cast<std::size_t>(tonic.step)];
  return tonic;
}

struct Written {
  std::vector<NoteValue> values;
  std::vector<Tuplet> tuplets;
  std::vector<const Note*> notes;  ///< by span; nullptr is a rest
};

class EsacWriter {
 public:
  EsacWriter(const Voice& voice, const Pitch& tonic) : voice_(voice), tonic_(tonic) {}

  /// false: some time has no note value, or is in a tuplet that is no triplet.
  [[nodiscard]] bool plan() {
    std::vector<Fraction> bars = voice_.bars;
    std::erase_if(bars, [&](Fraction bar) { return bar >= voice_.length; });
    if (bars.empty() || !bars.front().is_zero()) bars.insert(bars.begin(), Fraction(0));
    bars.push_back(voice_.length);
    auto note = voice_.notes.begin();
    for (std::size_t i = 0; i + 1 < bars.size(); ++i) {
      if (!plan_measure(bars[i], bars[i + 1], note)) return false;
    }
    bars_ = std::move(bars);
    return true;
  }

  [[nodiscard]] std::int64_t unit() const { return unit_; }

  [[nodiscard]] std::string melody() {
    std::string out;
    std::size_t in_line = 0;
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      if (i > 0) {
        const TimeSignature* time = in_force(voice_.times, bars_[i - 1]);
        const bool full = time != nullptr && time->bar() == bars_[i] - bars_[i - 1];
        const bool break_here = full && ++in_line >= kBarsPerLine;
        out += break_here ? "\n    " : "  ";
        if (break_here) in_line = 0;
      }
      measure(measures_[i], out);
    }
    return out;
  }

 private:
  [[nodiscard]] bool plan_measure(Fraction begin, Fraction end, std::vector<Note>::const_iterator& note) {
    Written measure;
    std::vector<TimeSpan> spans;
    Fraction now = begin;
    const auto add = [&](Fraction until, const Note* what) {
      if (until <= now) return;
      spans.push_back({now, until});
      measure.notes.push_back(what);
      now = until;
    };
    for (; note != voice_.notes.end() && note->onset < end; ++note) {
      add(note->onset, nullptr);
      add(std::min(note->end(), end), &*note);
      if (note->end() > end) break;  // continues in the next measure
    }
    add(end, nullptr);
    auto rhythm = notate(spans, begin, beat_of(in_force(voice_.times, begin)), kEsacValues);
    if (!rhythm) return false;
    for (const Tuplet& tuplet : rhythm->tuplets) {
      if (tuplet.num * 2 != tuplet.numbase * 3) return false;
    }
    for (const NoteValue& value : rhythm->values) unit_ = std::max(unit_, value.base.den());
    measure.values = std::move(rhythm->values);
    measure.tuplets = std::move(rhythm->tuplets);
    measures_.push_back(std::move(measure));
    return true;
  }

  void measure(const Written& measure, std::string& out) {
    for (std::size_t i = 0; i < measure.values.size(); ++i) {
      const NoteValue& value = measure.values[i];
      const Tuplet* tuplet = value.tuplet == kNoTuplet ? nullptr : &measure.tuplets[value.tuplet];
      if (tuplet != nullptr && tuplet->first == i) out += '(';
      const Note* note = measure.notes[value.span];
      if (note == nullptr) {
        out += '0';
      } else if (note == last_) {
        out += '^';
      } else {
        degree(degree_of(tonic_, note->pitch), out);
      }
      last_ = note;
      for (Fraction base = value.base; base > Fraction(1, unit_); base = base * Fraction(1, 2)) out += '_';
      out.append(static_cast<std::size_t>(value.dots), '.');
      if (tuplet != nullptr && tuplet->first + tuplet->count == i + 1) out += ')';
    }
  }

  static void degree(const Degree& degree, std::string& out) {
    out.append(static_cast<std::size_t>(std::abs(degree.octave)), degree.octave < 0 ? '-' : '+');
    out += static_cast<char>('0' + degree.degree);
    out.append(static_cast<std::size_t>(std::abs(degree.alter)), degree.alter < 0 ? 'b' : '#');
  }

  const Voice& voice_;
  Pitch tonic_;
  std::vector<Fraction> bars_;
  std::vector<Written> measures_;
  std::int64_t unit_ = 1;
  const Note* last_ = nullptr;
};

std::string metres_of(const Voice& voice) {
  std::string out;
  std::vector<TimeSignature> written;
  for (const auto& [onset, time] : voice.times) {
    const bool known = std::any_of(written.begin(), written.end(), [&](const TimeSignature& one) {
      return one.beats == time.beats && (one.unit == time.unit || one.beats == 0);
    });
    if (known) continue;
    written.push_back(time);
    out += " " + (time.beats == 0 ? "FREI" : std::to_string(time.beats) + "/" + std::to_string(time.unit));
  }
  return out.empty() ? " FREI" : out;
}

std::string tonic_name(const Pitch& tonic) {
  std::string name(1, letter_of_step(tonic.step));
  if (tonic.alter != 0) name += tonic.alter < 0 ? 'b' : '#';
  return name;
}

}  // namespace
}  // namespace esac

Result<std::string> write_esac(const Piece& piece) {
  const auto cannot = [&](const char* message, const char* hint = "") {
    return fail("cannot-write", message, Place{{}, piece.id, {}, 0, 0}, hint);
  };
  if (piece.voices.size() != 1) return cannot("EsAC holds one melody, not several voices", "--voices melody finds it");
  const Voice& voice = piece.voices.front();
  if (std::any_of(voice.notes.begin(), voice.notes.end(), [](const Note& note) { return note.grace; })) {
    return cannot("EsAC has no grace notes", "ABC, kern, PAE, MEI and MusicXML have them");
  }
  const auto untimed = [](const Note& note) { return note.duration.is_zero(); };
  if (!is_monophonic(voice) || std::any_of(voice.notes.begin(), voice.notes.end(), untimed)) {
    return cannot("EsAC has no chords and no notes without a duration", "MEI and kern hold them");
  }
  const Pitch tonic = esac::tonic_of_voice(voice);
  esac::EsacWriter writer(voice, tonic);
  if (tonic.alter < -1 || tonic.alter > 1 || !writer.plan()) return cannot(kNotNotatable, kNotNotatableHint);
  const esac::WrittenFields fields = esac::write_fields(piece);
  std::string out = fields.before;
  out += "KEY[" + fields.number + " " + std::to_string(writer.unit()) + " " + esac::tonic_name(tonic) +
         esac::metres_of(voice) + "]\n";
  out += "MEL[" + writer.melody() + " //]\n";
  return out + fields.behind;
}

}  // namespace rondo
