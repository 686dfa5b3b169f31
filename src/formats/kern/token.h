#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"

/// The notes of **kern: one token, one note or rest. Both directions.
namespace rondo::kern {

struct Token {
  std::optional<Fraction> duration;  ///< none where it is not written, or cannot be
  std::optional<Pitch> pitch;        ///< none: a rest, or nothing that is known
  bool rest = false;
  bool grace = false;
  bool tied_before = false;   ///< continues or ends a tie: _ ]
  bool tied_after = false;    ///< begins or continues one: [ _
  bool guessed = false;       ///< carries the mark of Rondo's own files, see kGuessed
  std::string_view leftover;  ///< from the first character on that has no place in a token, to its end

  [[nodiscard]] bool empty() const { return !duration && !pitch && !rest; }
};

/// Mark of a note whose spelling is a guess, declared in a reference record (!!!RDF**kern) as kern asks for.
inline constexpr char kGuessed = 'i';

/// Reads one token, a part of a chord. Signs that say nothing of pitch and rhythm are passed over.
[[nodiscard]] Token parse_token(std::string_view text);

/// "4", "8.", "12", "0" (breve), or "3%2" (two thirds of a whole note) for anything else that is positive.
[[nodiscard]] std::string write_duration(Fraction duration);
/// "12." for a base of 1/12 with one dot: how a dotted eighth in a triplet is told from a plain one.
[[nodiscard]] std::string write_value(Fraction base, int dots);
/// "c" for C4, "FF#" for F sharp 2.
[[nodiscard]] std::string write_pitch(Pitch pitch);

}  // namespace rondo::kern
