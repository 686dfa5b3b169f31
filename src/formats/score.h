#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "melody/repeats.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

/// A measured score as written: measures shared by all lines, notes with the index of their measure. MusicXML, MEI and
/// MuseScore are read into it; `write_out` plays it into voices.
namespace rondo {

struct ScoreNote {
  std::uint32_t measure = 0;
  Fraction at;  ///< from the beginning of the measure
  Fraction duration;
  Pitch pitch;
  bool grace = false;
  bool tied = false;      ///< continues the note of its pitch that ends where this begins
  bool tie_open = false;  ///< the next note of its pitch, if it begins where this ends, continues it
  bool spelled = true;
};

struct ScoreChange {
  std::uint32_t measure = 0;
  Fraction at;
  std::variant<Clef, KeySignature, Key, TimeSignature> value;
};

struct ScoreLine {
  std::string name;
  std::vector<ScoreNote> notes;      ///< by measure; within a measure in any order
  std::vector<ScoreChange> changes;  ///< likewise
};

/// Da capo and related marks. At the beginning of a measure: segno, coda; at its end: the others. Names distinguish
/// several; most scores have one of each.
struct JumpMarks {
  std::string segno;
  std::string coda;
  std::string dal_segno;
  std::string to_coda;
  bool da_capo = false;
  bool fine = false;

  [[nodiscard]] bool any() const {
    return da_capo || fine || !segno.empty() || !coda.empty() || !dal_segno.empty() || !to_coda.empty();
  }
};

struct ScoreMeasure {
  Fraction length;
  bool continues = false;  ///< the rest of a split measure: no bar begins here
  /// For a multi-measure rest: the distance of the bars within it.
  Fraction bar_every;
  RepeatMark repeat;
  JumpMarks jumps;
};

struct ScoreInMeasures {
  std::vector<ScoreMeasure> measures;
  std::vector<ScoreLine> lines;
  /// The playing order (indices of measures) if the source states it; overrides all marks.
  std::vector<std::uint32_t> order;
  /// An exceeded limit: `write_out` returns it instead of voices.
  std::optional<Error> problem;

  /// Stores the first problem.
  void refuse(std::string code, std::string message);
  /// False, and a problem, if the lines would have more than kChanges changes in total: call it before copying them.
  [[nodiscard]] bool may_add(std::size_t changes);

 private:
  std::size_t changes_ = 0;
};

/// Limits of the expanded score: lines times played measures, total notes, total clefs and signatures.
inline constexpr std::size_t kPlayedMeasures = 4'000'000;
inline constexpr std::size_t kPlayedNotes = 4'000'000;
inline constexpr std::size_t kChanges = 1'000'000;

/// The playing order of the measures with repeats, endings and then jumps. After a jump repeats are not taken and of
/// the endings the last is played; it ends at `fine` or at the jump itself, or continues at the coda. Each jump is
/// taken once. An ending that no pass reaches loses its number, so that no music is lost.
[[nodiscard]] Result<std::vector<std::uint32_t>> playing_order(std::vector<ScoreMeasure>& measures,
                                                               std::size_t limit = 100'000);

/// One voice per line, all of the same length. Consumes the score, to save memory.
[[nodiscard]] Result<std::vector<Voice>> write_out(ScoreInMeasures&& score, bool expand_repeats);

}  // namespace rondo
