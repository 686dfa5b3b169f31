#include "formats/esac/metadata.h"

#include <algorithm>
#include <array>

#include "formats/legacy_text.h"

namespace rondo::esac {
namespace {

struct MemberName {
  std::string_view field;
  std::string Metadata::*member;
};
/// SRC is Essen's; the others have no name in EsAC.
constexpr std::array kMembers = {
    MemberName{"SRC", &Metadata::source},      MemberName{"COMPOSER", &Metadata::composer},
    MemberName{"LIBRARY", &Metadata::library}, MemberName{"SHELFMARK", &Metadata::shelfmark},
    MemberName{"URI", &Metadata::uri},         MemberName{"YEAR", &Metadata::year},
};

struct FieldName {
  std::string_view field;
  std::string_view name;
};
/// The first of a name is written.
constexpr std::array kNames = {
    FieldName{"REG", "region"}, FieldName{"FCT", "function"}, FieldName{"FKT", "function"}, FieldName{"CMT", "notes"},
    FieldName{"BEM", "notes"},  FieldName{"REM", "notes"},    FieldName{"TXT", "text"},     FieldName{"ETH", "people"},
};
constexpr std::string_view kTitle = "CUT";
constexpr std::string_view kIncipit = "incipit";  // the second line of CUT
constexpr std::string_view kCatalogue = "CATALOGUE";
constexpr std::string_view kIdentity = "RONDO_ID";
constexpr std::string_view kCollection = "collection";  // the line before the fields

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return out;
}

/// Lines joined by blanks: where a line ends has no meaning in texts.
std::string joined(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = to_utf8_line(text.substr(0, end));
    if (!out.empty() && !line.empty()) out += ' ';
    out += line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string_view name_of(std::string_view field) {
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& row) { return row.field == field; });
  return found == kNames.end() ? std::string_view() : found->name;
}

/// A name without an EsAC field is used as the field name itself, if it can be read back.
std::string field_of(std::string_view name) {
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& row) { return row.name == name; });
  if (found != kNames.end()) return std::string(found->field);
  std::string field(name);
  for (char& c : field) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c & ~0x20);
  }
  constexpr std::array kTaken = {
      kTitle, kCatalogue, kIdentity, std::string_view("KEY"), std::string_view("MEL"), std::string_view("TRD")};
  const auto is_member = [&](const auto& row) { return row.field == field; };
  if (std::find(kTaken.begin(), kTaken.end(), field) != kTaken.end() || !name_of(field).empty() ||
      std::any_of(kMembers.begin(), kMembers.end(), is_member) || field_start(field + "[").name != field) {
    return {};
  }
  return in_lower_case(field) == name ? field : std::string();
}

bool put_member(Metadata& metadata, std::string_view field, const std::string& text) {
  for (const MemberName& row : kMembers) {
    if (row.field != field || !(metadata.*row.member).empty()) continue;
    metadata.*row.member = text;
    return true;
  }
  return false;
}

void put_title(Metadata& metadata, std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  metadata.title = to_utf8_line(text.substr(0, end));
  if (end == text.size()) return;
  std::string rest = joined(text.substr(end + 1));
  if (metadata.title.empty()) {
    metadata.title = std::move(rest);
  } else if (!rest.empty()) {
    metadata.fields.emplace_back(kIncipit, std::move(rest));
  }
}

}  // namespace

Description describe(const Record& record) {
  Description out;
  Metadata& metadata = out.metadata;
  std::string heading = to_utf8_line(record.heading);
  if (!heading.empty()) metadata.fields.emplace_back(kCollection, std::move(heading));
  for (const Field& field : record.fields) {
    if (field.name == "KEY" || field.name == "MEL") continue;
    if (field.name == kTitle) {
      put_title(metadata, field.text);
      continue;
    }
    std::string text = joined(field.text);
    if (text.empty()) continue;
    if (field.name == kIdentity) {
      out.id = std::move(text);
    } else if (field.name == kCatalogue) {
      metadata.catalogue.push_back(std::move(text));
    } else if (!put_member(metadata, field.name, text) && !(field.name == "TRD" && put_member(metadata, "SRC", text))) {
      const std::string_view known = name_of(field.name);
      metadata.fields.emplace_back(known.empty() ? in_lower_case(field.name) : std::string(known), std::move(text));
    }
  }
  return out;
}

WrittenFields write_fields(const Piece& piece) {
  WrittenFields out;
  const Metadata& about = piece.metadata;
  const auto add = [](std::string& to, std::string_view field, const std::string& text) {
    std::string line = to_utf8_line(text);
    // A ">" at the end would be read as the mark of a database after the bracket.
    if (!line.empty()) to.append(field).append(1, '[').append(line).append("]\n");
  };
  const std::string collection = to_utf8_line(about.field(kCollection));
  if (!collection.empty() && field_start(collection).name.empty()) out.before += collection + "\n";
  const std::string incipit = to_utf8_line(about.field(kIncipit));
  const std::string title = to_utf8_line(about.title);
  // In a line of its own below the title, unless the title would end the field there, or it looks like another field:
  // then in a field with its own name.
  const bool below_title =
      !incipit.empty() && !title.empty() && !ends_field(title) && field_start(incipit).name.empty();
  out.before.append(kTitle).append(1, '[').append(title);
  if (below_title) out.before.append("\n").append(incipit);
  out.before += "]\n";
  add(out.before, kIdentity, piece.id);
  for (const MemberName& row : kMembers) add(out.before, row.field, about.*row.member);
  bool collected = collection.empty();
  bool opened = !below_title;
  for (const auto& [name, text] : about.fields) {
    if (!collected && name == kCollection) {
      collected = true;
    } else if (!opened && name == kIncipit) {
      opened = true;
    } else if (const std::string field = field_of(name); !field.empty()) {
      add(out.behind, field, text);
    }
  }
  std::size_t first = 0;
  if (!about.catalogue.empty()) {
    const std::string number = to_utf8_line(about.catalogue.front());
    const bool word = !number.empty() && number != kNoNumber && number.find_first_of(" []") == std::string::npos;
    if (word) out.number = number;
    first = word ? 1 : 0;
  }
  if (out.number.empty()) out.number = kNoNumber;
  for (std::size_t i = first; i < about.catalogue.size(); ++i) add(out.before, kCatalogue, about.catalogue[i]);
  return out;
}

}  // namespace rondo::esac
