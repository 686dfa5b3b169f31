#pragma once

#include <optional>
#include <string_view>

#include "rondo/melody/signature.h"

/// Clef, key signature and time signature as text: in the header fields and where they change inside the notation.
namespace rondo::pae {

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// A cleaned header field: without blanks, the sign of the one-line form (% $ @), brackets around it, marks after it (?
/// ;), and remains of escaping (everything from a backslash on).
struct FieldText {
  std::string_view text;
  bool marked = false;  ///< something other than blanks was removed
};
[[nodiscard]] FieldText bare_field(std::string_view field, char sign);

/// "G-2", "C+1", "C*1", "C:3"; also "G2".
[[nodiscard]] std::optional<Clef> read_clef(std::string_view text);
/// "xFC", "bB[EA]", "[bB]", "n" or nothing for no accidentals, "xFbB". "nBE" cancels these of the signature `before`.
[[nodiscard]] std::optional<KeySignature> read_key_signature(std::string_view text, const KeySignature& before = {});
/// "3/4", "3", "c", "c/", "o.", "c3/2", and alternating "3/4 4/4", "3/4|4/4", "3/4; 4/4". The symbol of the result is
/// spelled as version 1 does, whatever the source, so that both versions give the same melody.
[[nodiscard]] std::optional<TimeSignature> read_time(std::string_view text);

/// Length of the clef, key signature or time signature at the beginning of `text`, for a change in the notation (after
/// its sign). A time signature may contain a space: "3/4 4/4 ".
[[nodiscard]] std::size_t clef_extent(std::string_view text);
[[nodiscard]] std::size_t key_signature_extent(std::string_view text);
[[nodiscard]] std::size_t time_extent(std::string_view text);

}  // namespace rondo::pae
