#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/formats/format.h"

/// Shared by the readers of XML formats: loading within limits, navigating the tree, collecting warnings.
namespace rondo::xml {

/// A parsed file. Prefixes of element names are removed ("mei:note" becomes "note"); those of attributes are kept
/// ("xml:id").
class Document {
 public:
  [[nodiscard]] pugi::xml_node root() const { return doc_.document_element(); }
  /// The text of the file, converted to UTF-8.
  [[nodiscard]] std::string source_text() const;
  /// The XML error, if the file is malformed; the tree then has everything before that place.
  [[nodiscard]] const std::optional<Diagnostic>& damage() const { return damage_; }
  /// Line of an element, 0 where it is not known (files in another encoding than UTF-8).
  [[nodiscard]] std::uint32_t line_of(pugi::xml_node node) const;

 private:
  friend Result<std::unique_ptr<Document>> load(ByteSource& in, const ReadOptions& options, std::string_view format);
  [[nodiscard]] std::uint32_t line_at(std::ptrdiff_t offset) const;

  pugi::xml_document doc_;
  std::string text_;
  bool utf8_ = true;
  std::vector<std::size_t> lines_;  // offsets of line ends
  std::optional<Diagnostic> damage_;
};

/// Reads and parses everything, within limits::kFileBytes, kXmlTags and limits::kNesting. `format` begins the codes
/// ("mei-malformed"). A damaged file is not an error as long as its root element is there.
[[nodiscard]] Result<std::unique_ptr<Document>> load(ByteSource& in, const ReadOptions& options,
                                                     std::string_view format);

/// Maximal number of tags or attributes of a file: the tree takes about 50 bytes for each.
inline constexpr std::size_t kXmlTags = 6'000'000;

/// Name of the root element without its prefix, from the beginning of a file in UTF-8, Latin-1 or UTF-16; empty when
/// this is no XML.
[[nodiscard]] std::string root_name(std::string_view head);

/// All text below a node, with white space collapsed to single blanks unless xml:space="preserve".
[[nodiscard]] std::string text_of(pugi::xml_node node);
[[nodiscard]] std::string squeezed(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string_view name_of(pugi::xml_node node);
[[nodiscard]] std::string_view attribute(pugi::xml_node node, const char* name);

/// A whole number that is all of the text, within [low, high].
[[nodiscard]] std::optional<int> integer(std::string_view text, int low, int high);
/// A decimal or fraction that is all of the text ("1.5", "-0.25").
[[nodiscard]] std::optional<Fraction> number(std::string_view text);

/// The passes an ending names: "1", "1, 2", "1-3", "2." as bits (RepeatMark::endings); 0 when it names none.
[[nodiscard]] std::uint32_t ending_passes(std::string_view text);

/// `dots` augmentation dots: 1/4 with one is 3/8. More than ten are as ten.
[[nodiscard]] Fraction dotted(Fraction value, int dots);

/// The next element after `node` in document order, without leaving `top`; null at the end. Skips the children of
/// `node` unless `into`.
[[nodiscard]] pugi::xml_node next_element(pugi::xml_node node, pugi::xml_node top, bool into = true);

/// Collects the warnings of one record. Each code is reported once, with its first place and its count, because an
/// exporter's mistake recurs in every bar.
class Remarks {
 public:
  Remarks(const ReadOptions& options, const Document& document) : file_(options.file), document_(document) {}
  void add(std::string_view code, pugi::xml_node where, std::string_view message, std::string_view hint = {});
  /// Passes all warnings to the sink, as warnings about `record`, and clears them.
  void flush(PieceSink& sink, const std::string& record);
  [[nodiscard]] Place place(pugi::xml_node where, std::string record = {}) const;

 private:
  struct Remark {
    Diagnostic first;
    std::size_t count = 0;
  };
  std::string file_;
  const Document& document_;
  std::map<std::string, Remark, std::less<>> remarks_;
};

/// Delivers the single piece of a file to the sink: the warnings, then the piece with its voices or the error.
void hand_over(Piece piece, Result<std::vector<Voice>> voices, const Document& document, Remarks& remarks,
               const ReadOptions& options, PieceSink& sink);

}  // namespace rondo::xml
