#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/streams.h"

/// EsAC, the Essen Associative Code: records of fields, NAME[text]. See docs/formats/esac.md.
namespace rondo::esac {

struct Field {
  std::string name;          ///< as written, "KEY"
  std::string text;          ///< lines as written, without the brackets and trailing blanks
  std::uint32_t line = 0;    ///< of its name
  std::uint32_t column = 0;  ///< where the text begins
};

struct Record {
  std::string heading;  ///< a line before the fields: the collection it belongs to
  std::vector<Field> fields;
  std::string source_text;
  bool too_large = false;
  bool open_field = false;  ///< a field that no bracket closes

  [[nodiscard]] const Field* find(std::string_view name) const;
};

/// Splits a stream into records. A record ends with a blank line after its melody, or where a field that can occur only
/// once is repeated: CUT, KEY or MEL.
class RecordReader {
 public:
  explicit RecordReader(ByteSource& source);

  /// false at the end of the input.
  [[nodiscard]] Result<bool> next(Record& record);

 private:
  [[nodiscard]] Result<bool> next_line();
  [[nodiscard]] bool begins_another() const;
  void take_line(Record& record);

  LineReader lines_;
  std::string line_;
  std::uint32_t number_ = 0;
  bool pending_ = false;  ///< line_ belongs to the next record
  bool in_field_ = false;
  unsigned seen_ = 0;     ///< bits of the once-only fields that the record has
  bool skipped_ = false;  ///< a line that was too long
};

/// The field that begins on this line, or an empty name. `text` is the text after the bracket.
struct FieldStart {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] FieldStart field_start(std::string_view line);
/// Whether a field that goes on into this line ends with it.
[[nodiscard]] bool ends_field(std::string_view line);

}  // namespace rondo::esac
