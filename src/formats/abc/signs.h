#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/melody/signature.h"

/// The fields that determine how notes are read: K:, M:, L: and the staff settings of K: and V:.
namespace rondo::abc {

/// Clef, key and time in force at one position.
struct Signs {
  KeySignature signature;
  std::optional<Key> key;
  std::optional<TimeSignature> time;
  std::optional<Clef> clef;
};

/// An irregularity of a field: a stable code and a message.
struct Oddity {
  std::string code;
  std::string message;
};
using Oddities = std::vector<Oddity>;

/// Settings that K: and V: share ("clef=bass octave=-1 transpose=2"). Empty: not said.
struct StaffSettings {
  std::optional<Clef> clef;
  std::optional<int> clef_octave;  ///< of treble-8 and the like; said by every clef
  std::optional<int> octave;
  std::optional<int> transpose;  ///< semitones
  std::optional<std::string> name;

  /// Settings of `later` override these.
  void update(const StaffSettings& later);
};
/// Reads the words after the tonic of K: or the id of V:. Layout settings are ignored.
[[nodiscard]] StaffSettings parse_settings(std::string_view text, Oddities& odd);

struct KeyField {
  bool says_key = false;  ///< false: only settings ("K: clef=bass"), the key stays
  KeySignature signature;
  std::optional<Key> key;  ///< empty for none, explicit accidentals and bagpipes
  StaffSettings settings;
};
[[nodiscard]] KeyField parse_key(std::string_view text, Oddities& odd);

/// C, C|, none, 6/8, (2+3)/8, 2+3/8, 3/4+2/4. Unreadable text gives free metre and a warning.
[[nodiscard]] TimeSignature parse_meter(std::string_view text, Oddities& odd);
/// Compound metre: 6, 9, 12, ... beats. Determines the length of a (5.
[[nodiscard]] bool is_compound(const std::optional<TimeSignature>& meter);
/// 1/16 below 3/4, else 1/8; also 1/8 for free metre.
[[nodiscard]] Fraction default_unit(const std::optional<TimeSignature>& meter);
[[nodiscard]] std::optional<Fraction> parse_unit(std::string_view text);

/// The written pitch or signs as they sound `semitones` higher, spelled as the key that results is.
class Transposition {
 public:
  Transposition(int semitones, const KeySignature& written);
  [[nodiscard]] Pitch operator()(Pitch written) const;
  [[nodiscard]] Signs operator()(const Signs& written) const;

 private:
  int semitones_;
  int steps_;
};

}  // namespace rondo::abc
