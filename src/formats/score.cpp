#include "formats/score.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

/// Where the elements of each measure begin; one more entry than measures.
template <typename T>
std::vector<std::uint32_t> starts_of(std::vector<T>& elements, std::size_t measures) {
  std::stable_sort(elements.begin(), elements.end(), [](const T& a, const T& b) { return a.measure < b.measure; });
  std::vector<std::uint32_t> starts(measures + 1, 0);
  for (const T& element : elements) ++starts[element.measure + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  return starts;
}

void put(VoiceBuilder& builder, Fraction onset, const ScoreChange& change) {
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Clef>) builder.clef(onset, value);
        if constexpr (std::is_same_v<T, KeySignature>) builder.key_signature(onset, value);
        if constexpr (std::is_same_v<T, Key>) builder.key(onset, value);
        if constexpr (std::is_same_v<T, TimeSignature>) builder.time(onset, value);
      },
      change.value);
}

class LinePlayer {
 public:
  LinePlayer(ScoreLine& line, const std::vector<ScoreMeasure>& measures)
      : line_(line),
        measures_(measures),
        notes_(starts_of(line.notes, measures.size())),
        changes_(starts_of(line.changes, measures.size())),
        builder_(std::move(line.name)) {
    for (std::uint32_t i = 0; i < line.changes.size(); ++i) by_kind_[line.changes[i].value.index()].push_back(i);
  }

  /// `changes`: remaining budget of clefs and signatures.
  Result<Voice> play(const std::vector<std::uint32_t>& order, std::size_t& changes) {
    Fraction onset;
    std::uint32_t expected = 0;
    for (const std::uint32_t index : order) {
      if (builder_.failed()) break;
      const std::size_t here = changes_[index + 1] - changes_[index];
      if (here > changes) return fail("too-many-changes", "too many clefs and signatures, repeats included");
      changes -= here;
      const ScoreMeasure& measure = measures_[index];
      begin_bars(measure, onset);
      if (index != expected) restore(index, onset);
      for (std::uint32_t i = changes_[index]; i < changes_[index + 1]; ++i) {
        put(builder_, onset + line_.changes[i].at, line_.changes[i]);
      }
      for (std::uint32_t i = notes_[index]; i < notes_[index + 1]; ++i) add(line_.notes[i], onset);
      onset += measure.length;
      builder_.lasts_until(onset);
      expected = index + 1;
    }
    return builder_.finish();
  }

 private:
  void begin_bars(const ScoreMeasure& measure, Fraction onset) {
    if (measure.length.is_zero()) return;
    if (!measure.continues || onset.is_zero()) builder_.bar(onset);
    if (measure.bar_every <= Fraction(0)) return;
    for (Fraction within = measure.bar_every; within < measure.length && !builder_.failed();
         within += measure.bar_every) {
      builder_.bar(onset + within);
    }
  }

  /// After a jump, restores the values in force at its target.
  void restore(std::uint32_t index, Fraction onset) {
    for (const auto& indices : by_kind_) {
      const auto after = std::lower_bound(indices.begin(), indices.end(), changes_[index]);
      if (after != indices.begin()) put(builder_, onset, line_.changes[*(after - 1)]);
    }
  }

  void add(const ScoreNote& note, Fraction measure_onset) {
    const Fraction onset = measure_onset + note.at;
    if (note.grace) {
      builder_.grace(onset, note.duration, note.pitch);
      return;
    }
    const bool tied = note.tied || (open_end_ == onset && open_midi_ == note.pitch.midi());
    builder_.note(onset, note.duration, note.pitch, tied, note.spelled);
    if (note.tie_open) {
      open_end_ = onset + note.duration;
      open_midi_ = note.pitch.midi();
    }
  }

  ScoreLine& line_;
  const std::vector<ScoreMeasure>& measures_;
  std::vector<std::uint32_t> notes_;
  std::vector<std::uint32_t> changes_;
  /// Indices of the changes of each kind (clef, signature, ...), for `restore`.
  std::array<std::vector<std::uint32_t>, std::variant_size_v<decltype(ScoreChange::value)>> by_kind_;
  VoiceBuilder builder_;
  Fraction open_end_ = Fraction::invalid();
  int open_midi_ = -1;
};

/// Notes of one measure in the order of time; stable for equal times, so grace notes keep their order.
void sort_within_measures(ScoreLine& line) {
  const auto before = [](const ScoreNote& a, const ScoreNote& b) {
    return a.measure != b.measure ? a.measure < b.measure : a.at < b.at;
  };
  if (!std::is_sorted(line.notes.begin(), line.notes.end(), before)) {
    std::stable_sort(line.notes.begin(), line.notes.end(), before);
  }
}

}  // namespace

void ScoreInMeasures::refuse(std::string code, std::string message) {
  if (!problem) problem = Error{std::move(code), std::move(message), {}, {}};
}

bool ScoreInMeasures::may_add(std::size_t changes) {
  changes_ += changes;
  if (changes_ <= kChanges) return true;
  refuse("too-many-changes", "more than " + std::to_string(kChanges) + " clefs and signatures");
  return false;
}

Result<std::vector<Voice>> write_out(ScoreInMeasures&& score, bool expand_repeats) {
  if (score.problem) return fail(std::move(*score.problem));
  if (score.lines.size() > limits::kVoicesPerPiece) {
    return fail("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices");
  }
  if (score.measures.size() > limits::kBarsPerVoice) {
    return fail("too-many-bars", "more than " + std::to_string(limits::kBarsPerVoice) + " measures");
  }
  std::vector<std::uint32_t> order;
  if (!expand_repeats) {
    order.resize(score.measures.size());
    std::iota(order.begin(), order.end(), 0U);
  } else if (!score.order.empty()) {
    order = std::move(score.order);
  } else {
    auto played = playing_order(score.measures);
    if (!played) return fail(std::move(played.error()));
    order = std::move(*played);
  }
  if (score.lines.size() * order.size() > kPlayedMeasures) {
    return fail("too-many-bars", "voices times bars are more than " + std::to_string(kPlayedMeasures));
  }
  std::vector<Voice> voices;
  std::size_t notes = 0;
  std::size_t changes = kChanges;
  for (ScoreLine& line : score.lines) {
    sort_within_measures(line);
    auto voice = LinePlayer(line, score.measures).play(order, changes);
    if (!voice) return fail(std::move(voice.error()));
    notes += voice->notes.size();
    if (notes > kPlayedNotes) return fail("too-many-notes", "more than " + std::to_string(kPlayedNotes) + " notes");
    voices.push_back(std::move(*voice));
    line = ScoreLine{};
  }
  return voices;
}

}  // namespace rondo
