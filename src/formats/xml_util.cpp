#include "formats/xml_util.h"

#include <algorithm>
#include <charconv>

#include "base/streams.h"
#include "base/utf8.h"
#include "melody/limits.h"

namespace rondo::xml {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

struct StringWriter final : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

bool is_space(char c) { return kSpace.find(c) != std::string_view::npos; }

/// UTF-16 has a zero beside every ASCII character; without the zeros (and a byte order mark) the names of elements
/// can be read.
std::string ascii_view(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const bool utf16 = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
  if (utf16) head.remove_prefix(2);
  std::string out(head.substr(0, std::size_t{64} * 1024));
  if (utf16 || (out.size() > 1 && (out[0] == '\0' || out[1] == '\0'))) std::erase(out, '\0');
  return out;
}

/// Skips everything before the root element; npos if it does not end.
std::size_t skip_prologue(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    while (at < text.size() && is_space(text[at])) ++at;
    const std::string_view rest = text.substr(at);
    std::size_t end = 0;
    if (rest.starts_with("<?")) {
      end = rest.find("?>");
      if (end == std::string_view::npos) return end;
      at += end + 2;
    } else if (rest.starts_with("<!--")) {
      end = rest.find("-->");
      if (end == std::string_view::npos) return end;
      at += end + 3;
    } else if (rest.starts_with("<!DOCTYPE")) {
      int depth = 0;
      for (end = 0; end < rest.size() && (rest[end] != '>' || depth > 0); ++end) {
        if (rest[end] == '[') ++depth;
        if (rest[end] == ']') --depth;
      }
      if (end == rest.size()) return std::string_view::npos;
      at += end + 1;
    } else {
      return at;
    }
  }
}

/// Removes prefixes from the names of elements, and returns the depth. Not recursive, so any depth is safe.
int tidy_names(pugi::xml_node root) {
  int deepest = 0;
  int depth = 1;
  pugi::xml_node node = root;
  while (node) {
    deepest = std::max(deepest, depth);
    const std::string_view name = node.name();
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
      node.set_name(std::string(name.substr(colon + 1)).c_str());
    }
    if (pugi::xml_node child = node.first_child()) {
      node = child;
      ++depth;
      continue;
    }
    while (node && node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (!node || node == root) break;
    node = node.next_sibling();
  }
  return deepest;
}

}  // namespace

std::uint32_t Document::line_at(std::ptrdiff_t offset) const {
  if (offset < 0 || lines_.empty()) return 0;
  const auto before = std::lower_bound(lines_.begin(), lines_.end(), static_cast<std::size_t>(offset));
  return static_cast<std::uint32_t>(before - lines_.begin()) + 1;
}

std::uint32_t Document::line_of(pugi::xml_node node) const { return line_at(node.offset_debug()); }

std::string Document::source_text() const {
  if (utf8_) return text_;
  StringWriter writer;
  doc_.save(writer, "", pugi::format_raw, pugi::encoding_utf8);
  return std::move(writer.text);
}

Result<std::unique_ptr<Document>> load(ByteSource& in, const ReadOptions& options, std::string_view format) {
  const std::string prefix(format);
  Place place;
  place.file = options.file;
  auto text = read_all(in, limits::kFileBytes);
  if (!text) {
    if (text.error().place.file.empty()) text.error().place.file = options.file;
    return fail(std::move(text.error()));
  }
  auto document = std::make_unique<Document>();
  document->text_ = std::move(*text);
  const std::string& bytes = document->text_;
  const auto tags = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '<'));
  const auto attributes = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '='));
  if (tags > kXmlTags || attributes > kXmlTags) {
    return fail(prefix + "-too-large", "more than " + std::to_string(kXmlTags) + " tags or attributes", place,
                "split the file");
  }
  pugi::xml_parse_result parsed = document->doc_.load_buffer(bytes.data(), bytes.size());
  if (parsed.encoding == pugi::encoding_utf8 && !is_utf8(bytes)) {
    // Without a declared encoding a file is UTF-8; if it is malformed, it is most often Latin-1.
    parsed = document->doc_.load_buffer(bytes.data(), bytes.size(), pugi::parse_default, pugi::encoding_latin1);
  }
  document->utf8_ = parsed.encoding == pugi::encoding_utf8;
  if (document->utf8_) {
    const char end = bytes.find('\n') == std::string::npos ? '\r' : '\n';
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == end) document->lines_.push_back(i);
    }
    if (document->lines_.empty()) document->lines_.push_back(bytes.size());
  }
  const pugi::xml_node root = document->root();
  if (!root) {
    return fail(prefix + "-no-xml", std::string("no XML element: ") + parsed.description(), place,
                "check that the file is complete and not of another format");
  }
  if (!parsed) {
    place.line = document->line_at(parsed.offset);
    document->damage_ =
        Diagnostic{prefix + "-malformed",
                   std::string("not well-formed XML (") + parsed.description() + "); what comes before it is used",
                   place, "mend the file with an XML editor, or export it again"};
  }
  if (tidy_names(root) > limits::kNesting) {
    return fail(prefix + "-nesting", "elements are nested more than " + std::to_string(limits::kNesting) + " deep",
                std::move(place));
  }
  return document;
}

std::string root_name(std::string_view head) {
  const std::string text = ascii_view(head);
  std::size_t at = skip_prologue(text);
  if (at == std::string::npos || at >= text.size() || text[at] != '<') return {};
  ++at;
  std::size_t end = at;
  while (end < text.size() && !is_space(text[end]) && text[end] != '>' && text[end] != '/') ++end;
  std::string name = text.substr(at, end - at);
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  // A character reference can name half of a surrogate pair.
  for (std::size_t i = 0; i < out.size();) {
    const std::size_t length = utf8_length(std::string_view(out).substr(i));
    if (length == 0) out[i] = '?';
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string text_of(pugi::xml_node node) {
  std::string all;
  if (std::string_view(node.attribute("xml:space").value()) == "preserve") {
    for (const pugi::xml_node child : node.children()) all += child.value();
    return is_utf8(all) ? all : squeezed(all);
  }
  for (pugi::xml_node at = node.first_child(); at;) {
    if (at.type() == pugi::node_pcdata || at.type() == pugi::node_cdata) {
      all += at.value();
      all += ' ';
    }
    if (at.first_child()) {
      at = at.first_child();
      continue;
    }
    while (at && at != node && !at.next_sibling()) at = at.parent();
    if (!at || at == node) break;
    at = at.next_sibling();
  }
  return squeezed(all);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view name_of(pugi::xml_node node) { return node.name(); }

std::string_view attribute(pugi::xml_node node, const char* name) { return trimmed(node.attribute(name).value()); }

std::optional<int> integer(std::string_view text, int low, int high) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || value < low || value > high) return std::nullopt;
  return value;
}

std::optional<Fraction> number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  auto value = Fraction::parse(text);
  if (value && !value->valid()) return std::nullopt;
  return value;
}

std::uint32_t ending_passes(std::string_view text) {
  std::uint32_t bits = 0;
  unsigned from = 0;
  bool range = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      if (text[i] == '-') {
        range = from != 0;
      } else if (!is_space(text[i]) && text[i] != '.') {
        range = false;
      }
      ++i;
      continue;
    }
    unsigned pass = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      pass = std::min(pass * 10 + static_cast<unsigned>(text[i] - '0'), 100U);
    }
    if (pass < 1 || pass > 32) continue;
    for (unsigned p = range ? std::min(from, pass) : pass; p <= pass; ++p) bits |= 1U << (p - 1);
    from = pass;
    range = false;
  }
  return bits;
}

Fraction dotted(Fraction value, int dots) {
  const std::int64_t whole = std::int64_t{1} << std::clamp(dots, 0, 10);
  return value * Fraction(2 * whole - 1, whole);
}

pugi::xml_node next_element(pugi::xml_node node, pugi::xml_node top, bool into) {
  do {
    if (pugi::xml_node child = node.first_child(); into && child) {
      node = child;
    } else {
      while (node && node != top && !node.next_sibling()) node = node.parent();
      if (!node || node == top) return {};
      node = node.next_sibling();
    }
    into = true;
  } while (node.type() != pugi::node_element);
  return node;
}

Place Remarks::place(pugi::xml_node where, std::string record) const {
  Place place;
  place.file = file_;
  place.record = std::move(record);
  place.field = where.name();
  place.line = document_.line_of(where);
  return place;
}

void Remarks::add(std::string_view code, pugi::xml_node where, std::string_view message, std::string_view hint) {
  auto found = remarks_.find(code);
  if (found == remarks_.end()) {
    Diagnostic first{std::string(code), std::string(message), place(where), std::string(hint)};
    found = remarks_.emplace(std::string(code), Remark{std::move(first), 0}).first;
  }
  ++found->second.count;
}

void Remarks::flush(PieceSink& sink, const std::string& record) {
  for (auto& [code, remark] : remarks_) {
    Diagnostic warning = std::move(remark.first);
    warning.place.record = record;
    if (remark.count > 1) warning.message += " (" + std::to_string(remark.count) + " times in this piece)";
    sink.warn(std::move(warning));
  }
  remarks_.clear();
}

void hand_over(Piece piece, Result<std::vector<Voice>> voices, const Document& document, Remarks& remarks,
               const ReadOptions& options, PieceSink& sink) {
  if (document.damage()) {
    Diagnostic damage = *document.damage();
    damage.place.record = piece.id;
    sink.warn(std::move(damage));
  }
  remarks.flush(sink, piece.id);
  if (!voices) {
    Error why = std::move(voices.error());
    why.place.file = options.file;
    why.place.record = piece.id;
    sink.skip(std::move(why));
    return;
  }
  piece.voices = std::move(*voices);
  if (options.keep_source) piece.source_text = document.source_text();
  sink.piece(std::move(piece));
}

}  // namespace rondo::xml
