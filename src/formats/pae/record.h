#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/pae.h"
#include "rondo/base/result.h"
#include "rondo/melody/piece.h"

namespace rondo::pae {

/// One incipit of a container with its metadata.
struct Record {
  /// A field of the notation and where its value begins, for messages; line 0: not there.
  struct Field {
    std::string text;
    std::uint32_t line = 0;
    std::uint32_t column = 1;
  };
  enum Part : std::uint8_t { kClef, kKeySignature, kTimeSignature, kKey, kData, kVersion, kParts };
  static constexpr std::array<std::string_view, kParts> kPartNames = {"clef", "keysig", "timesig",
                                                                      "key",  "data",   "version"};

  std::array<Field, kParts> parts;
  std::string id;
  std::string voice;
  Metadata metadata;
  std::string source_text;
  std::uint32_t line = 0;  ///< where the record begins

  [[nodiscard]] PaeFields fields() const;
  /// Converts field and column of the notation to line and column in the file.
  void locate(Place& place) const;
};

/// Stores the value of a named field: in the notation, the metadata, or nowhere (start, end). Names are those of the
/// @-lines; unknown ones become free fields of the metadata.
void set_field(Record& record, std::string_view name, std::string_view value, std::uint32_t line, std::uint32_t column);
/// True when a record has this field already and may have it only once: then another record begins.
[[nodiscard]] bool is_repeated(const Record& record, std::string_view name);
/// Reserved names, which a free field cannot use.
[[nodiscard]] bool is_reserved_name(std::string_view name);

/// "@clef:G-2" or "@start": the name and the value, views into `line`.
struct FieldLine {
  std::string_view name;
  std::string_view value;
};
[[nodiscard]] std::optional<FieldLine> read_field_line(std::string_view line);

/// True when this can be the one-line form: "%G-2@3/4$bB ...", ";pe2%...".
[[nodiscard]] bool is_single_line(std::string_view line);
[[nodiscard]] Record read_single_line(std::string_view line, std::uint32_t number);

/// True when JSON begins here rather than a beam.
[[nodiscard]] bool is_json(std::string_view text);
/// One JSON object with the names of the @-lines as keys; of an array, the first.
[[nodiscard]] Result<Record> read_json_object(std::string_view text, std::uint32_t line);

/// Assembles records from lines of text: @-lines up to a blank line, an @end or the next record's first field, and
/// one-line incipits.
class RecordLines {
 public:
  enum class Fate : std::uint8_t { taken, junk };

  /// Takes the next line. A record that it completes is put into `done` (at most two: the one before a one-line
  /// incipit and that incipit), in order.
  struct Outcome {
    Fate fate = Fate::taken;
    std::array<std::optional<Record>, 2> done;
  };
  [[nodiscard]] Outcome feed(std::string_view line, std::uint32_t number);
  /// The record still open at the end of the text.
  [[nodiscard]] std::optional<Record> finish();
  /// The open record exceeds the limit and will be dropped.
  [[nodiscard]] bool too_large() const;
  void drop() { open_.reset(); }

 private:
  [[nodiscard]] std::optional<Record> close();

  std::optional<Record> open_;
  bool last_was_data_ = false;
};

}  // namespace rondo::pae
