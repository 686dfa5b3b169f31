#include "formats/abc/metadata.h"

#include <algorithm>
#include <array>

#include "formats/abc/text.h"

namespace rondo::abc {
namespace {

/// The first T, C, S and F are members of Metadata; repeated ones, and all others, become fields of these names.
struct FieldName {
  char letter;
  std::string_view name;
};
constexpr std::array kNames = {
    FieldName{'X', "number"},  FieldName{'T', "title"},         FieldName{'C', "composer"},
    FieldName{'S', "source"},  FieldName{'F', "uri"},           FieldName{'A', "area"},
    FieldName{'B', "book"},    FieldName{'D', "discography"},   FieldName{'G', "group"},
    FieldName{'H', "history"}, FieldName{'N', "notes"},         FieldName{'O', "origin"},
    FieldName{'P', "parts"},   FieldName{'Q', "tempo"},         FieldName{'R', "rhythm"},
    FieldName{'W', "words"},   FieldName{'Z', "transcription"},
};

std::string_view name_of(char letter) {
  for (const FieldName& field : kNames) {
    if (field.letter == letter) return field.name;
  }
  return {};
}

char letter_of(std::string_view name) {
  for (const FieldName& field : kNames) {
    if (field.name == name) return field.letter;
  }
  return '\0';
}

std::string* own_place(Metadata& metadata, char letter) {
  switch (letter) {
    case 'T': return &metadata.title;
    case 'C': return &metadata.composer;
    case 'S': return &metadata.source;
    case 'F': return &metadata.uri;
    default: return nullptr;
  }
}

void put(Metadata& metadata, char letter, const std::string& text) {
  std::string* place = own_place(metadata, letter);
  if (place != nullptr && place->empty()) {
    *place = text;
  } else {
    metadata.fields.emplace_back(name_of(letter), text);
  }
}

/// Members of Metadata for which ABC has no field.
struct NamedPlace {
  std::string_view name;
  std::string Metadata::*place;
};
constexpr std::array kNamedPlaces = {
    NamedPlace{"library", &Metadata::library},
    NamedPlace{"shelfmark", &Metadata::shelfmark},
    NamedPlace{"year", &Metadata::year},
};
constexpr std::string_view kCatalogue = "catalogue";

/// Names for T:, C:, S: and F: in exact metadata; no field has such a name.
constexpr std::array kExactPlaces = {
    NamedPlace{"@title", &Metadata::title},
    NamedPlace{"@composer", &Metadata::composer},
    NamedPlace{"@source", &Metadata::source},
    NamedPlace{"@uri", &Metadata::uri},
};

void put_named(Metadata& metadata, const std::string& name, const std::string& text) {
  const auto into = [&](const auto& places) {
    for (const NamedPlace& known : places) {
      if (known.name != name) continue;
      metadata.*known.place = text;
      return true;
    }
    return false;
  };
  if (into(kNamedPlaces) || into(kExactPlaces)) return;
  if (name == kCatalogue) {
    metadata.catalogue.push_back(text);
  } else {
    metadata.fields.emplace_back(name, text);
  }
}

/// Encodes text losslessly on one line: control characters and outer blanks, in names all blanks, are escaped by their
/// code points.
std::string encode_exactly(std::string_view text, bool is_name) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool at_end = i == 0 || i + 1 == text.size();
    if (c != 0 && (c < 0x20 || (c == ' ' && (at_end || is_name)))) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[c >> 4U];
      out += kHex[c & 15U];
    } else {
      if (c == '\\' || c == '%' || c == '&') out += '\\';
      if (c != 0) out += text[i];
    }
  }
  return out;
}

/// Writes lines and tracks how a reader will interpret them.
class HeadingWriter {
 public:
  void number(std::string_view text) {
    out_.append("X:").append(text).append(1, '\n');
    read_.add('X', text);
  }
  void field(char letter, std::string_view text) {
    const std::string value = encode(text);
    if (value.empty()) return;
    out_.append(1, letter).append(1, ':').append(value).append(1, '\n');
    read_.add(letter, without_comment(value));
  }
  void named(std::string_view name, std::string_view text) {
    if (name.empty()) return;
    const std::string line = encode_exactly(name, true) + " " + encode_exactly(text, false);
    out_.append("%%").append(kFieldDirective).append(1, ' ').append(line).append(1, '\n');
    read_.add_named(line);
  }
  [[nodiscard]] bool reads_as(const Metadata& metadata) const { return read_.metadata({}) == metadata; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
  Headings read_;
};

void write_places(HeadingWriter& writer, const Metadata& metadata) {
  for (const NamedPlace& known : kNamedPlaces) {
    if (!(metadata.*known.place).empty()) writer.named(known.name, metadata.*known.place);
  }
  for (const std::string& entry : metadata.catalogue) writer.named(kCatalogue, entry);
}

std::string write_exactly(const Metadata& metadata) {
  HeadingWriter writer;
  for (const NamedPlace& known : kExactPlaces) {
    if (!(metadata.*known.place).empty()) writer.named(known.name, metadata.*known.place);
  }
  write_places(writer, metadata);
  for (const auto& [name, text] : metadata.fields) writer.named(name, text);
  return "%%" + std::string(kExactDirective) + "\n" + writer.take();
}

}  // namespace

bool Headings::knows(char letter) { return !name_of(letter).empty(); }

void Headings::add(char letter, std::string_view text) { fields_.emplace_back(letter, decode(trim(text))); }

void Headings::add_named(std::string_view text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  if (end > 0) named_.emplace_back(decode(text.substr(0, end)), decode(trim(text.substr(end))));
}

void Headings::extend(std::string_view text) {
  if (fields_.empty()) return;
  std::string& last = fields_.back().second;
  if (!last.empty()) last += ' ';
  last += decode(trim(text));
}

bool Headings::has(char letter) const {
  for (const auto& [known, text] : fields_) {
    if (known == letter) return true;
  }
  return false;
}

Metadata Headings::metadata(const Headings& defaults) const {
  Metadata metadata;
  for (const auto& [letter, text] : fields_) {
    if (!text.empty() && !only_named_) put(metadata, letter, text);
  }
  for (const auto& [letter, text] : defaults.fields_) {
    if (!text.empty() && !only_named_ && !has(letter)) put(metadata, letter, text);
  }
  for (const auto& [name, text] : named_) put_named(metadata, name, text);
  return metadata;
}

std::string write_headings(const Metadata& metadata) {
  HeadingWriter writer;
  const std::string_view number = metadata.field("number");
  const bool plain = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  writer.number(plain ? number : "1");
  writer.field('T', metadata.title);
  writer.field('C', metadata.composer);
  writer.field('S', metadata.source);
  writer.field('F', metadata.uri);
  std::vector<std::pair<std::string_view, std::string_view>> others;
  for (const auto& [name, text] : metadata.fields) {
    const char letter = letter_of(name);
    if (letter == '\0') {
      others.emplace_back(name, text);
    } else if (letter != 'X' && letter != 'P') {
      writer.field(letter, text);
    }
  }
  HeadingWriter named = writer;
  write_places(named, metadata);
  for (const auto& [name, text] : others) named.named(name, text);
  return named.reads_as(metadata) ? named.take() : writer.take() + write_exactly(metadata);
}

}  // namespace rondo::abc
