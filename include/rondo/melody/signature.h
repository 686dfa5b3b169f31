#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"

namespace rondo {

/// A clef as written. It never changes a pitch in this model: pitches are sounding pitches.
struct Clef {
  enum class Kind : std::uint8_t { modern, mensural, neume };

  char shape = 'G';  ///< G C F; g: a G clef that sounds an octave lower; P: percussion; T: tablature
  std::int8_t line = 2;
  Kind kind = Kind::modern;

  /// As PAE version 1 writes it: "G-2", "C+1" (mensural), "C:3" (neume, a version 2 clef).
  [[nodiscard]] std::string to_string() const;
  /// Reads that, and version 2's mensural "C*1".
  [[nodiscard]] static std::optional<Clef> parse(std::string_view text);
  friend bool operator==(const Clef&, const Clef&) = default;
};

/// Accidentals at the clef, by note name. Signatures that belong to no major key (B flat and C sharp) exist and are
/// kept.
struct KeySignature {
  std::array<std::int8_t, 7> alter{};  ///< per step C..B: -1 flat, +1 sharp

  [[nodiscard]] static KeySignature from_fifths(int fifths);  ///< clamped to -7..7
  /// Number of sharps (positive) or flats (negative) when the signature is one of the usual fifteen.
  [[nodiscard]] std::optional<int> fifths() const;
  /// As PAE writes it: "xFC", "bBEA"; "" for none.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const KeySignature&, const KeySignature&) = default;
};

enum class Mode : std::uint8_t { major, minor, dorian, phrygian, lydian, mixolydian, aeolian, ionian, locrian };

/// The key a source names ("g minor"), which is more than its signature.
struct Key {
  std::int8_t step = 0;
  std::int8_t alter = 0;
  Mode mode = Mode::major;

  /// "C major", "Bb minor", "F# dorian".
  [[nodiscard]] std::string to_string() const;
  /// Reads that, and the catalogue's short forms: "G" major, "g" minor, "Bb", "f#", "B|b", "f|x" (MARC $r).
  [[nodiscard]] static std::optional<Key> parse(std::string_view text);
  /// The signature this key implies.
  [[nodiscard]] KeySignature signature() const;
  friend bool operator==(const Key&, const Key&) = default;
};

struct TimeSignature {
  std::uint16_t beats = 4;  ///< 0: none (free)
  std::uint16_t unit = 4;
  /// How it was written where that is more than beats/unit: "c", "c/", "o.", "3/4 4/4", "3". Empty otherwise.
  std::string symbol;

  [[nodiscard]] Fraction bar() const { return unit == 0 ? Fraction(0) : Fraction(beats, unit); }
  /// symbol, or "beats/unit".
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const TimeSignature&, const TimeSignature&) = default;
};

}  // namespace rondo
