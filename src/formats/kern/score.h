#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/remarks.h"
#include "melody/repeats.h"
#include "rondo/melody/voice.h"

/// A record of Humdrum data as written: spines tracked through splits and joins, notes on a common time line, divided
/// into stretches at bar lines and section labels. Repeats are not expanded and ties not merged yet.
namespace rondo::kern {

struct WrittenNote {
  std::uint32_t stretch = 0;
  std::uint32_t strand = 0;  ///< the branch of the spine it is in: ties stay in it
  std::uint32_t line = 0;
  Fraction onset;
  Fraction duration;
  Pitch pitch;
  bool rest = false;
  bool grace = false;
  bool spelled = true;
  bool tied_before = false;
  bool tied_after = false;
};

/// A value that is set at a written time.
template <typename T>
struct Statement {
  std::uint32_t stretch = 0;
  Fraction onset;
  T value;
};

struct WrittenVoice {
  std::string name;
  std::vector<WrittenNote> notes;  ///< rests too; in order of stretches
  std::vector<Statement<Clef>> clefs;
  std::vector<Statement<KeySignature>> key_signatures;
  std::vector<Statement<Key>> keys;
  std::vector<Statement<TimeSignature>> times;
};

/// From one bar line or section label to the next.
struct Stretch {
  Fraction start;
  RepeatMark repeat;
  std::string label;        ///< of the section that begins with it
  bool after_bar = false;   ///< a bar line stands before it
  bool bar_number = false;  ///< and has a number
  Fraction length;
};

struct Score {
  std::vector<WrittenVoice> voices;  ///< one for each **kern spine, from left to right
  std::vector<Stretch> stretches;
  std::vector<std::string> expansion;  ///< labels in playing order, from *>[A,A,B]; empty: none given
  std::string tempo;
};

/// Reads the lines of one record; `first_line` is the number of its first. Errors: `kern-no-kern-spine`,
/// `kern-too-many-spines`, `too-many-voices`, `too-many-bars`, `time-out-of-range`.
[[nodiscard]] Result<Score> read_score(std::string_view record, std::size_t first_line, bool marks_guesses,
                                       Remarks& remarks);

/// The sounding voices: sections and repeats in playing order (unless `expand` is false), ties merged. Highest spine
/// first, which in kern is the rightmost. Errors: those of VoiceBuilder, `repeats-too-long`.
[[nodiscard]] Result<std::vector<Voice>> play(const Score& score, bool expand, Remarks& remarks);

}  // namespace rondo::kern
