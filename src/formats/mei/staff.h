#pragma once

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/mei/values.h"
#include "formats/score.h"

namespace rondo::mei {

/// Additional work that a score may cause beyond its own elements: copies (@copyof) can contain copies, and expansions
/// can refer to expansions.
inline constexpr std::size_t kCopies = 200'000;

struct TupletSpan {
  std::string_view end;  ///< xml:id of the last note
  Fraction ratio;
};

/// Shared by all readers of one score: control events that refer to notes by ids, and limits.
struct Context {
  const Ids& ids;
  xml::Remarks& remarks;
  std::unordered_set<std::string_view> tie_ends;                        ///< notes that continue another
  std::unordered_set<std::string_view> open_ties;                       ///< notes whose tie names no end
  std::unordered_map<std::string_view, std::vector<TupletSpan>> spans;  ///< by the id of their first note
  /// No gestural accidentals are encoded: signature and earlier accidentals apply, as for a player.
  bool implied_accidentals = false;
  std::size_t changes = 0;  ///< of clefs and signatures, in all staves
  std::size_t budget = kCopies;
  std::size_t spent = 0;

  /// Counts work; false if the budget is exceeded.
  [[nodiscard]] bool spend() { return ++spent <= budget; }
};

/// One layer of a staff through the whole score.
struct Line {
  std::string layer;
  ScoreLine score;
  std::vector<TupletSpan> open_spans;
};

struct Staff {
  std::string n;
  std::string name;
  std::deque<Line> lines;  ///< a deque: readers keep pointers while more are added
  std::vector<ScoreChange> changes;

  // In force while reading.
  Transposition transposition;
  WrittenKey key;
  TimeSignature time;
  Fraction bar = 1;  ///< length of a measure's rest
  Fraction ppq;      ///< pulses of a quarter; 0 when not known
  Fraction default_duration;
  int default_octave = 4;
  /// Accidentals of this measure and of the one before (for ties), by diatonic number.
  std::map<int, int> accidentals;
  std::map<int, int> earlier_accidentals;

  Line& line(const std::string& layer);
  /// Changes beyond kChanges in total are dropped; ScoreReader reports that.
  void put(Context& context, std::uint32_t measure, Fraction at, decltype(ScoreChange::value) value);
  void put_key(Context& context, std::uint32_t measure, Fraction at, const WrittenKey& written);
  void put_time(Context& context, std::uint32_t measure, Fraction at, TimeSignature value);
};

}  // namespace rondo::mei
