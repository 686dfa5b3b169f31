#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "formats/accidental_scope.h"
#include "formats/pae.h"
#include "formats/pae/rhythm.h"
#include "formats/pae/signs.h"

namespace rondo {
namespace {

using pae::Segment;
using pae::Symbol;

// ---- signs

/// Empty for a clef that PAE does not have.
std::string clef_text(const Clef& clef, PaeVersion version) {
  std::string text = clef.to_string();
  if (!pae::read_clef(text) || clef.line > 5) return {};
  if (clef.kind == Clef::Kind::mensural && version == PaeVersion::v2) text[1] = '*';
  return text;
}

std::string key_signature_text(const KeySignature& key) {
  std::string text = key.to_string();
  if (text.empty()) text = 'n';
  return text;
}

/// The symbol if it agrees with beats and unit, else these.
std::string time_text(const TimeSignature& time, bool alternate_with_bar) {
  std::string text = time.symbol;
  const auto again = pae::read_time(text);
  if (!again || !(*again == time)) text = TimeSignature{time.beats, time.unit, {}}.to_string();
  if (alternate_with_bar) std::replace(text.begin(), text.end(), ' ', '|');
  return text;
}

/// Major and minor in the catalogues' short form.
std::string key_text(const Key& key) {
  std::string full = key.to_string();
  std::string name = full.substr(0, full.find(' '));
  if (key.mode == Mode::major) return name;
  if (key.mode != Mode::minor) return full;
  name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

template <typename T>
const T* at_beginning(const std::vector<Change<T>>& changes) {
  return !changes.empty() && changes.front().onset.is_zero() ? &changes.front().value : nullptr;
}

// ---- segments

Failure overlap(const Note& note) {
  return fail("cannot-write", "the note at " + note.onset.to_string() +
                                  " whole notes overlaps another, and only notes of equal length can share a chord");
}

/// Notes and rests one after the other, as they sound.
Result<std::vector<Segment>> sounding_segments(const Voice& voice) {
  std::vector<Segment> segments;
  Fraction at;
  const auto rest_until = [&](Fraction end) {
    if (end > at) segments.push_back(Segment{at, end, 0, 0, false, 0});
  };
  const auto& notes = voice.notes;
  for (std::size_t i = 0; i < notes.size();) {
    if (notes[i].grace) {
      ++i;
      continue;
    }
    const Note& first = notes[i];
    if (first.onset < at || first.duration <= Fraction(0)) return overlap(first);
    std::size_t end = i + 1;
    for (; end < notes.size() && !notes[end].grace && notes[end].onset == first.onset; ++end) {
      if (notes[end].duration != first.duration) return overlap(notes[end]);
    }
    rest_until(first.onset);
    at = first.end();
    segments.push_back(Segment{first.onset, at, i, end - i, false, 0});
    i = end;
  }
  rest_until(voice.length);
  return segments;
}

/// Times at which something other than a bar line must be written, even within a note or rest.
std::vector<Fraction> moments(const Voice& voice) {
  std::vector<Fraction> points;
  const auto add = [&points](const auto& changes) {
    for (const auto& change : changes) points.push_back(change.onset);
  };
  add(voice.clefs);
  add(voice.key_signatures);
  add(voice.times);
  for (const Note& note : voice.notes) {
    if (note.grace) points.push_back(note.onset);
  }
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Segment> split_at(const std::vector<Segment>& segments, const std::vector<Fraction>& points) {
  std::vector<Segment> split;
  auto point = points.begin();
  for (Segment rest : segments) {
    while (point != points.end() && *point <= rest.onset) ++point;
    while (point != points.end() && *point < rest.end) {
      Segment front = rest;
      front.end = rest.onset = *point;
      rest.continues = rest.note_count > 0;
      split.push_back(front);
      while (point != points.end() && *point <= rest.onset) ++point;
    }
    split.push_back(rest);
  }
  return split;
}

/// Joins rests that fill whole measures by the time signature into measure rests, up to the next of `points`.
void find_measure_rests(const Voice& voice, const std::vector<Fraction>& points, std::vector<Segment>& segments) {
  const auto holds = [](const std::vector<Fraction>& times, Fraction time) {
    return std::binary_search(times.begin(), times.end(), time);
  };
  auto next_time = voice.times.begin();
  Fraction measure;
  std::size_t kept = 0;
  for (Segment segment : segments) {
    for (; next_time != voice.times.end() && next_time->onset <= segment.onset; ++next_time) {
      measure = next_time->value.bar();
    }
    const bool whole = segment.note_count == 0 && !measure.is_zero() && segment.end - segment.onset == measure &&
                       holds(voice.bars, segment.onset) &&
                       (segment.end == voice.length || holds(voice.bars, segment.end));
    if (whole && kept > 0 && segments[kept - 1].measures > 0 && !holds(points, segment.onset)) {
      segments[kept - 1].end = segment.end;
      ++segments[kept - 1].measures;
    } else {
      segment.measures = whole ? 1 : 0;
      segments[kept++] = segment;
    }
  }
  segments.resize(kept);
}

// ---- notation

/// Writes symbols as signs and tracks the state of a reader.
class NotationWriter {
 public:
  NotationWriter(const Voice& voice, PaeVersion version) : voice_(voice), version_(version) {
    if (const KeySignature* key = at_beginning(voice.key_signatures)) set_key(*key);
    std::copy_if(voice.notes.begin(), voice.notes.end(), std::back_inserter(graces_),
                 [](const Note& note) { return note.grace; });
  }

  Result<std::string> write(const std::vector<Segment>& segments, const std::vector<Symbol>& symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Symbol& symbol = symbols[i];
      const Segment& segment = segments[symbol.segment];
      if (symbol.first) {
        if (auto done = write_moment(segment.onset); !done) return fail(std::move(done.error()));
      }
      if (symbol.opens) {
        out_ += symbol.opens->to_string();
        out_ += '(';
        value_.clear();
      }
      const bool tied_on = i + 1 < symbols.size() && continues(segments, symbols[i + 1]);
      write_symbol(segment, symbol, continues(segments, symbol), tied_on);
      if (symbol.closes > 0) write_group_end(symbol.closes);
    }
    if (auto done = write_moment(voice_.length, true); !done) return fail(std::move(done.error()));
    if (!voice_.bars.empty() && !bar_written_) out_ += '/';
    return std::move(out_);
  }

 private:
  [[nodiscard]] static bool continues(const std::vector<Segment>& segments, const Symbol& symbol) {
    const Segment& segment = segments[symbol.segment];
    return segment.note_count > 0 && (!symbol.first || segment.continues);
  }

  void write_group_end(unsigned number) {
    out_ += ';';
    out_ += std::to_string(number);
    out_ += ')';
  }

  /// Writes the signs before the note at one time: bar line, changes, ornaments.
  Result<void> write_moment(Fraction now, bool last = false) {
    while (bar_ < voice_.bars.size() && voice_.bars[bar_] <= now) {
      if (voice_.bars[bar_] == now && !now.is_zero() && !last) write_bar();
      ++bar_;
    }
    write_changes(now);
    return write_graces(now);
  }

  void write_bar() {
    out_ += '/';
    bar_written_ = true;
    accidentals_.bar();
  }

  void write_changes(Fraction now) {
    std::string changes;
    const auto add = [&](char sign, const std::string& text) {
      if (text.empty()) return;
      changes += sign;
      changes += text;
      if (version_ == PaeVersion::v1) changes += ' ';  // version 2: one space after the last of them
    };
    for (; clef_ < voice_.clefs.size() && voice_.clefs[clef_].onset <= now; ++clef_) {
      if (!voice_.clefs[clef_].onset.is_zero()) add('%', clef_text(voice_.clefs[clef_].value, version_));
    }
    for (; signature_ < voice_.key_signatures.size() && voice_.key_signatures[signature_].onset <= now; ++signature_) {
      if (voice_.key_signatures[signature_].onset.is_zero()) continue;
      add('$', key_signature_text(voice_.key_signatures[signature_].value));
      set_key(voice_.key_signatures[signature_].value);
    }
    for (; time_ < voice_.times.size() && voice_.times[time_].onset <= now; ++time_) {
      if (!voice_.times[time_].onset.is_zero()) add('@', time_text(voice_.times[time_].value, true));
    }
    if (!changes.empty() && changes.back() != ' ') changes += ' ';
    out_ += changes;
  }

  Result<void> write_graces(Fraction now) {
    const auto is_due = [&](std::size_t i) { return i < graces_.size() && graces_[i].onset == now; };
    while (is_due(grace_)) {
      if (graces_[grace_].duration.is_zero()) {
        out_ += 'g';
        write_note(graces_[grace_++], {});
        continue;
      }
      std::size_t end = grace_;
      while (is_due(end) && !graces_[end].duration.is_zero()) ++end;
      if (auto done = write_appoggiaturas(end); !done) return done;
    }
    return {};
  }

  Result<void> write_appoggiaturas(std::size_t end) {
    const bool group = end - grace_ > 1;
    out_ += !group ? "q" : version_ == PaeVersion::v1 ? "qq" : "y";
    value_.clear();
    for (; grace_ < end; ++grace_) {
      const Note& note = graces_[grace_];
      const auto values = pae::as_values(note.duration, version_);
      if (!values || values->size() != 1) {
        return fail("cannot-write",
                    "the ornament at " + note.onset.to_string() + " whole notes has a value that cannot be written");
      }
      write_note(note, values->front().to_string());
    }
    if (group) out_ += 'r';
    return {};
  }

  void write_symbol(const Segment& segment, const Symbol& symbol, bool tied, bool tied_on) {
    if (segment.measures > 0) {
      out_ += '=';
      out_ += std::to_string(segment.measures);
      while (bar_ < voice_.bars.size() && voice_.bars[bar_] < segment.end) ++bar_;
      if (segment.end == voice_.length) write_bar();
      return;
    }
    const std::string value = symbol.value.to_string();
    if (segment.note_count == 0) {
      write_value(value);
      out_ += '-';
    } else if (version_ == PaeVersion::v2 && tied) {
      write_value(value);
      out_ += '_';
    } else if (version_ == PaeVersion::v2 && segment.note_count > 1) {
      write_value(value);
      write_enclosed(segment);
    } else {
      write_joined(segment, value, tied);
      if (tied_on && version_ == PaeVersion::v1) out_ += '+';
    }
  }

  /// The chord of version 2, from the lowest up; notes of one height keep their order.
  void write_enclosed(const Segment& segment) {
    const auto first = voice_.notes.begin() + static_cast<std::ptrdiff_t>(segment.first_note);
    std::vector<Note> chord(first, first + static_cast<std::ptrdiff_t>(segment.note_count));
    std::stable_sort(chord.begin(), chord.end(),
                     [](const Note& a, const Note& b) { return a.pitch.midi() < b.pitch.midi(); });
    out_ += '^';
    for (const Note& note : chord) write_note(note, {});
    out_ += '>';
  }

  /// A note, or the chord of version 1. A continued note keeps its accidental
  /// without a sign, unless the chord has the same name and octave twice and the sign must distinguish them.
  void write_joined(const Segment& segment, const std::string& value, bool tied) {
    const auto first = voice_.notes.begin() + static_cast<std::ptrdiff_t>(segment.first_note);
    const auto last = first + static_cast<std::ptrdiff_t>(segment.note_count);
    for (auto note = first; note != last; ++note) {
      if (note != first) out_ += '^';
      const auto twins = std::count_if(first, last, [&](const Note& other) {
        return other.pitch.step == note->pitch.step && other.pitch.octave == note->pitch.octave;
      });
      const Accidental accidental = !tied ? Accidental::as_needed : twins > 1 ? Accidental::always : Accidental::never;
      write_note(*note, note == first ? value : std::string(), accidental);
    }
  }

  enum class Accidental : std::uint8_t { as_needed, always, never };

  void write_note(const Note& note, const std::string& value, Accidental accidental = Accidental::as_needed) {
    const Pitch pitch = note.pitch;
    if (pitch.octave != octave_) {
      octave_ = pitch.octave;
      out_.append(static_cast<std::size_t>(octave_ > 3 ? octave_ - 3 : 4 - octave_), octave_ > 3 ? '\'' : ',');
    }
    if (!value.empty()) write_value(value);
    if (accidental == Accidental::always || (accidental == Accidental::as_needed && accidentals_.needed(pitch))) {
      accidentals_.write(pitch, note.grace);
      if (pitch.alter == 0) out_ += 'n';
      out_.append(static_cast<std::size_t>(std::abs(pitch.alter)), pitch.alter > 0 ? 'x' : 'b');
    }
    out_ += letter_of_step(pitch.step);
  }

  void write_value(const std::string& value) {
    if (value == value_) return;
    out_ += value;
    value_ = value;
  }

  void set_key(const KeySignature& key) {
    accidentals_.bar();
    if (const auto written = pae::read_key_signature(key_signature_text(key))) accidentals_.key(written->alter);
  }

  static constexpr std::int8_t kNoOctave = 100;

  const Voice& voice_;
  PaeVersion version_;
  std::vector<Note> graces_;
  std::string out_;
  std::string value_;               // in force
  std::int8_t octave_ = kNoOctave;  // in force; the first is always written
  AccidentalScope accidentals_;
  bool bar_written_ = false;
  std::size_t bar_ = 0;  // the next of each kind to be written
  std::size_t clef_ = 0;
  std::size_t signature_ = 0;
  std::size_t time_ = 0;
  std::size_t grace_ = 0;
};

}  // namespace

Result<PaeText> to_pae(const Voice& voice, PaeVersion version) {
  auto sounding = sounding_segments(voice);
  if (!sounding) return fail(std::move(sounding.error()));
  const std::vector<Fraction> points = moments(voice);
  std::vector<Fraction> cuts = voice.bars;
  cuts.insert(cuts.end(), points.begin(), points.end());
  std::sort(cuts.begin(), cuts.end());
  std::vector<Segment> segments = split_at(*sounding, cuts);
  find_measure_rests(voice, points, segments);
  auto symbols = pae::write_rhythm(segments, version);
  if (!symbols) return fail(std::move(symbols.error()));
  auto data = NotationWriter(voice, version).write(segments, *symbols);
  if (!data) return fail(std::move(data.error()));

  PaeText text;
  if (const Clef* clef = at_beginning(voice.clefs)) text.clef = clef_text(*clef, version);
  if (const KeySignature* key = at_beginning(voice.key_signatures)) text.key_signature = key_signature_text(*key);
  if (const TimeSignature* time = at_beginning(voice.times)) {
    text.time_signature = time_text(*time, version == PaeVersion::v2);
  }
  if (const Key* key = at_beginning(voice.keys)) text.key = key_text(*key);
  text.data = std::move(*data);
  return text;
}

std::string to_single_line(const PaeText& text, PaeVersion version) {
  std::string line = version == PaeVersion::v2 ? ";pe2" : "";
  const auto add = [&line](char sign, const std::string& value) {
    if (value.empty()) return;
    line += sign;
    line += value;
  };
  add('%', text.clef);
  add('@', text.time_signature);
  add('$', text.key_signature);
  if (!line.empty()) line += ' ';
  return line + text.data;
}

}  // namespace rondo
