#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/fraction.h"
#include "rondo/melody/signature.h"
#include "rondo/melody/voice.h"

/// Reading and writing of the values in a line of JSON: times, signatures, spellings.
namespace rondo::jsonl {

using Json = nlohmann::json;

/// Longest line that is read and written.
inline constexpr std::size_t kLineBytes = std::size_t{16} * 1024 * 1024;
/// Times given as decimals become the nearest fraction with at most this denominator: 1920 = 2^7 * 3 * 5 holds
/// triplets and quintuplets down to the hundred-and-twenty-eighth note.
inline constexpr std::int64_t kSimpleDenominator = 1920;

/// The fraction nearest to `value` with a denominator up to `limit`; none for what no melody can hold.
[[nodiscard]] std::optional<Fraction> nearest_fraction(double value, std::int64_t limit = kSimpleDenominator);

/// "3/8", "2", 0.375, "0.375". Counts rounded times in `rounded`.
[[nodiscard]] std::optional<Fraction> read_time(const Json& value, std::size_t& rounded);

/// A whole number from a JSON number (60 or 60.0).
[[nodiscard]] std::optional<std::int64_t> read_whole(const Json& value);

/// "G-2" and, for clefs that PAE does not have, any shape and line written likewise.
[[nodiscard]] std::optional<Clef> read_clef(const Json& value);
/// "xFC", "bBEA", "" or "n" for none, a number of sharps (negative: flats), or the seven alterations from C to B.
[[nodiscard]] std::optional<KeySignature> read_key_signature(const Json& value);
[[nodiscard]] std::optional<Key> read_key(const Json& value);
/// "3/4", "c", "c/", or {"beats": 4, "unit": 4, "symbol": "c"}.
[[nodiscard]] std::optional<TimeSignature> read_time_signature(const Json& value);

/// JSON text of a value, in the form the functions above read back exactly.
[[nodiscard]] std::string to_json(std::string_view text);
[[nodiscard]] std::string to_json(Fraction time);
[[nodiscard]] std::string to_json(const Clef& clef);
[[nodiscard]] std::string to_json(const KeySignature& signature);
[[nodiscard]] std::string to_json(const Key& key);
[[nodiscard]] std::string to_json(const TimeSignature& time);

/// How a note without a spelling is spelled: after the voice's first key signature.
[[nodiscard]] Pitch guessed_pitch(int midi, const std::vector<Change<KeySignature>>& signatures);

}  // namespace rondo::jsonl
