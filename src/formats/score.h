#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "melody/repeats.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

/// A measured score as written: measures that all lines share, notes that know their measure. MusicXML and MEI are
/// read into it; `write_out` plays it into voices.
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

/// Da capo and its kin. Marks of a measure's beginning: segno, coda; of its end: the others. Names tell several
/// apart; most scores have one of each.
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
  bool continues = false;  ///< the rest of a measure that was cut in two: no bar begins here
  /// A rest of several bars in one: bars begin within, this far apart.
  Fraction bar_every;
  RepeatMark repeat;
  JumpMarks jumps;
};

struct ScoreInMeasures {
  std::vector<ScoreMeasure> measures;
  std::vector<ScoreLine> lines;
  /// Where the source states the order of playing (indices of measures), that; it takes the place of all marks.
  std::vector<std::uint32_t> order;
  /// Something hostile that a reader met: `write_out` gives it instead of voices.
  std::optional<Error> problem;

  /// Remembers the first problem.
  void refuse(std::string code, std::string message);
  /// False, and a problem, when the lines together would get more than kChanges changes: ask before copying them.
  [[nodiscard]] bool may_add(std::size_t changes);

 private:
  std::size_t changes_ = 0;
};

/// How much music one score may become: lines times played measures, notes in all, clefs and signatures in all.
inline constexpr std::size_t kPlayedMeasures = 4'000'000;
inline constexpr std::size_t kPlayedNotes = 4'000'000;
inline constexpr std::size_t kChanges = 1'000'000;

/// The order of the measures with repeats, endings and then jumps. After a jump no repeat is taken and of the endings
/// the last is played; `fine` or the jump's own place ends it, or the coda leads on. Each jump is taken once. An
/// ending that no pass reaches loses its number, so that no music is lost.
[[nodiscard]] Result<std::vector<std::uint32_t>> playing_order(std::vector<ScoreMeasure>& measures,
                                                               std::size_t limit = 100'000);

/// One voice per line, all of the same length. Takes the score apart as it goes, to save memory.
[[nodiscard]] Result<std::vector<Voice>> write_out(ScoreInMeasures&& score, bool expand_repeats);

}  // namespace rondo
