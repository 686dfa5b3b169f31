#include "formats/abc/metadata.h"

#include <algorithm>
#include <array>

#include "formats/abc/text.h"

namespace rondo::abc {
namespace {

/// The first T, C, S and F have their own place in Metadata; further ones, and all others, are fields of these names.
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

/// Metadata with a place of its own that no field of ABC has.
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

void put_named(Metadata& metadata, const std::string& name, const std::string& text) {
  for (const NamedPlace& known : kNamedPlaces) {
    if (known.name != name) continue;
    metadata.*known.place = text;
    return;
  }
  if (name == kCatalogue) {
    metadata.catalogue.push_back(text);
  } else {
    metadata.fields.emplace_back(name, text);
  }
}

void write_named(std::string& out, std::string_view name, std::string_view text) {
  const std::string value = encode(text);
  if (value.empty() || name.empty() || name.find_first_of(" \t\r\n%\\&") != std::string_view::npos) return;
  out.append("%%").append(kFieldDirective).append(1, ' ').append(name).append(1, ' ').append(value).append(1, '\n');
}

void write_field(std::string& out, char letter, std::string_view text) {
  const std::string value = encode(text);
  if (!value.empty()) out.append(1, letter).append(1, ':').append(value).append(1, '\n');
}

}  // namespace

bool Headings::knows(char letter) { return !name_of(letter).empty(); }

void Headings::add(char letter, std::string_view text) { fields_.emplace_back(letter, decode(trim(text))); }

void Headings::add_named(std::string_view text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  if (end > 0) named_.emplace_back(text.substr(0, end), decode(trim(text.substr(end))));
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
    if (!text.empty()) put(metadata, letter, text);
  }
  for (const auto& [letter, text] : defaults.fields_) {
    if (!text.empty() && !has(letter)) put(metadata, letter, text);
  }
  for (const auto& [name, text] : named_) put_named(metadata, name, text);
  return metadata;
}

std::string write_headings(const Metadata& metadata) {
  std::string out = "X:";
  const std::string_view number = metadata.field("number");
  const bool plain = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  out += plain ? std::string(number) : "1";
  out += '\n';
  write_field(out, 'T', metadata.title);
  for (const auto& [name, text] : metadata.fields) {
    if (name == "title") write_field(out, 'T', text);
  }
  write_field(out, 'C', metadata.composer);
  write_field(out, 'S', metadata.source);
  write_field(out, 'F', metadata.uri);
  for (const auto& [name, text] : metadata.fields) {
    const char letter = letter_of(name);
    if (letter == '\0') write_named(out, name, text);
    if (letter != '\0' && letter != 'X' && letter != 'T' && letter != 'P') write_field(out, letter, text);
  }
  for (const NamedPlace& known : kNamedPlaces) write_named(out, known.name, metadata.*known.place);
  for (const std::string& entry : metadata.catalogue) write_named(out, kCatalogue, entry);
  return out;
}

}  // namespace rondo::abc
