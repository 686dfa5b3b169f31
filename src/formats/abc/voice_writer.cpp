#include "formats/abc/voice_writer.h"

#include <algorithm>
#include <array>
#include <set>

#include "formats/abc/layers.h"
#include "formats/abc/text.h"
#include "rondo/melody/limits.h"

namespace rondo::abc {
namespace {

constexpr std::array<std::string_view, 9> kModeWords = {"", "m", "dor", "phr", "lyd", "mix", "aeo", "ion", "loc"};
constexpr int kMeasuresPerLine = 4;

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

/// A key is only repeated while the signature is still its own.
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

class MusicWriter {
 public:
  MusicWriter(const Voice& voice, const Signs& header, Fraction unit) : voice_(voice), signs_(header), unit_(unit) {
    accidentals_.key(signs_.signature);
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
      const bool last = i == bars.size();
      const Fraction end = last ? std::max(begin, voice_.length) : bars[i];
      // Grace notes may stand at the very end, behind the last note.
      measure(layers.measure(begin, last ? Fraction(2 * limits::kWholes) : end), begin, end);
      if (layers.overfull()) return fail("cannot-write", "more notes sound at once than ABC can be written for");
      if (!voice_.bars.empty()) {
        end_group();
        out_ += last ? "|]" : "|";
        accidentals_.clear();
      }
      if (!last) out_ += (i + 1) % kMeasuresPerLine == 0 ? "\n" : " ";
      begin = end;
    }
    out_ += "\n";
    if (!failure_.empty()) return fail("cannot-write", failure_);
    return std::move(out_);
  }

 private:
  void measure(const std::vector<Layer>& layers, Fraction begin, Fraction end) {
    now_ = begin;
    measure_begin_ = begin;
    // The beats of an upbeat are counted from its end.
    if (begin.is_zero() && signs_.time && end < signs_.time->bar()) measure_begin_ = end - signs_.time->bar();
    if (layers.empty()) {
      rest_until(end, "z");
      announce_until(end);
      return;
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const bool first = i == 0;
      if (!first) {
        end_group();
        out_ += "& ";
        accidentals_.clear();
        now_ = begin;
      }
      first_layer_ = first;
      for (const Item& item : layers[i]) {
        rest_until(item.onset, first ? "z" : "x");
        write(item);
      }
      if (first) rest_until(end, "z");
      first_layer_ = true;
    }
  }

  /// The next moment in (now, end) at which a sign changes: what lasts is cut there, in the first layer.
  [[nodiscard]] Fraction next_cut(Fraction end) const {
    const auto change = changes_.upper_bound(now_);
    return first_layer_ && change != changes_.end() && *change < end ? *change : end;
  }

  void announce_until(Fraction moment) {
    if (first_layer_) announce(moment);
  }

  void rest_until(Fraction end, std::string_view sign) {
    while (now_ < end) {
      announce_until(now_);
      const Fraction cut = next_cut(end);
      out_ += sign;
      length(cut - now_);
      now_ = cut;
      end_group();
    }
  }

  void write(const Item& item) {
    announce_until(item.onset);
    graces(item.graces);
    while (!item.notes.empty() && now_ < item.end) {
      announce_until(now_);
      const Fraction cut = next_cut(item.end);
      chord(item.notes);
      length(cut - now_);
      if (item.ties || cut < item.end) out_ += '-';
      const bool beamed = cut - now_ < Fraction(1, 4) && !on_beat(cut);
      now_ = cut;
      if (!beamed) end_group();
    }
  }

  void end_group() {
    if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') out_ += ' ';
  }

  /// Notes without a space between them are beamed: so there is one at each beat.
  [[nodiscard]] bool on_beat(Fraction moment) const {
    Fraction beat(1, 4);
    if (signs_.time && signs_.time->unit > 0) beat = Fraction(is_compound(signs_.time) ? 3 : 1, signs_.time->unit);
    return ((moment - measure_begin_) / beat).den() == 1;
  }

  void graces(const std::vector<Note>& notes) {
    if (notes.empty()) return;
    out_ += '{';
    for (const Note& note : notes) {
      name(note.pitch);
      if (note.duration.is_zero()) continue;
      if (note.duration == unit_) out_ += '1';
      length(note.duration);
    }
    out_ += '}';
  }

  void chord(const std::vector<Sounding>& notes) {
    if (notes.size() > 1) out_ += '[';
    for (const Sounding& note : notes) name(note.pitch);
    if (notes.size() > 1) out_ += ']';
  }

  void name(const Pitch& pitch) {
    const int octave = pitch.octave + (signs_.clef && signs_.clef->shape == 'g' ? 1 : 0);  // treble-8 sounds lower
    if (accidentals_.alter(pitch.step, octave) != pitch.alter) {
      out_ += accidental(pitch.alter);
      accidentals_.write(pitch.step, octave, pitch.alter);
    }
    const char letter = letter_of_step(pitch.step);
    out_ += octave > 4 ? static_cast<char>(letter | 0x20) : letter;
    if (octave > 5) out_.append(static_cast<std::size_t>(octave - 5), '\'');
    if (octave < 4) out_.append(static_cast<std::size_t>(4 - octave), ',');
  }

  void length(Fraction duration) {
    if (duration.is_zero() || !limits::time_ok(duration)) {
      failure_ = "a bar line or change would cut a note into lengths that cannot be told";
    }
    out_ += multiplier(duration / unit_);
  }

  /// Writes what has changed since the last announcement. The reader forgets the accidentals of the measure at each.
  void announce(Fraction moment) {
    const Signs now = signs_at(voice_, moment);
    const bool key = !same_key(now, signs_);
    const bool clef = now.clef && now.clef != signs_.clef && !clef_text(*now.clef).empty();
    if (key || clef) {
      out_ += "[K:";
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
    accidentals_.key(signs_.signature);
  }

  const Voice& voice_;
  Signs signs_;
  Fraction unit_;
  Accidentals accidentals_;
  std::set<Fraction> changes_;
  std::string out_;
  std::string failure_;
  Fraction now_;
  Fraction measure_begin_;
  bool first_layer_ = true;
};

}  // namespace

Signs first_signs(const Voice& voice) { return signs_at(voice, Fraction(0)); }

std::string key_text(const Signs& signs) {
  const auto fits = [](const Key& key) { return key.alter >= -1 && key.alter <= 1; };
  KeySignature implied;
  std::string out = "C exp";
  if (signs.key && fits(*signs.key)) {
    implied = signs.key->signature();
    out = std::string(1, letter_of_step(signs.key->step));
    if (signs.key->alter != 0) out += signs.key->alter > 0 ? '#' : 'b';
    out += kModeWords[static_cast<std::size_t>(signs.key->mode)];
  } else if (signs.signature == KeySignature{}) {
    return "none";
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
  // The usual one first: it wins where others are no shorter.
  const std::array units = {Fraction(1, 8), Fraction(1, 4), Fraction(1, 16), Fraction(1, 2), Fraction(1, 32)};
  Fraction best = units[0];
  std::size_t least = SIZE_MAX;
  for (const Fraction unit : units) {
    std::size_t size = 0;
    for (const Voice& voice : voices) {
      for (const Note& note : voice.notes) size += note.grace ? 0 : multiplier(note.duration / unit).size();
    }
    if (size < least) {
      least = size;
      best = unit;
    }
  }
  return best;
}

Result<std::string> write_music(const Voice& voice, const Signs& header, Fraction unit) {
  return MusicWriter(voice, header, unit).run();
}

}  // namespace rondo::abc
