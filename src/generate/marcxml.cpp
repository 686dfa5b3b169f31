#include "generate/marcxml.h"

#include "rondo/melody/piece.h"

namespace rondo {
namespace {

void escape(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t plain = text.find_first_of("&<>");
    out += text.substr(0, plain);
    if (plain == std::string_view::npos) return;
    out += text[plain] == '&' ? "&amp;" : text[plain] == '<' ? "&lt;" : "&gt;";
    text.remove_prefix(plain + 1);
  }
}

void subfield(std::string& out, char code, std::string_view text) {
  if (text.empty()) return;
  out += "<subfield code=\"";
  out += code;
  out += "\">";
  escape(out, text);
  out += "</subfield>";
}

void open(std::string& out, std::string_view tag) {
  out += "<datafield tag=\"";
  out += tag;
  out += R"(" ind1=" " ind2=" ">)";
}

void close(std::string& out) { out += "</datafield>\n"; }

void field(std::string& out, std::string_view tag, char code, std::string_view text) {
  if (text.empty()) return;
  open(out, tag);
  subfield(out, code, text);
  close(out);
}

/// The text after "@name:" in the lines of PAE; empty where there is no such line.
std::string_view line(std::string_view lines, std::string_view name) {
  while (!lines.empty()) {
    const std::string_view first = lines.substr(0, lines.find('\n'));
    if (first.size() > name.size() + 1 && first[0] == '@' && first.substr(1, name.size()) == name &&
        first[name.size() + 1] == ':') {
      return first.substr(name.size() + 2);
    }
    lines.remove_prefix(std::min(lines.size(), first.size() + 1));
  }
  return {};
}

/// 031 with the incipit number out of an id "rism:a.b.c".
void incipit(std::string& out, const Piece& piece, std::string_view number) {
  const std::string_view data = line(piece.source_text, "data");
  if (data.empty()) return;
  open(out, "031");
  const std::size_t first = number.find('.');
  const std::size_t second = first == std::string_view::npos ? first : number.find('.', first + 1);
  if (second != std::string_view::npos) {
    subfield(out, 'a', number.substr(0, first));
    subfield(out, 'b', number.substr(first + 1, second - first - 1));
    subfield(out, 'c', number.substr(second + 1));
  }
  subfield(out, 'd', piece.metadata.field("heading"));
  subfield(out, 'g', line(piece.source_text, "clef"));
  subfield(out, 'm', piece.metadata.field("scoring"));
  subfield(out, 'n', line(piece.source_text, "keysig"));
  subfield(out, 'o', line(piece.source_text, "timesig"));
  subfield(out, 'p', data);
  subfield(out, 'r', line(piece.source_text, "key"));
  subfield(out, '2', "pe");
  close(out);
}

/// "family 9000000017:1.1.1, variant transposed": a note, since MARC has no field for it.
std::string family_note(const Metadata& metadata) {
  const std::string_view family = metadata.field("family");
  const std::string_view variant = metadata.field("variant");
  if (family.empty() || variant.empty()) return {};
  std::string note = "family ";
  note += family;
  note += ", variant ";
  note += variant;
  return note;
}

}  // namespace

std::string_view marcxml_header() {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n";
}

std::string_view marcxml_footer() { return "</collection>\n"; }

void append_marcxml_record(std::string& out, const Piece& piece) {
  const Metadata& about = piece.metadata;
  const std::string_view id = piece.id;
  const std::size_t colon = id.find(':');
  out += "<record>\n<leader>00000ndm a2200000 u 4500</leader>\n<controlfield tag=\"001\">";
  escape(out, id.substr(0, colon));
  out += "</controlfield>\n";
  incipit(out, piece, colon == std::string_view::npos ? std::string_view() : id.substr(colon + 1));
  field(out, "100", 'a', about.composer);
  field(out, "240", 'a', about.title);
  field(out, "260", 'c', about.year);
  field(out, "500", 'a', family_note(about));
  if (!about.library.empty() || !about.shelfmark.empty()) {
    open(out, "852");
    subfield(out, 'a', about.library);
    subfield(out, 'c', about.shelfmark);
    close(out);
  }
  out += "</record>\n";
}

std::string marcxml_record(const Piece& piece) {
  std::string out;
  out.reserve(1024);
  append_marcxml_record(out, piece);
  return out;
}

}  // namespace rondo
