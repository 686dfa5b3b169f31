#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/formats/open.h"

namespace rondo::query {

/// A text as readers take it: without blanks at its ends, typographic signs (quotes, dashes, sharps and flats, arrows)
/// as plain ones. It knows where everything stood.
class PlainText {
 public:
  explicit PlainText(std::string_view original);
  [[nodiscard]] std::string_view text() const { return text_; }
  /// From line and column (bytes, from 1) of the plain text to a column of the original, in characters.
  void locate(Place& place) const;
  /// The word of the original at this column in characters, shortened where it is long.
  [[nodiscard]] std::string word_at(std::uint32_t column) const;
  /// Where that word begins, in characters from 1.
  [[nodiscard]] std::uint32_t word_start(std::uint32_t column) const;

 private:
  /// The first byte of the word at this column in characters.
  [[nodiscard]] std::size_t word_begin(std::uint32_t column) const;

  std::string_view original_;
  std::string text_;
  std::vector<std::uint32_t> origin_;  ///< the byte of the original for each byte of the text, and its end
};

/// The text of the first file at a path, if it is a short one.
class WholeText final : public FileVisitor {
 public:
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override;
  bool problem(Diagnostic /*why*/) override { return true; }
  std::optional<std::string> text{};
};

}  // namespace rondo::query
