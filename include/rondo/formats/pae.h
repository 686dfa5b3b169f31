#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rondo/base/diagnostic.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo {

enum class PaeVersion : std::uint8_t { v1 = 1, v2 = 2 };

/// The parts of an incipit, as the containers (MARC 031, @-lines, JSON, one line) hold them.
struct PaeFields {
  std::string_view clef;
  std::string_view key_signature;
  std::string_view time_signature;
  std::string_view key;
  std::string_view data;
  /// "1", "2", or empty: version 1 unless the notation can only be version 2.
  std::string_view version;
};

struct PaeOptions {
  bool expand_repeats = true;
  /// Read as a query is typed: bare names "EDCDEEE", lower case, German H.
  bool liberal = false;
};

/// Parses notations one after the other, reusing its memory: 300,000 incipits a second is the aim. Not thread-safe.
class PaeParser {
 public:
  PaeParser();
  ~PaeParser();
  PaeParser(const PaeParser&) = delete;
  PaeParser& operator=(const PaeParser&) = delete;

  /// Fills `voice` (cleared first; its memory is reused). Warnings are appended; their place has the column within
  /// `data` (from 1) and the field ("data", "clef", ...) and the caller adds file and record. An error means that no
  /// melody could be made; empty data gives the error `pae-no-notation`.
  [[nodiscard]] Result<void> parse(const PaeFields& fields, const PaeOptions& options, Voice& voice,
                                   Diagnostics& warnings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A query as a person types it: any of the containers, or bare notation, read liberally.
[[nodiscard]] Result<Voice> parse_pae_query(std::string_view text, Diagnostics& warnings);

/// One voice as owned PAE fields. What PAE cannot say exactly (a time finer than its values and tuplets allow) is
/// the error `cannot-write`.
struct PaeText {
  std::string clef;
  std::string key_signature;
  std::string time_signature;
  std::string key;
  std::string data;
};
[[nodiscard]] Result<PaeText> to_pae(const Voice& voice, PaeVersion version = PaeVersion::v1);

/// "%G-2@3/4$xF 'ABC" (version 2 with the prefix ";pe2 "): the container that fits on one line.
[[nodiscard]] std::string to_single_line(const PaeText& text, PaeVersion version = PaeVersion::v1);

}  // namespace rondo
