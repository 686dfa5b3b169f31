#include "formats/legacy_text.h"

#include <cstdint>

#include "base/utf8.h"

namespace rondo {

std::string to_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 4);
  for (const char c : bytes) append_utf8(out, static_cast<std::uint8_t>(c));
  return out;
}

std::string to_utf8_line(std::string_view bytes) {
  std::string out = to_utf8(bytes);
  for (char& c : out) {
    if (static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  const std::size_t first = out.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return out.substr(first, out.find_last_not_of(' ') - first + 1);
}

}  // namespace rondo
