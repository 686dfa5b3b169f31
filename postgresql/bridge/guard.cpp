#include "bridge/guard.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace rondo::postgresql {
namespace {

RondoError last_error{};

template <std::size_t Size>
void copy(std::string_view text, char (&to)[Size]) noexcept {
  std::size_t size = std::min(text.size(), Size - 1);
  // Not in the middle of a character: PostgreSQL wants texts whole.
  if (size < text.size()) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  }
  for (std::size_t i = 0; i < size; ++i) to[i] = text[i] == '\0' ? ' ' : text[i];
  to[size] = '\0';
}

}  // namespace

void remember_text(std::string_view code, std::string_view message) noexcept {
  copy(code, last_error.code);
  copy(message, last_error.message);
  copy("", last_error.place);
  copy("", last_error.hint);
}

void remember(const Error& error) noexcept {
  try {
    // Messages quote input, which need not be text in any encoding.
    remember_text(error.code, repair_utf8(error.message));
    copy(repair_utf8(error.place.to_string()), last_error.place);
    copy(repair_utf8(error.hint), last_error.hint);
  } catch (...) {
    remember_text("out-of-memory", "out of memory while an error was reported");
  }
}

RondoBytes keep(std::string&& text) {
  static std::string kept;
  kept = std::move(text);
  return bytes_of(kept);
}

std::vector<std::string> strings(const RondoBytes* list, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(view(list[i]));
  return out;
}

}  // namespace rondo::postgresql

const RondoError* rondo_error(void) { return &rondo::postgresql::last_error; }
