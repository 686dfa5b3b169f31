#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "rondo/base/bytes.h"

/// Helpers for reading a stream of bytes.
namespace rondo {

/// A source with look-ahead: `head()` gives the beginning, for recognition by content; `read` still delivers every
/// byte.
class PeekedSource final : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}
  /// Reads up to `size` bytes ahead, once, before the first `read`.
  [[nodiscard]] Result<std::string_view> head(std::size_t size = std::size_t{64} * 1024);
  [[nodiscard]] Result<std::size_t> read(std::span<char> into) override;

 private:
  std::unique_ptr<ByteSource> inner_;
  std::string head_;
  std::size_t served_ = 0;
};

/// Everything there is, up to `limit` bytes; more is the error `too-large`.
[[nodiscard]] Result<std::string> read_all(ByteSource& source, std::size_t limit);

/// The part of a source that is in memory: bytes are consumed at its beginning and read to its end. For classes that
/// split a source into records, in memory bounded by the largest record.
class StreamWindow {
 public:
  explicit StreamWindow(ByteSource& source) : source_(source) {}

 protected:
  /// Discards what is consumed and reads more, which moves what is left; false at the end of the source.
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] std::string_view rest() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }

  std::string buffer_;
  std::size_t begin_ = 0;  ///< all before it is consumed
  std::size_t end_ = 0;
  bool ended_ = false;

 private:
  ByteSource& source_;
};

/// Lines of a source in constant memory. Ends at LF, CRLF or CR; the last line need not be ended.
class LineReader : private StreamWindow {
 public:
  /// A line longer than `max_line` is the error `line-too-long`; the reader skips to the next line then.
  explicit LineReader(ByteSource& source, std::size_t max_line = std::size_t{16} * 1024 * 1024)
      : StreamWindow(source), max_line_(max_line) {}

  /// The next line without its end; valid until the next call. false at the end of the input.
  [[nodiscard]] Result<bool> next(std::string_view& line);
  /// Number of the line returned last, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::size_t max_line_;
  std::size_t number_ = 0;
  bool skip_lf_ = false;
};

}  // namespace rondo
