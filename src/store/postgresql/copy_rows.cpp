#include "store/postgresql/copy_rows.h"

#include <limits>

#include "base/utf8.h"

namespace rondo::postgresql {
namespace {

constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);
constexpr std::size_t kHeader = kSignature.size() + 8;  // flags, and the length of an extension
constexpr std::string_view kEscape = "\\x";
constexpr char kDigits[] = "0123456789abcdef";

template <typename Number>
void append_number(std::string& to, Number value) {
  for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8) {
    to += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
  }
}

template <typename Number>
Number number_at(std::string_view bytes) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value = static_cast<Number>(value << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

Failure garbled() {
  return fail("store-protocol", "the server sent rows that cannot be parsed", {},
              "check that the address is that of a PostgreSQL server with a collection of this version");
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

CopyWriter::CopyWriter() {
  buffer_ = kSignature;
  append_number(buffer_, std::uint32_t{0});
  append_number(buffer_, std::uint32_t{0});
}

void CopyWriter::row(std::size_t fields) { append_number(buffer_, static_cast<std::uint16_t>(fields)); }

void CopyWriter::integer(std::int64_t value) {
  append_number(buffer_, std::uint32_t{sizeof value});
  append_number(buffer_, static_cast<std::uint64_t>(value));
}

void CopyWriter::null() { append_number(buffer_, std::numeric_limits<std::uint32_t>::max()); }

void CopyWriter::bytes(std::string_view value) {
  append_number(buffer_, static_cast<std::uint32_t>(value.size()));
  buffer_ += value;
}

void CopyWriter::text(std::string_view value) { bytes(stored_text(value)); }

void CopyWriter::end() { append_number(buffer_, std::numeric_limits<std::uint16_t>::max()); }

void CopyReader::add(std::string_view bytes) {
  buffer_.erase(0, position_);
  position_ = 0;
  buffer_ += bytes;
}

Result<bool> CopyReader::read_header() {
  if (buffer_.size() < kHeader) return false;
  const std::string_view bytes(buffer_);
  if (!bytes.starts_with(kSignature)) return garbled();
  const auto extension = number_at<std::uint32_t>(bytes.substr(kHeader - 4));
  if (extension != 0) return garbled();  // no version of PostgreSQL sends one
  position_ = kHeader;
  began_ = true;
  return true;
}

Result<const std::vector<CopyField>*> CopyReader::next() {
  if (!began_) {
    auto header = read_header();
    if (!header) return fail(std::move(header.error()));
    if (!*header) return nullptr;
  }
  if (ended_) return nullptr;
  std::string_view rest = std::string_view(buffer_).substr(position_);
  if (rest.size() < 2) return nullptr;
  const auto count = number_at<std::uint16_t>(rest);
  if (count == std::numeric_limits<std::uint16_t>::max()) {
    ended_ = true;
    return nullptr;
  }
  if (count != fields_) return garbled();
  rest.remove_prefix(2);
  row_.clear();
  for (std::size_t i = 0; i < fields_; ++i) {
    if (rest.size() < 4) return nullptr;
    const auto length = number_at<std::uint32_t>(rest);
    rest.remove_prefix(4);
    if (length == std::numeric_limits<std::uint32_t>::max()) {
      row_.emplace_back();
      continue;
    }
    // PostgreSQL's values have less than a gigabyte.
    if (length > (std::uint32_t{1} << 30U)) return garbled();
    if (rest.size() < length) return nullptr;
    row_.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  position_ = buffer_.size() - rest.size();
  return &row_;
}

Result<std::int64_t> integer_of(CopyField field) {
  if (!field || field->size() != sizeof(std::int64_t)) return garbled();
  return static_cast<std::int64_t>(number_at<std::uint64_t>(*field));
}

std::string stored_text(std::string_view text) {
  if (!text.starts_with(kEscape) && text.find('\0') == std::string_view::npos && is_utf8(text))
    return std::string(text);
  std::string out(kEscape);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    (out += kDigits[byte >> 4U]) += kDigits[byte & 15U];
  }
  return out;
}

Result<std::string> original_text(std::string_view stored) {
  if (!stored.starts_with(kEscape)) return std::string(stored);
  stored.remove_prefix(kEscape.size());
  if (stored.size() % 2 != 0) return garbled();
  std::string out;
  for (std::size_t i = 0; i < stored.size(); i += 2) {
    const int high = digit_of(stored[i]);
    const int low = digit_of(stored[i + 1]);
    if (high < 0 || low < 0) return garbled();
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

}  // namespace rondo::postgresql
