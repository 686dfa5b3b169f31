// The writer of **kern: a spine for each voice, the lowest on the left; overlapping notes of a voice go into branches
// of its spine. Notes across a bar line or a change of signature are split and tied. See docs/formats/kern.md.

#include <algorithm>
#include <optional>
#include <tuple>

#include "formats/kern/layers.h"
#include "formats/kern/reference.h"
#include "formats/kern/tandem.h"
#include "formats/kern/token.h"
#include "formats/legacy_text.h"
#include "formats/note_values.h"
#include "formats/readers.h"
#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

using kern::Chord;
using kern::Layer;

/// A reciprocal of 256 is the shortest that other programs read; "000", eight whole notes, the longest.
const ValueRange kKernValues{256, 8};

Failure cannot(std::string message, std::string hint = {}) {
  return fail("cannot-write", std::move(message), {}, std::move(hint));
}

/// The order of lines at one time. Grace notes are numbered from kGrace on.
enum Rank : std::uint32_t { kBar, kClef, kKeySignature, kKey, kTime, kMensuration, kGrace, kNotes = UINT32_MAX };

/// A token and its position.
struct Cell {
  Fraction time;
  std::uint32_t rank = kNotes;
  std::size_t column = 0;
  std::string text;
};

/// A voice and its columns.
struct Part {
  const Voice* voice = nullptr;
  std::vector<Layer> layers;
  std::size_t column = 0;      ///< its first
  std::vector<Fraction> cuts;  ///< where notes must be split: bars, and changes within the voice
};

template <typename T>
void add_onsets(std::vector<Fraction>& times, const std::vector<Change<T>>& changes) {
  for (const auto& change : changes) times.push_back(change.onset);
}

void sort_unique(std::vector<Fraction>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

class Page {
 public:
  explicit Page(const std::vector<Voice>& voices) {
    for (const Voice& voice : voices) {
      length_ = std::max(length_, voice.length);
      bars_.insert(bars_.end(), voice.bars.begin(), voice.bars.end());
      guesses_ =
          guesses_ || std::any_of(voice.notes.begin(), voice.notes.end(), [](const Note& n) { return !n.spelled; });
    }
    sort_unique(bars_);
    bars_.erase(std::lower_bound(bars_.begin(), bars_.end(), length_), bars_.end());
    for (auto voice = voices.rbegin(); voice != voices.rend(); ++voice) {
      Part part;
      part.voice = &*voice;
      part.layers = kern::layers_of(*voice);
      part.column = columns_;
      part.cuts = bars_;
      add_onsets(part.cuts, voice->clefs);
      add_onsets(part.cuts, voice->key_signatures);
      add_onsets(part.cuts, voice->keys);
      add_onsets(part.cuts, voice->times);
      sort_unique(part.cuts);
      columns_ += part.layers.size();
      parts_.push_back(std::move(part));
    }
  }

  /// Why the piece cannot be written, or nullopt.
  [[nodiscard]] std::optional<std::string> obstacle() const {
    for (const Part& part : parts_) {
      if (part.layers.empty()) {
        return "more than " + std::to_string(kern::kMostLayers) + " notes overlap in one voice";
      }
      for (const Note& note : part.voice->notes) {
        if (!note.grace && note.duration.is_zero()) return "a note without a duration that is not a grace note";
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Result<std::string> write(const Piece& piece) {
    collect_cells();
    if (full_) return too_large();
    if (too_fine_) return cannot(kNotNotatable, kNotNotatableHint);
    std::stable_sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) {
      return std::tie(a.time, a.rank, a.column) < std::tie(b.time, b.rank, b.column);
    });
    out_ = kern::write_references(piece, guesses_);
    opening(piece.metadata.field("tempo"));
    for (std::size_t i = 0; i < cells_.size();) {
      const std::size_t begin = i;
      while (i < cells_.size() && cells_[i].time == cells_[begin].time && cells_[i].rank == cells_[begin].rank) ++i;
      row(begin, i);
      if (out_.size() > kMostBytes) return too_large();
    }
    closing();
    if (out_.size() > kMostBytes) return too_large();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostBytes = limits::kRecordBytes - 1;  // the limit of the reader

  static Failure too_large() {
    return cannot("the record would be too large to be read again", "write it as midi or json");
  }

  // ---- cells

  void add(Fraction time, std::uint32_t rank, std::size_t column, std::string text) {
    full_ = full_ || cells_.size() > kMostBytes / 2;
    if (!full_) cells_.push_back({time, rank, column, std::move(text)});
  }

  void collect_cells() {
    for (std::size_t i = 0; i < bars_.size(); ++i) {
      // The first bar begins without a line.
      const std::string token = "=" + std::to_string(i + 1) + (bars_[i].is_zero() ? "-" : "");
      for (std::size_t column = 0; column < columns_; ++column) add(bars_[i], kBar, column, token);
    }
    for (const Part& part : parts_) {
      const Voice& voice = *part.voice;
      changes(part, kClef, voice.clefs, kern::write_clef);
      changes(part, kKeySignature, voice.key_signatures, kern::write_key_signature);
      changes(part, kKey, voice.keys, kern::write_key);
      changes(part, kTime, voice.times, kern::write_time);
      changes(part, kMensuration, voice.times, kern::write_mensuration);
      for (std::size_t i = 0; i < part.layers.size(); ++i) layer(part, i);
    }
  }

  /// Changes after the beginning; those at the beginning come before the spines branch, see `opening`.
  template <typename T>
  void changes(const Part& part, Rank rank, const std::vector<Change<T>>& list, std::string (*text)(const T&)) {
    for (const auto& [onset, value] : list) {
      if (onset.is_zero() || onset >= length_) continue;
      for (std::size_t i = 0; i < part.layers.size(); ++i) add(onset, rank, part.column + i, text(value));
    }
  }

  /// A chord or rest between two cuts.
  struct Step {
    Fraction begin;
    Fraction end;
    const Chord* chord = nullptr;  ///< nullptr: a rest
  };

  void layer(const Part& part, std::size_t index) {
    const std::size_t column = part.column + index;
    std::vector<Step> steps;
    Fraction now;
    std::uint32_t graces = 0;
    const auto add_steps = [&](Fraction end, const Chord* chord) {
      auto cut = std::upper_bound(part.cuts.begin(), part.cuts.end(), now);
      for (; now < end; now = steps.back().end) {
        steps.push_back({now, cut != part.cuts.end() ? std::min(*cut++, end) : end, chord});
      }
    };
    for (const Chord& chord : part.layers[index]) {
      if (full_) return;
      if (chord.onset > now) graces = 0;
      add_steps(chord.onset, nullptr);
      if (chord.is_grace()) {
        add(chord.onset, kGrace + graces++, column, grace_token(*chord.notes.front()));
      } else {
        add_steps(chord.end, &chord);
        graces = 0;
      }
    }
    add_steps(length_, nullptr);
    write_steps(part, column, steps, index > 0);
  }

  static std::string grace_token(const Note& note) {
    const std::string duration = note.duration.is_zero() ? "" : kern::write_duration(note.duration);
    return duration + kern::write_pitch(note.pitch) + "q";
  }

  /// Measure by measure, so that tuplets are counted from the bar line.
  void write_steps(const Part& part, std::size_t column, const std::vector<Step>& steps, bool hidden) {
    std::vector<TimeSpan> spans;
    for (std::size_t i = 0; i < steps.size() && !full_ && !too_fine_;) {
      const auto next_bar = std::upper_bound(bars_.begin(), bars_.end(), steps[i].begin);
      spans.clear();
      const std::size_t first = i;
      for (; i < steps.size() && (next_bar == bars_.end() || steps[i].begin < *next_bar); ++i) {
        spans.push_back({steps[i].begin, steps[i].end});
      }
      const Fraction bar = next_bar == bars_.begin() ? Fraction(0) : *std::prev(next_bar);
      const auto rhythm = notate(spans, bar, beat_of(in_force(part.voice->times, bar)), kKernValues);
      too_fine_ = too_fine_ || !rhythm;
      if (!rhythm) return;
      Fraction now = steps[first].begin;
      for (const NoteValue& value : rhythm->values) {
        write_value(column, steps[first + value.span], now, value, *rhythm, hidden);
        now += value.time;
      }
    }
  }

  void write_value(std::size_t column, const Step& step, Fraction now, const NoteValue& value, const Rhythm& rhythm,
                   bool hidden) {
    Fraction base = value.base;
    if (value.tuplet != kNoTuplet) {
      base *= Fraction(rhythm.tuplets[value.tuplet].numbase, rhythm.tuplets[value.tuplet].num);
    }
    const std::string duration = kern::write_value(base, value.dots);
    if (step.chord == nullptr) return add(now, kNotes, column, duration + (hidden ? "ryy" : "r"));
    const bool first = now == step.chord->onset;
    const bool last = now + value.time == step.chord->end;
    std::string text;
    for (const Note* note : step.chord->notes) {
      if (!text.empty()) text += ' ';
      if (first && !last) text += '[';
      text += duration + kern::write_pitch(note->pitch);
      if (!note->spelled) text += kern::kGuessed;
      if (!first) text += last ? "]" : "_";
    }
    add(now, kNotes, column, std::move(text));
  }

  // ---- lines

  void line(std::size_t count, const std::string& text) {
    for (std::size_t i = 0; i < count; ++i) (out_ += i == 0 ? "" : "\t") += text;
    out_ += '\n';
  }

  /// A line of cells; the columns between them get null tokens.
  void row(std::size_t begin, std::size_t end) {
    const char* nothing = cells_[begin].rank >= kGrace ? "." : "*";
    std::size_t cell = begin;
    bool says = false;
    const std::size_t start = out_.size();
    for (std::size_t column = 0; column < columns_; ++column) {
      if (column != 0) out_ += '\t';
      const bool here = cell < end && cells_[cell].column == column;
      says = says || (here && cells_[cell].text != "*");
      out_ += here ? cells_[cell++].text : nothing;
    }
    out_ += '\n';
    if (!says) out_.resize(start);
  }

  /// One token for each part; the line is omitted if all are null.
  template <typename Say>
  void part_row(Say say) {
    std::string text;
    bool says = false;
    for (const Part& part : parts_) {
      std::string token = say(*part.voice);
      says = says || token != "*";
      if (!text.empty()) text += '\t';
      text += token;
    }
    if (says) out_ += text + "\n";
  }

  template <typename T>
  static std::string at_beginning(const std::vector<Change<T>>& list, std::string (*text)(const T&)) {
    return !list.empty() && list.front().onset.is_zero() ? text(list.front().value) : "*";
  }

  void opening(std::string_view tempo) {
    line(parts_.size(), "**kern");
    part_row([](const Voice& v) {
      const std::string name = to_utf8_line(v.name);
      return name.empty() ? std::string("*") : "*I\"" + name;
    });
    part_row([](const Voice& v) { return at_beginning(v.clefs, kern::write_clef); });
    part_row([](const Voice& v) { return at_beginning(v.key_signatures, kern::write_key_signature); });
    part_row([](const Voice& v) { return at_beginning(v.keys, kern::write_key); });
    part_row([](const Voice& v) { return at_beginning(v.times, kern::write_time); });
    part_row([](const Voice& v) { return at_beginning(v.times, kern::write_mensuration); });
    if (is_number(tempo)) part_row([&](const Voice&) { return "*MM" + std::string(tempo); });
    branch();
  }

  static bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
  }

  /// Splits the spines of voices with several layers, all at once, a branch at a time.
  void branch() {
    std::vector<std::size_t> branches(parts_.size(), 1);
    for (bool more = true; more;) {
      more = false;
      std::string text;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const bool split = branches[i] < parts_[i].layers.size();
        for (std::size_t b = 0; b < branches[i]; ++b) {
          if (!text.empty()) text += '\t';
          text += split && b + 1 == branches[i] ? "*^" : "*";
        }
        if (split) ++branches[i];
        more = more || split;
      }
      if (more) out_ += text + "\n";
    }
  }

  /// Joins the branches again, one voice at a time: adjacent voices that join on the same line would become one.
  void closing() {
    if (!bars_.empty()) line(columns_, "==");
    std::vector<std::size_t> branches;
    branches.reserve(parts_.size());
    for (const Part& part : parts_) branches.push_back(part.layers.size());
    for (std::size_t joining = 0; joining < parts_.size(); ++joining) {
      if (branches[joining] == 1) continue;
      std::string text;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        for (std::size_t b = 0; b < branches[i]; ++b) {
          if (!text.empty()) text += '\t';
          text += i == joining ? "*v" : "*";
        }
      }
      out_ += text + "\n";
      branches[joining] = 1;
    }
    line(parts_.size(), "*-");
  }

  std::vector<Part> parts_;
  std::vector<Fraction> bars_;
  Fraction length_;
  std::size_t columns_ = 0;
  std::vector<Cell> cells_;
  std::string out_;
  bool guesses_ = false;  ///< some spelling is a guess and must be marked
  bool full_ = false;
  bool too_fine_ = false;  ///< for the reader's limits
};

}  // namespace

Result<std::string> write_kern(const Piece& piece) {
  std::vector<Voice> voices = piece.voices;
  if (voices.empty()) return cannot("a piece without voices has no notes to write");
  if (voices.size() > limits::kVoicesPerPiece) return cannot("too many voices");
  for (Voice& voice : voices) {
    if (auto done = normalise(voice); !done) return cannot(done.error().message);
  }
  Page page(voices);
  if (const auto why = page.obstacle()) return cannot(*why, "write it as midi or json");
  return page.write(piece);
}

}  // namespace rondo
