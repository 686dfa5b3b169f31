#pragma once

#include <optional>

#include "query/draft.h"
#include "rondo/formats/open.h"

namespace rondo::query {

/// Keeps the first piece that has notes, counts the others, and ends when there are many.
class FirstMelody final : public PieceSink, public FileVisitor {
 public:
  explicit FirstMelody(const Format* format = nullptr) : format_(format) {}
  bool piece(Piece&& piece) override;
  void warn(Diagnostic warning) override;
  bool skip(Diagnostic why) override;
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override;
  bool problem(Diagnostic why) override { return skip(std::move(why)); }

  /// What was found, with a warning where it is not all there is. Errors: that of the first file or record that could
  /// not be read, `query-empty`.
  [[nodiscard]] Result<Draft> outcome();

 private:
  const Format* format_;  ///< null: told by content
  std::optional<Piece> found_;
  std::size_t pieces_ = 0;
  Diagnostics warnings_;
  std::optional<Error> failure_;
};

/// A text in one format.
[[nodiscard]] Result<Draft> read_as(std::string_view format, std::string_view text, QueryKind kind);

}  // namespace rondo::query
