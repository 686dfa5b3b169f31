// A sketch as notes of the model and as PAE text. Both come from the same events; a test reads the text back.

#include <algorithm>

#include "parts.h"

namespace rondo::generate {
namespace {

Fraction whole_notes(int ticks) { return {ticks, kTicks}; }

Pitch pitch_of(const Sketch& sketch, const KeySignature& signature, const Event& event) {
  const int diatonic = sketch.tonic + event.position;
  const int step = diatonic % 7;
  Pitch pitch;
  pitch.step = static_cast<std::int8_t>(step);
  pitch.octave = static_cast<std::int8_t>(diatonic / 7);
  pitch.alter = static_cast<std::int8_t>(at(signature.alter, step) + event.alter);
  return pitch;
}

Key key_of(const Sketch& sketch, const KeySignature& signature) {
  Key key;
  const int step = sketch.tonic % 7;
  key.step = static_cast<std::int8_t>(step);
  key.alter = at(signature.alter, step);
  key.mode = sketch.minor ? Mode::minor : Mode::major;
  return key;
}

/// Writes the notation. Values and octaves hold until they change; accidentals until the bar line.
class PaeWriter {
 public:
  PaeWriter(const Sketch& sketch, std::string& out)
      : sketch_(sketch), signature_(KeySignature::from_fifths(sketch.fifths)), out_(out), bar_(sketch.time().bar()) {}

  void run() {
    time_ = sketch_.pickup == 0 ? 0 : bar_ - sketch_.pickup;
    const auto events = sketch_.all();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (time_ == bar_) bar_line();
      if (beam_end_ == 0) open_beam(i);
      if (events[i].grace) {
        out_ += "q8";
        value_ = -1;
        pitch(events[i]);
      } else if (events[i].triplet != 0) {
        triplet(events[i]);
      } else {
        event(events[i]);
      }
      if (beam_end_ == i + 1) {
        if (events[i].triplet == 0) out_ += '}';
        beam_end_ = 0;
      }
    }
    if (time_ == bar_) out_ += '/';
  }

 private:
  /// Ticks of 1 2 4 8 16 ... without dots, and their digits.
  static constexpr std::array<std::pair<int, char>, 8> kValues = {
      {{384, '9'}, {192, '1'}, {96, '2'}, {48, '4'}, {24, '8'}, {12, '6'}, {6, '3'}, {3, '5'}}};

  void bar_line() {
    out_ += '/';
    time_ = 0;
    touched_ = {};
  }

  /// Short notes that fill a beat are beamed. Beams mean nothing for the melody, but catalogues have them.
  void open_beam(std::size_t from) {
    const int beat = sketch_.time().beat;
    if (time_ % beat != 0 || sketch_.events[from].triplet != 0) return;
    int sum = 0;
    std::size_t to = from;
    for (; to < sketch_.count && sum < beat; ++to) {
      const Event& event = sketch_.events[to];
      if (event.rest || event.grace || event.triplet != 0 || event.ticks >= kQuarter) return;
      sum += event.ticks;
    }
    if (sum != beat || to < from + 2) return;
    out_ += '{';
    beam_end_ = to;
  }

  void triplet(const Event& event) {
    if (event.triplet == 1) {
      value(3 * event.ticks);
      out_ += "({";
      value_ = -1;
    }
    value(event.ticks * 3 / 2);
    pitch(event);
    time_ += event.ticks;
    if (event.triplet == 3) {
      out_ += "};3)";
      value_ = -1;
    }
  }

  /// A note or rest, cut at bar lines and into values that exist; the pieces of a note are tied.
  void event(const Event& event) {
    int left = event.ticks;
    while (left > 0) {
      const int piece = largest_value(std::min(left, bar_ - time_));
      value(piece);
      if (event.rest) {
        out_ += '-';
      } else {
        pitch(event);
      }
      time_ += piece;
      left -= piece;
      if (left > 0 && !event.rest) out_ += '+';
      if (left > 0 && time_ == bar_) bar_line();
    }
  }

  static int largest_value(int ticks) {
    for (const auto& [plain, digit] : kValues) {
      if (plain % 2 == 0 && plain * 3 / 2 <= ticks) return plain * 3 / 2;
      if (plain <= ticks) return plain;
    }
    return ticks;
  }

  void value(int ticks) {
    if (ticks == value_) return;
    value_ = ticks;
    for (const auto& [plain, digit] : kValues) {
      if (plain != ticks && plain * 3 != ticks * 2) continue;
      out_ += digit;
      if (plain != ticks) out_ += '.';
      return;
    }
  }

  void pitch(const Event& event) {
    const Pitch pitch = pitch_of(sketch_, signature_, event);
    if (const int octave = (sketch_.tonic + event.position) / 7; octave != octave_) {
      octave_ = octave;
      const bool high = octave_ >= 4;
      out_.append(static_cast<std::size_t>(high ? octave_ - 3 : 4 - octave_), high ? '\'' : ',');
    }
    bool& touched = at(touched_, (sketch_.tonic + event.position) % 7);
    touched = touched || event.alter != 0;
    if (touched) {
      constexpr std::array<std::string_view, 5> kAccidentals = {"bb", "b", "n", "x", "xx"};
      out_ += at(kAccidentals, pitch.alter + 2);
    }
    out_ += letter_of_step(pitch.step);
  }

  const Sketch& sketch_;
  KeySignature signature_;
  std::string& out_;
  int bar_;
  int time_ = 0;  ///< since the last bar line
  int value_ = -1;
  int octave_ = -1;
  std::size_t beam_end_ = 0;
  std::array<bool, 7> touched_{};  ///< names that had an accidental in this bar: all further ones are written
};

/// As the catalogue writes a key: "Bb", "f#".
void add_key(std::string& out, const Key& key) {
  const char letter = letter_of_step(key.step);
  out += key.mode == Mode::minor ? static_cast<char>(letter | 0x20) : letter;
  if (key.alter != 0) out += key.alter < 0 ? 'b' : '#';
}

}  // namespace

Voice to_voice(const Sketch& sketch) {
  const KeySignature signature = KeySignature::from_fifths(sketch.fifths);
  const Metre& metre = sketch.time();
  Voice voice;
  voice.notes.reserve(sketch.count);
  int time = 0;
  for (const Event& event : sketch.all()) {
    if (!event.rest) {
      voice.notes.push_back(
          {whole_notes(time), whole_notes(event.ticks), pitch_of(sketch, signature, event), event.grace, true});
    }
    if (!event.grace) time += event.ticks;
  }
  voice.length = whole_notes(time);
  voice.bars.reserve(16);
  voice.bars.emplace_back(0);
  for (int bar = sketch.pickup == 0 ? metre.bar() : sketch.pickup; bar < time; bar += metre.bar()) {
    voice.bars.push_back(whole_notes(bar));
  }
  voice.clefs.push_back({0, sketch.clef});
  voice.key_signatures.push_back({0, signature});
  voice.keys.push_back({0, key_of(sketch, signature)});
  voice.times.push_back({0, TimeSignature{metre.beats, metre.unit, std::string(metre.symbol)}});
  return voice;
}

std::string to_pae_lines(const Sketch& sketch) {
  std::string out;
  out.reserve(64 + 5 * sketch.count);
  const KeySignature signature = KeySignature::from_fifths(sketch.fifths);
  out += "@clef:";
  out += {sketch.clef.shape, '-', static_cast<char>('0' + sketch.clef.line)};
  out += "\n@keysig:";
  out += signature.to_string();
  out += "\n@key:";
  add_key(out, key_of(sketch, signature));
  out += "\n@timesig:";
  out += sketch.time().pae;
  out += "\n@data:";
  PaeWriter(sketch, out).run();
  out += '\n';
  return out;
}

}  // namespace rondo::generate
