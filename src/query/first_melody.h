#pragma once

#include <optional>

#include "query/draft.h"
#include "rondo/formats/open.h"

namespace rondo::query {

/// Keeps one of the pieces that have notes, the first unless told otherwise, lists the others, and ends when there are
/// many.
class FirstMelody final : public PieceSink, public FileVisitor {
 public:
  explicit FirstMelody(const Format* format = nullptr, std::size_t wanted = 0) : format_(format), wanted_(wanted) {}
  bool piece(Piece&& piece) override;
  void warn(Diagnostic warning) override;
  bool skip(Diagnostic why) override;
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override;
  bool problem(Diagnostic why) override { return skip(std::move(why)); }

  /// What was found, with a warning where it is not all there is. Errors: that of the first file or record that could
  /// not be read, `query-empty`.
  [[nodiscard]] Result<Draft> outcome();
  /// Titles of the pieces with notes.
  [[nodiscard]] const std::vector<std::string>& pieces() const { return pieces_; }
  [[nodiscard]] bool more() const { return more_; }

 private:
  const Format* format_;  ///< null: told by content
  std::size_t wanted_;
  std::optional<Piece> found_;
  std::vector<std::string> pieces_;
  bool more_ = false;
  Diagnostics warnings_;
  std::optional<Error> failure_;
};

/// A text in one format.
[[nodiscard]] Result<Draft> read_as(std::string_view format, std::string_view text, QueryKind kind);

}  // namespace rondo::query
