#include "formats/kern/reference.h"

#include <algorithm>
#include <array>

#include "formats/kern/token.h"
#include "formats/legacy_text.h"

namespace rondo::kern {
namespace {

/// Keys of Humdrum's own list that have a place in our metadata; the rest become fields under their keys.
struct Row {
  std::string_view key;
  std::string Metadata::*member;
};
constexpr std::array kRows = {
    Row{"COM", &Metadata::composer},        Row{"SMS", &Metadata::source}, Row{"SML", &Metadata::library},
    Row{"shelfmark", &Metadata::shelfmark}, Row{"URL", &Metadata::uri},    Row{"ODT", &Metadata::year},
};
constexpr std::string_view kTitle = "OTL";
constexpr std::string_view kCatalogue = "SCT";
constexpr std::string_view kId = "id";
constexpr std::string_view kSigns = "RDF**kern";
constexpr std::string_view kGuessMeaning = " = spelling guessed";

std::string guess_declaration() { return std::string(1, kGuessed) + std::string(kGuessMeaning); }

struct Entity {
  std::string_view name;
  std::string_view text;
};
/// Humdrum files are often ASCII with HTML entities for other letters.
constexpr std::array kEntities = {
    Entity{"auml", "ä"},   Entity{"ouml", "ö"},   Entity{"uuml", "ü"},   Entity{"Auml", "Ä"},   Entity{"Ouml", "Ö"},
    Entity{"Uuml", "Ü"},   Entity{"szlig", "ß"},  Entity{"euml", "ë"},   Entity{"iuml", "ï"},   Entity{"aacute", "á"},
    Entity{"eacute", "é"}, Entity{"iacute", "í"}, Entity{"oacute", "ó"}, Entity{"uacute", "ú"}, Entity{"yacute", "ý"},
    Entity{"Aacute", "Á"}, Entity{"Eacute", "É"}, Entity{"agrave", "à"}, Entity{"egrave", "è"}, Entity{"igrave", "ì"},
    Entity{"ograve", "ò"}, Entity{"ugrave", "ù"}, Entity{"Agrave", "À"}, Entity{"acirc", "â"},  Entity{"ecirc", "ê"},
    Entity{"icirc", "î"},  Entity{"ocirc", "ô"},  Entity{"ucirc", "û"},  Entity{"atilde", "ã"}, Entity{"ntilde", "ñ"},
    Entity{"otilde", "õ"}, Entity{"ccedil", "ç"}, Entity{"aring", "å"},  Entity{"oslash", "ø"}, Entity{"aelig", "æ"},
    Entity{"amp", "&"},    Entity{"quot", "\""},  Entity{"lt", "<"},     Entity{"gt", ">"},     Entity{"nbsp", " "},
};

std::string decode_entities(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string::npos;
    const Entity* found = nullptr;
    if (end != std::string::npos && end - at <= 7) {
      const std::string_view name = std::string_view(text).substr(at + 1, end - at - 1);
      for (const Entity& entity : kEntities) {
        if (entity.name == name) found = &entity;
      }
    }
    if (found == nullptr) {
      out += text[at];
    } else {
      out += found->text;
      at = end;
    }
  }
  return out;
}

/// An ampersand that would be read as the beginning of an entity is escaped.
std::string encode_entities(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool ambiguous = text[at] == '&' && decode_entities(std::string(text.substr(at, 8))).substr(0, 1) != "&";
    const bool encoded_already = text.substr(at).starts_with("&amp;");
    out += ambiguous || encoded_already ? "&amp;" : std::string(1, text[at]);
  }
  return out;
}

/// How good a title this key holds: OTL itself, then the original language (@@), then translations; 0 is no title.
int title_rank(std::string_view key) {
  if (key == kTitle) return 3;
  if (key.starts_with("OTL@@")) return 2;
  return key.starts_with("OTL@") ? 1 : 0;
}

class ReferenceReader {
 public:
  void take(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string key = to_utf8_line(line.substr(3, colon - 3));
    std::string value = decode_entities(to_utf8_line(line.substr(colon + 1)));
    if (key.empty() || value.empty()) return;
    if (key == kSigns && value == guess_declaration()) {
      found_.marks_guesses = true;
    } else if (key == kId && found_.id.empty()) {
      found_.id = std::move(value);
    } else if (key == kCatalogue) {
      found_.metadata.catalogue.push_back(std::move(value));
    } else if (!take_title(key, value) && !take_member(key, value)) {
      found_.metadata.fields.emplace_back(key, std::move(value));
    }
  }

  References finish() { return std::move(found_); }

 private:
  /// The best title is the title; others stay fields.
  bool take_title(const std::string& key, std::string& value) {
    const int rank = title_rank(key);
    if (rank == 0 || rank <= rank_) return false;
    if (rank_ != 0) found_.metadata.fields.emplace_back(title_key_, found_.metadata.title);
    rank_ = rank;
    title_key_ = key;
    found_.metadata.title = std::move(value);
    return true;
  }

  bool take_member(std::string_view key, std::string& value) {
    for (const Row& row : kRows) {
      if (row.key != key || !(found_.metadata.*row.member).empty()) continue;
      found_.metadata.*row.member = std::move(value);
      return true;
    }
    return false;
  }

  References found_;
  int rank_ = 0;
  std::string title_key_;
};

}  // namespace

References read_references(std::string_view record) {
  ReferenceReader reader;
  while (!record.empty()) {
    const std::size_t end = std::min(record.find('\n'), record.size());
    const std::string_view line = record.substr(0, end);
    record.remove_prefix(std::min(end + 1, record.size()));
    if (line.starts_with("!!!") && !line.starts_with("!!!!")) reader.take(line);
  }
  return reader.finish();
}

std::string write_references(const Piece& piece, bool mark_guesses) {
  std::string out;
  const auto add = [&](std::string_view key, std::string_view value) {
    const std::string line = to_utf8_line(value);
    if (!line.empty()) ((out += "!!!") += key) += ": " + encode_entities(line) + "\n";
  };
  const Metadata& about = piece.metadata;
  add(kId, piece.id);
  add(kTitle, about.title);
  for (const Row& row : kRows) add(row.key, about.*row.member);
  for (const std::string& number : about.catalogue) add(kCatalogue, number);
  for (const auto& [name, value] : about.fields) {
    // A name with a colon would be read as another name.
    const std::string key = to_utf8_line(name);
    if (!key.empty() && key.find(':') == std::string::npos && !key.starts_with('!')) add(key, value);
  }
  if (mark_guesses) add(kSigns, guess_declaration());
  return out;
}

}  // namespace rondo::kern
