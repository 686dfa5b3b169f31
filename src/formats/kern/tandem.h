#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/signature.h"

/// Tandem interpretations that matter to a melody, in both directions: clef, signatures, key, transposition.
/// Parsers take the whole token with its star and return nullopt for unknown ones.
namespace rondo::kern {

[[nodiscard]] std::optional<Clef> parse_clef(std::string_view token);             ///< *clefG2, *clefGv2, *clefX
[[nodiscard]] std::optional<KeySignature> parse_key_signature(std::string_view);  ///< *k[f#c#]
[[nodiscard]] std::optional<Key> parse_key(std::string_view token);               ///< *G:, *b-:, *d:dor
[[nodiscard]] std::optional<TimeSignature> parse_time(std::string_view token);    ///< *M3/4, *M3+2/8, *MX
/// *met(c|) as the symbol "c/", with the beats it stands for where no numbers do.
[[nodiscard]] std::optional<TimeSignature> parse_mensuration(std::string_view token);

/// *Trd1c2: the data were moved up by one step and two semitones and no longer sound as written.
struct Transposition {
  int diatonic = 0;
  int chromatic = 0;
  friend bool operator==(const Transposition&, const Transposition&) = default;
};
[[nodiscard]] std::optional<Transposition> parse_transposition(std::string_view token);
/// The pitch before it was transposed; respelled where the exact spelling would need too many accidentals.
[[nodiscard]] Pitch undo(Transposition transposition, Pitch pitch);

[[nodiscard]] std::string write_clef(const Clef& clef);  ///< "*" where kern has none such
[[nodiscard]] std::string write_key_signature(const KeySignature& signature);
[[nodiscard]] std::string write_key(const Key& key);
[[nodiscard]] std::string write_time(const TimeSignature& time);
[[nodiscard]] std::string write_mensuration(const TimeSignature& time);  ///< "*" where there is no sign

}  // namespace rondo::kern
