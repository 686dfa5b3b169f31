#include "formats/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"

namespace rondo {
namespace {

constexpr std::array<char16_t, 32> kWindows1252 = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                   0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

void append_latin1(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80U] : byte);
  }
}

void append_utf16(std::string& out, std::string_view bytes, bool little) {
  const auto unit = [bytes, little](std::size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at]);
    const auto b = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(little ? a | (b << 8U) : b | (a << 8U));
  };
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    const char32_t first = unit(at);
    if (first >= 0xD800 && first < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t second = unit(at + 2);
      if (second >= 0xDC00 && second < 0xE000) {
        append_utf8(out, 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00));
        at += 2;
        continue;
      }
    }
    append_utf8(out, first);
  }
}

/// Length of the prefix that ends at a complete UTF-16 character.
std::size_t whole_characters(std::string_view bytes, TextEncoding encoding) {
  if (encoding != TextEncoding::utf16le && encoding != TextEncoding::utf16be) return bytes.size();
  std::size_t size = bytes.size() - bytes.size() % 2;
  if (size >= 2) {
    const auto high = static_cast<unsigned char>(bytes[encoding == TextEncoding::utf16le ? size - 1 : size - 2]);
    if (high >= 0xD8 && high < 0xDC) size -= 2;
  }
  return size;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return out;
}

/// The value of encoding="..." in the XML declaration, empty where there is none.
std::string_view declared_encoding(std::string_view head) {
  if (!head.starts_with("<?xml")) return {};
  const std::string_view declaration = head.substr(0, head.find("?>"));
  const std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  const std::size_t open = declaration.find_first_of("'\"", at);
  if (open == std::string_view::npos) return {};
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  return declaration.substr(open + 1, close - open - 1);
}

std::optional<TextEncoding> encoding_of_name(std::string_view name) {
  const std::string small = lower(name);
  // If "UTF-16" is declared but the text is in bytes, a program converted it without updating the declaration.
  for (const std::string_view known : {"", "utf-8", "utf8", "us-ascii", "ascii", "utf-16"}) {
    if (small == known) return TextEncoding::utf8;
  }
  for (const std::string_view known :
       {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252"}) {
    if (small == known) return TextEncoding::latin1;
  }
  return std::nullopt;
}

}  // namespace

XmlEncoding xml_encoding(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\xEF\xBB\xBF"sv)) return {TextEncoding::utf8, "UTF-8", 3};
  if (head.starts_with("\xFF\xFE"sv)) return {TextEncoding::utf16le, "UTF-16", 2};
  if (head.starts_with("\xFE\xFF"sv)) return {TextEncoding::utf16be, "UTF-16", 2};
  if (head.starts_with("<\0?\0"sv)) return {TextEncoding::utf16le, "UTF-16", 0};
  if (head.starts_with("\0<\0?"sv)) return {TextEncoding::utf16be, "UTF-16", 0};
  const std::string_view name = declared_encoding(head);
  return {encoding_of_name(name), std::string(name), 0};
}

void append_as_utf8(std::string& out, std::string_view bytes, TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::utf8: out.append(bytes); break;
    case TextEncoding::latin1: append_latin1(out, bytes); break;
    case TextEncoding::utf16le: append_utf16(out, bytes, true); break;
    case TextEncoding::utf16be: append_utf16(out, bytes, false); break;
  }
}

Result<void> XmlUtf8Source::start() {
  started_ = true;
  constexpr std::size_t kHead = 1024;
  raw_.resize(kHead);
  std::size_t had = 0;
  while (had < kHead) {
    auto got = inner_.read(std::span<char>(raw_.data() + had, kHead - had));
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) break;
    had += *got;
  }
  raw_.resize(had);
  const XmlEncoding found = xml_encoding(raw_);
  if (!found.encoding) {
    return fail("xml-encoding-unknown", "the encoding \"" + repair_utf8(found.name) + "\" is not read", {},
                "convert the file to UTF-8");
  }
  encoding_ = *found.encoding;
  raw_.erase(0, found.mark);
  return {};
}

Result<bool> XmlUtf8Source::convert_more() {
  ready_.clear();
  served_ = 0;
  const std::size_t front = whole_characters(raw_, encoding_);
  append_as_utf8(ready_, std::string_view(raw_).substr(0, front), encoding_);
  raw_.erase(0, front);
  if (!ready_.empty()) return true;
  constexpr std::size_t kStep = std::size_t{64} * 1024;
  const std::size_t had = raw_.size();
  raw_.resize(had + kStep);
  auto got = inner_.read(std::span<char>(raw_.data() + had, kStep));
  raw_.resize(had + got.value_or(0));
  if (!got) return fail(std::move(got.error()));
  if (*got != 0) return true;
  if (raw_.empty()) return false;
  // Half a character at the end of the file.
  raw_.clear();
  append_utf8(ready_, 0xFFFD);
  return true;
}

Result<std::size_t> XmlUtf8Source::read(std::span<char> into) {
  if (!started_) {
    if (auto done = start(); !done) return fail(std::move(done.error()));
  }
  if (into.empty()) return 0;
  while (served_ == ready_.size()) {
    if (encoding_ == TextEncoding::utf8 && raw_.empty()) return inner_.read(into);
    auto more = convert_more();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return 0;
  }
  const std::size_t count = std::min(into.size(), ready_.size() - served_);
  std::memcpy(into.data(), ready_.data() + served_, count);
  served_ += count;
  return count;
}

}  // namespace rondo
