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

/// What the readers of XML formats share: loading within limits, looking around in the tree, collecting warnings.
namespace rondo::xml {

/// A parsed file. Prefixes of element names are gone ("mei:note" is "note"); those of attributes are kept
/// ("xml:id").
class Document {
 public:
  [[nodiscard]] pugi::xml_node root() const { return doc_.document_element(); }
  /// The file as it came, in UTF-8 whatever its encoding was.
  [[nodiscard]] std::string source_text() const;
  /// What is wrong with the file as XML; the tree then holds what comes before that place.
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

/// How many tags or attributes a file may have: the tree takes some 50 bytes for each.
inline constexpr std::size_t kXmlTags = 6'000'000;

/// Name of the root element without its prefix, from the beginning of a file in UTF-8, Latin-1 or UTF-16; empty when
/// this is no XML.
[[nodiscard]] std::string root_name(std::string_view head);

/// All text below a node, white space squeezed to single blanks unless xml:space="preserve" says that it counts.
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

/// The warnings of one record. Each code comes once, with its first place and the number of times: an exporter with
/// a habit repeats it in every bar.
class Remarks {
 public:
  Remarks(const ReadOptions& options, const Document& document) : file_(options.file), document_(document) {}
  void add(std::string_view code, pugi::xml_node where, std::string_view message, std::string_view hint = {});
  /// Hands everything to the sink, as remarks about `record`, and forgets it.
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

/// Hands over the one piece of a file: with its voices, or why there are none; before it the warnings.
void hand_over(Piece piece, Result<std::vector<Voice>> voices, const Document& document, Remarks& remarks,
               const ReadOptions& options, PieceSink& sink);

}  // namespace rondo::xml
