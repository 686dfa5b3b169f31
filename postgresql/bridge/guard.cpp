#include "bridge/guard.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"

namespace rondo::postgresql {
namespace {

RondoError last_error{};
/// More would only fill logs: who reads a text needs to know that something is wrong with it.
std::array<RondoError, 3> last_warnings{};
std::size_t warning_count = 0;

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

void copy_diagnostic(const Diagnostic& from, RondoError& to) {
  // Messages quote input, which need not be text in any encoding.
  copy(from.code, to.code);
  copy(repair_utf8(from.message), to.message);
  copy(repair_utf8(from.place.to_string()), to.place);
  copy(repair_utf8(from.hint), to.hint);
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
    copy_diagnostic(error, last_error);
  } catch (...) {
    remember_text("out-of-memory", "out of memory while an error was reported");
  }
}

void forget_warnings() noexcept { warning_count = 0; }

void remember_warnings(const Diagnostics& warnings) noexcept {
  forget_warnings();
  try {
    for (const Diagnostic& one : warnings) {
      if (warning_count == last_warnings.size()) break;
      copy_diagnostic(one, last_warnings[warning_count]);
      ++warning_count;
    }
  } catch (...) {  // there is not enough memory to say it
  }
}

namespace {

std::string& kept() {
  static std::string text;
  return text;
}

}  // namespace

RondoBytes keep(std::string&& text) {
  kept() = std::move(text);
  return bytes_of(kept());
}

void forget_kept() noexcept { std::string().swap(kept()); }

std::vector<std::string> strings(const RondoBytes* list, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(view(list[i]));
  return out;
}

}  // namespace rondo::postgresql

const RondoError* rondo_error(void) { return &rondo::postgresql::last_error; }

const RondoError* rondo_warning(size_t number) {
  return number < rondo::postgresql::warning_count ? &rondo::postgresql::last_warnings[number] : nullptr;
}
