#include "formats/abc/voice_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "base/interrupt.h"
#include "formats/abc/layers.h"
#include "formats/abc/text.h"
#include "formats/accidental_scope.h"
#include "formats/note_values.h"
#include "melody/limits.h"

namespace rondo::abc {
namespace {

constexpr std::array<std::string_view, 9> kModeWords = {"", "m", "dor", "phr", "lyd", "mix", "aeo", "ion", "loc"};
constexpr int kMeasuresPerLine = 4;
/// The range that abc2midi and abcm2ps support.
const ValueRange kValues{128, 2};

std::string accidental(int alter) {
  if (alter == 0) return "=";
  return std::string(static_cast<std::size_t>(std::abs(alter)), alter > 0 ? '^' : '_');
}

std::string multiplier(Fraction times) {
  std::string out;
  if (times.num() != 1) out += std::to_string(times.num());
  if (times.den() != 1) out.append(1, '/').append(std::to_string(times.den()));
  return out;
}

/// The written duration within a tuplet: an eighth for a twelfth.
Fraction without_tuplet(Fraction duration) {
  const auto den = static_cast<std::uint64_t>(duration.den());
  const std::uint64_t odd = den >> static_cast<unsigned>(std::countr_zero(den));
  return duration * Fraction(static_cast<std::int64_t>(odd), static_cast<std::int64_t>(std::bit_floor(odd)));
}

template <typename T>
bool changes_at(const std::vector<Change<T>>& changes, Fraction onset) {
  return std::any_of(changes.begin(), changes.end(), [&](const Change<T>& change) { return change.onset == onset; });
}

template <typename T>
void collect_onsets(const std::vector<Change<T>>& changes, std::set<Fraction>& onsets) {
  for (const Change<T>& change : changes) onsets.insert(change.onset);
}

template <typename T>
std::optional<T> value_at(const std::vector<Change<T>>& changes, Fraction onset) {
  const T* value = in_force(changes, onset);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

/// A key is repeated only while the signature is that of the key.
Signs signs_at(const Voice& voice, Fraction onset) {
  Signs signs;
  const auto signature = value_at(voice.key_signatures, onset);
  signs.key = value_at(voice.keys, onset);
  if (signature) {
    signs.signature = *signature;
    if (signs.key && signs.key->signature() != *signature && !changes_at(voice.keys, onset)) signs.key.reset();
  } else if (signs.key) {
    signs.signature = signs.key->signature();
  }
  signs.time = value_at(voice.times, onset);
  signs.clef = value_at(voice.clefs, onset);
  return signs;
}

bool same_key(const Signs& a, const Signs& b) { return a.signature == b.signature && a.key == b.key; }

/// A note, chord or rest not crossed by a bar line or a change of signs.
struct Step {
  Fraction begin;
  Fraction end;
  const Item* item = nullptr;  ///< nullptr: a rest
  bool first = true;           ///< of its item
};

class MusicWriter {
 public:
  MusicWriter(const Voice& voice, const Signs& header, Fraction unit, KeyFields& keys)
      : voice_(voice), signs_(header), unit_(unit), keys_(keys) {
    accidentals_.key(signs_.signature.alter);
    collect_onsets(voice.key_signatures, changes_);
    collect_onsets(voice.keys, changes_);
    collect_onsets(voice.times, changes_);
    collect_onsets(voice.clefs, changes_);
    changes_.erase(Fraction(0));
  }

  Result<std::string> run() {
    announce(Fraction(0));
    Layers layers(voice_);
    std::vector<Fraction> bars = voice_.bars;
    if (!bars.empty() && bars.front().is_zero()) bars.erase(bars.begin());
    while (!bars.empty() && bars.back() >= voice_.length) bars.pop_back();
    Fraction begin = 0;
    for (std::size_t i = 0; i <= bars.size(); ++i) {
      if (interrupted_after(2)) break;
      const bool last = i == bars.size();
      const Fraction end = last ? std::max(begin, voice_.length) : bars[i];
      // Grace notes may follow the last note.
      measure(layers.measure(begin, last ? Fraction(2 * limits::kWholes) : end), begin, end);
      if (layers.overfull()) return fail("cannot-write", "more notes sound at once than ABC can be written for");
      if (!notatable_) return fail("cannot-write", kNotNotatable, {}, kNotNotatableHint);
      if (!voice_.bars.empty()) {
        end_group();
        out_ += last ? "|]" : "|";
        accidentals_.bar();
      }
      if (!last) out_ += (i + 1) % kMeasuresPerLine == 0 ? "\n" : " ";
      begin = end;
    }
    out_ += "\n";
    return std::move(out_);
  }

 private:
  void measure(const std::vector<Layer>& layers, Fraction begin, Fraction end) {
    announce(begin);
    measure_begin_ = begin;
    // The beats of an upbeat are counted from its end.
    if (begin.is_zero() && signs_.time && end < signs_.time->bar()) measure_begin_ = end - signs_.time->bar();
    if (layers.empty()) write_layer({}, begin, end, true);
    for (std::size_t i = 0; i < layers.size() && notatable_; ++i) {
      if (i > 0) {
        end_group();
        out_ += "& ";
        accidentals_.bar();
      }
      write_layer(layers[i], begin, end, i == 0);
    }
  }

  /// Notes and rests in sequence; the first layer is split where signs change, and filled with rests to its end.
  [[nodiscard]] std::vector<Step> steps_of(const Layer& layer, Fraction begin, Fraction end, bool first_layer) const {
    std::vector<Step> steps;
    Fraction now = begin;
    const auto add = [&](Fraction until, const Item* item) {
      bool first = true;
      while (now < until) {
        const auto change = changes_.upper_bound(now);
        const Fraction cut = first_layer && change != changes_.end() ? std::min(*change, until) : until;
        steps.push_back({now, cut, item, first});
        first = false;
        now = cut;
      }
    };
    for (const Item& item : layer) {
      add(item.onset, nullptr);
      if (item.notes.empty()) {
        steps.push_back({now, now, &item, true});  // grace notes before a rest
      } else {
        add(item.end, &item);
      }
    }
    if (first_layer) add(end, nullptr);
    return steps;
  }

  void write_layer(const Layer& layer, Fraction begin, Fraction end, bool first_layer) {
    const std::vector<Step> steps = steps_of(layer, begin, end, first_layer);
    std::vector<TimeSpan> spans;
    for (const Step& step : steps) {
      if (step.begin < step.end) spans.push_back({step.begin, step.end});
    }
    const auto rhythm = notate(spans, measure_begin_, beat(), kValues);
    if (!rhythm) {
      notatable_ = false;
      return;
    }
    std::size_t span = 0;
    std::size_t value = 0;
    for (const Step& step : steps) {
      if (first_layer) announce(step.begin);
      if (step.begin == step.end) {
        graces(step.item->graces);
        continue;
      }
      std::size_t last = value;
      while (last < rhythm->values.size() && rhythm->values[last].span == span) ++last;
      write_step(step, *rhythm, value, last, first_layer);
      value = last;
      ++span;
    }
    if (first_layer && end >= voice_.length) announce(end);
  }

  void write_step(const Step& step, const Rhythm& rhythm, std::size_t from, std::size_t until, bool first_layer) {
    Fraction now = step.begin;
    for (std::size_t i = from; i < until; ++i) {
      const NoteValue& value = rhythm.values[i];
      const bool in_tuplet = value.tuplet != kNoTuplet;
      if (in_tuplet && rhythm.tuplets[value.tuplet].first == i) open_tuplet(rhythm.tuplets[value.tuplet]);
      if (i == from && step.first && step.item != nullptr) graces(step.item->graces);
      if (step.item == nullptr) {
        out_ += first_layer ? 'z' : 'x';
      } else {
        chord(step.item->notes);
      }
      out_ += multiplier(value.written() / unit_);
      now += value.time;
      const bool goes_on = i + 1 < until || now < (step.item == nullptr ? step.end : step.item->end);
      if (step.item != nullptr && (goes_on || step.item->ties)) out_ += '-';
      const bool tuplet_goes_on =
          in_tuplet && i + 1 < rhythm.values.size() && rhythm.values[i + 1].tuplet == value.tuplet;
      const bool beamed = step.item != nullptr && value.base < Fraction(1, 4) && (tuplet_goes_on || !on_beat(now));
      if (!beamed) end_group();
    }
  }

  /// "(3" is three notes in the time of two; other tuplets depend on the metre unless all numbers are given.
  void open_tuplet(const Tuplet& tuplet) {
    out_ += '(';
    out_ += std::to_string(tuplet.num);
    if (tuplet.num == 3 && tuplet.numbase == 2 && tuplet.count == 3) return;
    out_.append(1, ':').append(std::to_string(tuplet.numbase));
    out_.append(1, ':').append(std::to_string(tuplet.count));
  }

  void end_group() {
    if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') out_ += ' ';
  }

  [[nodiscard]] Fraction beat() const { return beat_of(signs_.time ? &*signs_.time : nullptr); }

  /// Notes without a space between them are beamed, so a space is written at each beat.
  [[nodiscard]] bool on_beat(Fraction moment) const { return ((moment - measure_begin_) / beat()).den() == 1; }

  void graces(const std::vector<Note>& notes) {
    if (notes.empty()) return;
    out_ += '{';
    for (const Note& note : notes) {
      name(note.pitch, true);
      if (note.duration.is_zero()) continue;
      out_ += note.duration == unit_ ? "1" : multiplier(note.duration / unit_);
    }
    out_ += '}';
  }

  void chord(const std::vector<Sounding>& notes) {
    if (notes.size() > 1) out_ += '[';
    for (const Sounding& note : notes) name(note.pitch);
    if (notes.size() > 1) out_ += ']';
  }

  void name(const Pitch& pitch, bool grace = false) {
    const int octave = pitch.octave + (signs_.clef && signs_.clef->shape == 'g' ? 1 : 0);  // treble-8 sounds lower
    if (accidentals_.needed(pitch)) {
      out_ += accidental(pitch.alter);
      accidentals_.write(pitch, grace);
    }
    const char letter = letter_of_step(pitch.step);
    out_ += octave > 4 ? static_cast<char>(letter | 0x20) : letter;
    if (octave > 5) out_.append(static_cast<std::size_t>(octave - 5), '\'');
    if (octave < 4) out_.append(static_cast<std::size_t>(4 - octave), ',');
  }

  /// Writes the signs that have changed since the last call. At each change the reader discards the accidentals of the
  /// measure.
  void announce(Fraction moment) {
    const Signs now = signs_at(voice_, moment);
    const bool key = !same_key(now, signs_);
    const bool clef = now.clef && now.clef != signs_.clef && !clef_text(*now.clef).empty();
    if (key || clef) {
      out_ += "[K:";
      keys_.count(key && !is_named(now));
      if (key) out_ += key_text(now);
      if (clef) out_ += (key ? " clef=" : "clef=") + clef_text(*now.clef);
      out_ += "]";
    }
    const bool time = now.time && now.time != signs_.time;
    if (time) out_ += "[M:" + meter_text(*now.time) + "]";
    if (!key && !clef && !time) return;
    end_group();
    signs_.signature = now.signature;
    signs_.key = now.key;
    if (now.time) signs_.time = now.time;
    if (clef) signs_.clef = now.clef;
    accidentals_.key(signs_.signature.alter);
  }

  const Voice& voice_;
  Signs signs_;
  Fraction unit_;
  KeyFields& keys_;
  AccidentalScope accidentals_;
  std::set<Fraction> changes_;
  std::string out_;
  bool notatable_ = true;
  Fraction measure_begin_;
};

}  // namespace

Signs first_signs(const Voice& voice) { return signs_at(voice, Fraction(0)); }

bool is_named(const Signs& signs) { return signs.key && signs.key->alter >= -1 && signs.key->alter <= 1; }

std::string key_text(const Signs& signs) {
  // By fifths from seven flats to seven sharps.
  constexpr std::array<std::string_view, 15> kMajor = {"Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C",
                                                       "G",  "D",  "A",  "E",  "B",  "F#", "C#"};
  KeySignature implied;
  std::string out = "C exp";
  if (is_named(signs)) {
    implied = signs.key->signature();
    out = std::string(1, letter_of_step(signs.key->step));
    if (signs.key->alter != 0) out += signs.key->alter > 0 ? '#' : 'b';
    out += kModeWords[static_cast<std::size_t>(signs.key->mode)];
  } else if (const auto fifths = signs.signature.fifths()) {
    return std::string(kMajor[static_cast<std::size_t>(*fifths + 7)]);
  }
  for (int step = 0; step < 7; ++step) {
    const auto at = static_cast<std::size_t>(step);
    if (signs.signature.alter[at] == implied.alter[at]) continue;
    out += ' ';
    out += accidental(signs.signature.alter[at]);
    out += static_cast<char>(letter_of_step(step) | 0x20);
  }
  return out;
}

std::string meter_text(const TimeSignature& time) {
  if (time.symbol == "c") return "C";
  if (time.symbol == "c/") return "C|";
  if (time.beats == 0 || time.unit == 0) return "none";
  Oddities odd;
  if (!time.symbol.empty() && parse_meter(time.symbol, odd) == time && odd.empty()) return time.symbol;
  return std::to_string(time.beats) + "/" + std::to_string(time.unit);
}

std::string clef_text(const Clef& clef) {
  struct Base {
    char shape;
    std::string_view word;
    int line;
  };
  constexpr std::array kBases = {Base{'G', "treble", 2}, Base{'g', "treble", 2}, Base{'F', "bass", 4},
                                 Base{'C', "alto", 3},   Base{'C', "tenor", 4},  Base{'P', "perc", 3}};
  for (const bool exactly : {true, false}) {
    for (const Base& base : kBases) {
      if (base.shape != clef.shape || (exactly && base.line != clef.line)) continue;
      std::string out(base.word);
      if (base.line != clef.line) {
        if (clef.line < 1 || clef.line > 5) return {};
        out += std::to_string(clef.line);
      }
      return clef.shape == 'g' ? out + "-8" : out;
    }
  }
  return {};
}

Fraction choose_unit(const std::vector<Voice>& voices) {
  // The usual unit first, so that it is chosen unless another is shorter.
  const std::array units = {Fraction(1, 8), Fraction(1, 4), Fraction(1, 16), Fraction(1, 2), Fraction(1, 32)};
  Fraction best = units[0];
  std::size_t least = SIZE_MAX;
  for (const Fraction unit : units) {
    std::size_t size = 0;
    for (const Voice& voice : voices) {
      for (const Note& note : voice.notes) {
        if (!note.grace) size += multiplier(without_tuplet(note.duration) / unit).size();
      }
    }
    if (size < least) {
      least = size;
      best = unit;
    }
  }
  return best;
}

Result<std::string> write_music(const Voice& voice, const Signs& header, Fraction unit, KeyFields& keys) {
  return MusicWriter(voice, header, unit, keys).run();
}

}  // namespace rondo::abc
