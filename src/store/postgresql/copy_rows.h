#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

/// The binary format of COPY (PostgreSQL's manual, "COPY", "Binary Format"): a header, rows of fields with their
/// lengths, a trailer. All numbers are big-endian.
namespace rondo::postgresql {

/// Makes the bytes of a COPY. Every row gets as many fields as the table that it goes to has columns.
class CopyWriter {
 public:
  CopyWriter();

  void row(std::size_t fields);
  void integer(std::int64_t value);  ///< a bigint
  void null();
  /// A bytea, or a value whose binary form is this.
  void bytes(std::string_view value);
  /// A text as PostgreSQL can hold it; see stored_text.
  void text(std::string_view value);
  void end();

  [[nodiscard]] const std::string& buffer() const { return buffer_; }
  /// After the bytes so far were sent.
  void clear() { buffer_.clear(); }

 private:
  std::string buffer_;
};

/// A field of a row; nothing: NULL.
using CopyField = std::optional<std::string_view>;

/// Takes the bytes of a COPY apart. They come in messages of any size; rows are complete as soon as their last byte has
/// come. Errors: `store-protocol`.
class CopyReader {
 public:
  explicit CopyReader(std::size_t fields) : fields_(fields) {}

  void add(std::string_view bytes);
  /// The next row, or nothing until more bytes have come. The views are valid until the next `add`.
  [[nodiscard]] Result<const std::vector<CopyField>*> next();
  /// Whether the trailer was read: there is nothing more.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  [[nodiscard]] Result<bool> read_header();

  std::size_t fields_;
  std::string buffer_;
  std::size_t position_ = 0;
  bool began_ = false;
  bool ended_ = false;
  std::vector<CopyField> row_;
};

/// A bigint; the error `store-protocol` for anything else.
[[nodiscard]] Result<std::int64_t> integer_of(CopyField field);

/// PostgreSQL's texts are UTF-8 without NUL, but names of files may be anything. What it cannot hold (and, lest the two
/// be mixed up, what begins with "\x") is stored as "\x" and hexadecimal digits.
[[nodiscard]] std::string stored_text(std::string_view text);
[[nodiscard]] Result<std::string> original_text(std::string_view stored);

}  // namespace rondo::postgresql
