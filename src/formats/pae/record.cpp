#include "formats/pae/record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "formats/pae/signs.h"
#include "melody/limits.h"

namespace rondo::pae {
namespace {

struct NamedText {
  std::string_view name;
  std::string Metadata::*member;
};
constexpr std::array kMetadata = {NamedText{"title", &Metadata::title},
                                  NamedText{"composer", &Metadata::composer},
                                  NamedText{"source", &Metadata::source},
                                  NamedText{"library", &Metadata::library},
                                  NamedText{"shelfmark", &Metadata::shelfmark},
                                  NamedText{"uri", &Metadata::uri},
                                  NamedText{"year", &Metadata::year}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

std::optional<Record::Part> part_of(std::string_view name) {
  for (std::size_t i = 0; i < Record::kParts; ++i) {
    if (Record::kPartNames[i] == name) return static_cast<Record::Part>(i);
  }
  if (name == "tsig") return Record::kTimeSignature;  // in examples of the specification
  if (name == "ksig") return Record::kKeySignature;
  return std::nullopt;
}

std::string Metadata::*member_of(std::string_view name) {
  const auto it = std::find_if(kMetadata.begin(), kMetadata.end(), [&](const NamedText& m) { return m.name == name; });
  return it == kMetadata.end() ? nullptr : it->member;
}

void keep_source(Record& record, std::string_view line) {
  if (!record.source_text.empty()) record.source_text += '\n';
  record.source_text += line;
}

std::size_t trailing_blanks(std::string_view line) {
  std::size_t count = 0;
  while (count < line.size() && is_blank(line[line.size() - 1 - count])) ++count;
  return count;
}

bool is_name_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '.';
}

}  // namespace

PaeFields Record::fields() const {
  return PaeFields{parts[kClef].text,
                   parts[kKeySignature].text,
                   parts[kTimeSignature].text,
                   parts[kKey].text,
                   parts[kData].text,
                   parts[kVersion].text,
                   parts[kClef].line != 0 && parts[kClef].text.empty()};
}

void Record::locate(Place& place) const {
  for (std::size_t i = 0; i < kParts; ++i) {
    if (place.field != kPartNames[i]) continue;
    const Field& field = parts[i];
    place.line = field.line != 0 ? field.line : line;
    if (place.column != 0 && field.line != 0) place.column += field.column - 1;
    return;
  }
  place.line = line;
}

void set_field(Record& record, std::string_view name, std::string_view value, std::uint32_t line,
               std::uint32_t column) {
  const std::string key = lower(name);
  const std::string_view text = trimmed(value);
  if (const auto part = part_of(key)) {
    const auto blanks = static_cast<std::uint32_t>(text.empty() ? 0 : text.data() - value.data());
    record.parts[*part] = Record::Field{std::string(text), line, column + blanks};
  } else if (auto member = member_of(key)) {
    record.metadata.*member = text;
  } else if (key == "id") {
    record.id = text;
  } else if (key == "voice") {
    record.voice = text;
  } else if (key == "catalogue") {
    if (!text.empty()) record.metadata.catalogue.emplace_back(text);
  } else if (key == "field" && text.find('=') != std::string_view::npos) {
    const std::size_t equals = text.find('=');
    record.metadata.fields.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  } else if (key != "start" && key != "end") {
    record.metadata.fields.emplace_back(name, text);
  }
}

bool is_repeated(const Record& record, std::string_view name) {
  const std::string key = lower(name);
  if (const auto part = part_of(key)) return record.parts[*part].line != 0;
  if (auto member = member_of(key)) return !(record.metadata.*member).empty();
  return (key == "id" && !record.id.empty()) || (key == "voice" && !record.voice.empty());
}

bool is_reserved_name(std::string_view name) {
  const std::string key = lower(name);
  return part_of(key) || member_of(key) != nullptr || key == "id" || key == "voice" || key == "catalogue" ||
         key == "field" || key == "start" || key == "end";
}

std::optional<FieldLine> read_field_line(std::string_view line) {
  if (line.size() < 3 || line.front() != '@') return std::nullopt;
  std::size_t end = 1;
  while (end < line.size() && is_name_sign(line[end])) ++end;
  const std::string_view name = line.substr(1, end - 1);
  if (name.size() < 2) return std::nullopt;
  if (end < line.size() && line[end] == ':') return FieldLine{name, line.substr(end + 1)};
  const std::string key = lower(name);
  if ((key == "start" || key == "end") && trimmed(line.substr(end)).empty()) return FieldLine{name, {}};
  return std::nullopt;
}

bool is_single_line(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2) return false;
  const std::string_view rest = line.substr(1);
  switch (line.front()) {
    case ';': return rest.starts_with("pe");
    case '%': return clef_extent(rest) > 0;
    case '$': return key_signature_extent(rest) > 1 && read_key_signature(rest.substr(0, key_signature_extent(rest)));
    case '@': return !read_field_line(line) && read_time(trimmed(rest.substr(0, time_extent(rest)))).has_value();
    default: return false;
  }
}

Record read_single_line(std::string_view line, std::uint32_t number) {
  Record record;
  record.line = number;
  record.source_text = line;
  std::size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < line.size() && is_blank(line[at])) ++at;
  };
  const auto set = [&](Record::Part part, std::size_t begin, std::size_t end) {
    record.parts[part] = Record::Field{std::string(trimmed(line.substr(begin, end - begin))), number,
                                       static_cast<std::uint32_t>(begin + 1)};
  };
  skip_blanks();
  if (line.substr(at).starts_with(";pe")) {
    const std::size_t end = at + (at + 3 < line.size() && is_digit(line[at + 3]) ? 4 : 3);
    set(Record::kVersion, at + 1, end);
    at = end;
  }
  for (;;) {
    skip_blanks();
    const char sign = at < line.size() ? line[at] : '\0';
    const auto part = sign == '%'   ? Record::kClef
                      : sign == '$' ? Record::kKeySignature
                      : sign == '@' ? Record::kTimeSignature
                                    : Record::kData;
    if (part == Record::kData || record.parts[part].line != 0) break;
    const std::string_view rest = line.substr(at + 1);
    std::size_t extent = sign == '%' ? clef_extent(rest) : sign == '$' ? key_signature_extent(rest) : time_extent(rest);
    if (extent == 0) extent = std::min(rest.find_first_of(" %$@"), rest.size());
    while (extent < rest.size() && (rest[extent] == '?' || rest[extent] == ';')) ++extent;
    set(part, at + 1, at + 1 + extent);
    at += 1 + extent;
  }
  set(Record::kData, at, line.size());
  return record;
}

bool is_json(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || (text.front() != '{' && text.front() != '[')) return false;
  const std::string_view inside = trimmed(text.substr(1));
  if (inside.empty()) return text.front() == '[';
  return text.front() == '{' ? inside.front() == '"' || inside.front() == '}'
                             : inside.front() == '{' || inside.front() == ']';
}

Result<Record> read_json_object(std::string_view text, std::uint32_t line) {
  Place place;
  place.line = line;
  auto json = json_or_null(text);
  if (json.is_array() && !json.empty()) json = nlohmann::json(json.front());
  if (!json.is_object()) {
    return fail("pae-json", "this is no JSON object", std::move(place), "quotes, commas and braces may be missing");
  }
  Record record;
  record.line = line;
  record.source_text = text;
  const auto set = [&](const std::string& name, const nlohmann::json& value) {
    if (value.is_string()) {
      set_field(record, name, value.get_ref<const std::string&>(), line, 1);
    } else if (value.is_number_integer()) {
      set_field(record, name, std::to_string(value.get<std::int64_t>()), line, 1);
    }
  };
  for (const auto& [name, value] : json.items()) {
    if (value.is_array()) {
      for (const auto& element : value) set(name, element);
    } else {
      set(name, value);
    }
  }
  return record;
}

std::optional<Record> RecordLines::close() {
  std::optional<Record> done;
  done.swap(open_);
  last_was_data_ = false;
  return done;
}

RecordLines::Outcome RecordLines::feed(std::string_view line, std::uint32_t number) {
  Outcome outcome;
  const std::string_view text = trimmed(line);
  if (text.empty()) {
    outcome.done[0] = close();
    return outcome;
  }
  if (const auto field = read_field_line(text)) {
    const std::string name = lower(field->name);
    if (name == "end") {
      if (open_) keep_source(*open_, line);
      outcome.done[0] = close();
      return outcome;
    }
    if (open_ && (name == "start" || is_repeated(*open_, name))) outcome.done[0] = close();
    if (!open_) {
      open_.emplace();
      open_->line = number;
    }
    keep_source(*open_, line);
    set_field(*open_, field->name, field->value, number,
              static_cast<std::uint32_t>(line.size() - trailing_blanks(line) - field->value.size() + 1));
    last_was_data_ = name == "data";
    return outcome;
  }
  if (is_single_line(text)) {
    outcome.done[0] = close();
    outcome.done[outcome.done[0] ? 1 : 0] = read_single_line(line, number);
    return outcome;
  }
  if (text.front() == '#') return outcome;
  if (open_ && last_was_data_) {  // notation broken over several lines
    keep_source(*open_, line);
    open_->parts[Record::kData].text += text;
    return outcome;
  }
  outcome.fate = Fate::junk;
  return outcome;
}

std::optional<Record> RecordLines::finish() { return close(); }

bool RecordLines::too_large() const { return open_ && open_->source_text.size() > limits::kRecordBytes; }

}  // namespace rondo::pae
