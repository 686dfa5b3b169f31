#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"

/// The notes of **kern: one token, one note or rest. Both directions.
namespace rondo::kern {

struct Token {
  std::optional<Fraction> duration;  ///< nullopt if missing or invalid
  std::optional<Pitch> pitch;        ///< nullopt: a rest, or unknown
  bool rest = false;
  bool grace = false;
  bool tied_before = false;   ///< continues or ends a tie: _ ]
  bool tied_after = false;    ///< begins or continues one: [ _
  bool guessed = false;       ///< has the mark of Rondo's own files, see kGuessed
  std::string_view leftover;  ///< the rest from the first invalid character on

  [[nodiscard]] bool empty() const { return !duration && !pitch && !rest; }
};

/// Mark of a note whose spelling is a guess, declared in a reference record (!!!RDF**kern) as kern asks for.
inline constexpr char kGuessed = 'i';

/// Reads one token, a part of a chord. Signs without effect on pitch and rhythm are ignored.
[[nodiscard]] Token parse_token(std::string_view text);

/// "4", "8.", "12", "0" (breve), or "3%2" (two thirds of a whole note) for anything else that is positive.
[[nodiscard]] std::string write_duration(Fraction duration);
/// "12." for a base of 1/12 with one dot: this distinguishes a dotted eighth in a triplet from a plain one.
[[nodiscard]] std::string write_value(Fraction base, int dots);
/// "c" for C4, "FF#" for F sharp 2.
[[nodiscard]] std::string write_pitch(Pitch pitch);

}  // namespace rondo::kern
