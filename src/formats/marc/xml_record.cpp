#include "formats/marc/xml_record.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"
#include "formats/marc/tidy.h"
#include "melody/limits.h"

namespace rondo::marc {
namespace {

using namespace std::string_view_literals;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

constexpr auto kEndsName = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view(" \n\t\r>/=<")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();
bool ends_name(char c) { return kEndsName[static_cast<unsigned char>(c)]; }

/// The entity that begins with the & at the front: its code point and length; 0 and 0 when it is none.
std::pair<char32_t, std::size_t> entity_at(std::string_view text) {
  constexpr std::size_t kLongest = 12;
  const std::size_t end = text.substr(0, kLongest).find(';');
  if (end == std::string_view::npos) return {0, 0};
  const char32_t code = entity(text.substr(1, end - 1));
  return code == 0 ? std::pair<char32_t, std::size_t>{0, 0} : std::pair{code, end + 1};
}

/// Length of the tag at the front; ignores > inside quotes.
std::size_t tag_length(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t length_to(std::string_view text, std::string_view terminator) {
  const std::size_t at = text.find(terminator);
  return at == std::string_view::npos ? text.size() : at + terminator.size();
}

/// Replaces well-formed XML by its text content, in place: never longer than the source.
std::size_t resolve_in_place(char* text, std::size_t size) {
  const std::string_view all(text, size);
  std::size_t out = 0;
  const auto copy = [&](std::size_t from, std::size_t count) {
    std::memmove(text + out, text + from, count);
    out += count;
  };
  for (std::size_t at = 0; at < size;) {
    const std::string_view rest = all.substr(at);
    if (rest.front() == '&') {
      const auto [code, length] = entity_at(rest);
      if (length == 0) {
        copy(at++, 1);
        continue;
      }
      std::string bytes;
      append_utf8(bytes, code);
      std::copy(bytes.begin(), bytes.end(), text + out);
      out += bytes.size();
      at += length;
    } else if (rest.front() == '<') {
      constexpr std::string_view kCdata = "<![CDATA[";
      if (rest.starts_with(kCdata)) {
        const std::size_t length = length_to(rest, "]]>");
        copy(at + kCdata.size(), length - kCdata.size() - 3);
        at += length;
      } else {
        at += rest.starts_with("<!--"sv) ? length_to(rest, "-->")
              : rest.starts_with("<?"sv) ? length_to(rest, "?>")
                                         : tag_length(rest);
      }
    } else {
      const std::size_t run = std::min(rest.find_first_of("&<"), rest.size());
      copy(at, run);
      at += run;
    }
  }
  return out;
}

}  // namespace

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

XmlRecordParser::Parsed XmlRecordParser::parse(char* text, std::size_t size, Record& record) {
  text_ = text;
  size_ = size;
  at_ = 0;
  begin_ = 0;
  record_ = &record;
  record.clear();
  open_.clear();
  replaced_.clear();
  repaired_ = false;
  plain_ = true;
  do {
    const auto* next = static_cast<const char*>(std::memchr(text_ + at_, '<', size_ - at_));
    if (next == nullptr) return {};
    at_ = static_cast<std::size_t>(next - text_);
    if (const Outcome outcome = markup(); outcome != Outcome::complete) return {outcome, at_};
  } while (!open_.empty());
  resolve_texts(view(begin_, at_));
  return {Outcome::complete, at_};
}

XmlRecordParser::Outcome XmlRecordParser::broken(std::string what) {
  problem_ = std::move(what);
  return Outcome::broken;
}

/// Reads what begins with the < here and leaves `at_` after it.
XmlRecordParser::Outcome XmlRecordParser::markup() {
  constexpr std::size_t kDecides = 9;  // "<![CDATA["
  const std::string_view rest = view(at_, size_);
  if (rest.size() < 2) return Outcome::incomplete;
  if (rest[1] == '/') return end_tag();
  if (rest[1] != '!' && rest[1] != '?') return start_tag();
  plain_ = false;
  if (rest[1] == '?') return skip_past("?>");
  if (rest.starts_with("<!--"sv)) return skip_past("-->");
  if (rest.starts_with("<![CDATA["sv)) return skip_past("]]>");
  return rest.size() < kDecides ? Outcome::incomplete : broken("a declaration stands inside a record");
}

XmlRecordParser::Outcome XmlRecordParser::skip_past(std::string_view terminator) {
  const std::size_t found = view(at_, size_).find(terminator);
  if (found == std::string_view::npos) return Outcome::incomplete;
  at_ += found + terminator.size();
  return Outcome::complete;
}

XmlRecordParser::Outcome XmlRecordParser::start_tag() {
  const std::size_t tag_at = at_++;
  const std::size_t name_at = at_;
  while (at_ < size_ && !ends_name(text_[at_])) ++at_;
  if (at_ == size_) return Outcome::incomplete;
  const std::string_view name = view(name_at, at_);
  if (name.empty()) return broken("a < that begins no tag");
  tag_ = kOtherTag;
  code_ = ' ';
  bool closed = false;
  if (const Outcome outcome = attributes(closed); outcome != Outcome::complete) return outcome;
  return opened(tag_at, name, closed);
}

XmlRecordParser::Outcome XmlRecordParser::attributes(bool& closed) {
  for (;;) {
    while (at_ < size_ && is_space(text_[at_])) ++at_;
    if (at_ == size_) return Outcome::incomplete;
    if (text_[at_] == '>') {
      ++at_;
      return Outcome::complete;
    }
    if (text_[at_] == '/') {
      if (at_ + 1 == size_) return Outcome::incomplete;
      if (text_[at_ + 1] != '>') return broken("a / inside a tag");
      closed = true;
      at_ += 2;
      return Outcome::complete;
    }
    if (const Outcome outcome = attribute(); outcome != Outcome::complete) return outcome;
  }
}

XmlRecordParser::Outcome XmlRecordParser::attribute() {
  const std::size_t name_at = at_;
  while (at_ < size_ && !ends_name(text_[at_])) ++at_;
  const std::string_view name = view(name_at, at_);
  while (at_ < size_ && is_space(text_[at_])) ++at_;
  if (at_ == size_) return Outcome::incomplete;
  if (name.empty() || text_[at_] != '=') return broken("an attribute without a value");
  ++at_;
  while (at_ < size_ && is_space(text_[at_])) ++at_;
  if (at_ == size_) return Outcome::incomplete;
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') return broken("an attribute whose value is not in quotes");
  const std::size_t value_at = ++at_;
  // A value may not contain <, so an unclosed quote is found at the next tag.
  while (at_ < size_ && text_[at_] != quote && text_[at_] != '<') ++at_;
  if (at_ == size_) return Outcome::incomplete;
  if (text_[at_] == '<') return broken("an attribute whose quotes are not closed");
  std::string_view value = view(value_at, at_++);
  if (name != "tag" && name != "code") return Outcome::complete;
  std::string resolved;
  if (value.find('&') != std::string_view::npos) {
    resolved = value;
    resolved.resize(resolve_in_place(resolved.data(), resolved.size()));
    value = resolved;
  }
  if (name == "tag") {
    tag_ = tag_number(value);
  } else if (!value.empty()) {
    code_ = value.front();
  }
  return Outcome::complete;
}

XmlRecordParser::Outcome XmlRecordParser::opened(std::size_t tag_at, std::string_view name, bool closed) {
  const std::string_view local = local_name(name);
  const Element parent = open_.empty() ? Element::other : open_.back().element;
  Element element = Element::other;
  if (local == "record") {
    if (!record_->fields.empty() || !record_->leader.empty()) return broken("a record begins inside a record");
    open_.clear();
    begin_ = tag_at;
    element = Element::record;
  } else if (parent == Element::record && local == "leader") {
    element = Element::leader;
  } else if (parent == Element::record && local == "controlfield") {
    element = Element::control_field;
    record_->fields.push_back({tag_, {}, static_cast<std::uint32_t>(record_->subfields.size()), 0});
  } else if (parent == Element::record && local == "datafield") {
    element = Element::data_field;
    record_->fields.push_back({tag_, {}, static_cast<std::uint32_t>(record_->subfields.size()), 0});
  } else if (parent == Element::data_field && local == "subfield") {
    element = Element::subfield;
    record_->subfields.push_back({code_, {}});
    ++record_->fields.back().count;
  } else {
    plain_ = false;
  }
  if (open_.size() >= static_cast<std::size_t>(limits::kNesting)) return broken("elements nested too deeply");
  open_.push_back({name, element});
  const bool holds_text =
      element == Element::leader || element == Element::control_field || element == Element::subfield;
  if (holds_text) text_from_ = at_;
  if (closed) close(at_);
  return Outcome::complete;
}

XmlRecordParser::Outcome XmlRecordParser::end_tag() {
  const std::size_t tag_at = at_;
  std::size_t end = at_ + 2;
  const std::string_view expected = open_.back().name;
  // Fast path: nearly always it is the expected tag, without anything after its name.
  if (end + expected.size() < size_ && std::memcmp(text_ + end, expected.data(), expected.size()) == 0 &&
      text_[end + expected.size()] == '>') {
    at_ = end + expected.size() + 1;
    close(tag_at);
    return Outcome::complete;
  }
  while (end < size_ && !ends_name(text_[end])) ++end;
  const std::string_view name = view(tag_at + 2, end);
  while (end < size_ && is_space(text_[end])) ++end;
  if (end == size_) return Outcome::incomplete;
  if (text_[end] != '>') return broken("an end tag that is not closed");
  if (name != expected) {
    return broken("</" + repair_utf8(utf8_prefix(name, 40)) + "> stands where </" +
                  repair_utf8(utf8_prefix(expected, 40)) + "> belongs");
  }
  at_ = end + 1;
  close(tag_at);
  return Outcome::complete;
}

/// The innermost element ends; if it holds text, that reaches to `text_end`.
void XmlRecordParser::close(std::size_t text_end) {
  const std::string_view text = view(std::min(text_from_, text_end), text_end);
  switch (open_.back().element) {
    case Element::leader: record_->leader = text; break;
    case Element::control_field: record_->fields.back().text = text; break;
    case Element::subfield: record_->subfields.back().text = text; break;
    default: break;
  }
  open_.pop_back();
}

void XmlRecordParser::resolve_texts(std::string_view record) {
  const bool escapes = !plain_ || record.find('&') != std::string_view::npos;
  const bool utf8 = is_utf8(record);
  if (!escapes && utf8) return;
  resolve(record_->leader, escapes, utf8);
  for (Field& field : record_->fields) resolve(field.text, escapes, utf8);
  for (Subfield& subfield : record_->subfields) resolve(subfield.text, escapes, utf8);
}

void XmlRecordParser::resolve(std::string_view& text, bool escapes, bool utf8) {
  if (escapes && text.find_first_of("&<") != std::string_view::npos) {
    char* mutable_text = text_ + (text.data() - text_);
    text = {mutable_text, resolve_in_place(mutable_text, text.size())};
  }
  if (!utf8 && !is_utf8(text)) {
    repaired_ = true;
    text = replaced_.emplace_back(repair_utf8(text));
  }
}

}  // namespace rondo::marc
