#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo {

enum class PaeVersion : std::uint8_t { v1 = 1, v2 = 2 };

/// The parts of an incipit, as in its containers (MARC 031, @-lines, JSON, one line).
struct PaeFields {
  std::string_view clef;
  std::string_view key_signature;
  std::string_view time_signature;
  std::string_view key;
  std::string_view data;
  /// "1", "2", "pe", "pe2", or empty: version 1 unless the notation is only valid in version 2. Both versions share one
  /// reader that accepts the signs of both; they differ in warnings and in "7." (a neume in version 1).
  std::string_view version;
  bool states_no_clef = false;  ///< the container has an empty field for the clef
};

struct PaeOptions {
  bool expand_repeats = true;
  /// Accept typed queries: bare names "EDCDEEE", lower case, German H, # for sharp, spaces anywhere.
  bool liberal = false;
};

/// Parses notations in sequence, reusing its memory; the goal is 300,000 incipits per second. Not thread-safe.
class PaeParser {
 public:
  PaeParser();
  ~PaeParser();
  PaeParser(const PaeParser&) = delete;
  PaeParser& operator=(const PaeParser&) = delete;

  /// Fills `voice` (cleared first; its memory is reused). Warnings are appended; their place has the column within
  /// the field (from 1) and the field's name as the @-lines spell it ("data", "clef", "keysig", ...); the caller adds
  /// file and record. An error means that no melody could be made; data without anything that sounds, rests or
  /// divides into bars gives the error `pae-no-notation`.
  [[nodiscard]] Result<void> parse(const PaeFields& fields, const PaeOptions& options, Voice& voice,
                                   Diagnostics& warnings);

  /// The version the last notation was read as.
  [[nodiscard]] PaeVersion version() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A typed query: any of the containers, or bare notation, read tolerantly. Of several incipits the first is used.
[[nodiscard]] Result<Voice> parse_pae_query(std::string_view text, Diagnostics& warnings);

/// One voice as owned PAE fields.
struct PaeText {
  std::string clef;
  std::string key_signature;
  std::string time_signature;
  std::string key;
  std::string data;
};

/// Writes a voice so that parsing gives back notes, length, bars, and the changes of clef, key signature and time. What
/// PAE cannot express exactly is the error `cannot-write`: notes that overlap other than as chords of equal length, and
/// times that no tuplet of up to some thousand parts can express. Omitted, because PAE cannot express them: clefs it
/// does not know (percussion), a key named later than at the beginning, a bar line where nothing follows.
[[nodiscard]] Result<PaeText> to_pae(const Voice& voice, PaeVersion version = PaeVersion::v1);

/// "%G-2@3/4$xF 'ABC" (version 2 with the prefix ";pe2"): the container that fits on one line.
[[nodiscard]] std::string to_single_line(const PaeText& text, PaeVersion version = PaeVersion::v1);

}  // namespace rondo
