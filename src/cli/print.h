#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

/// Everything that the program prints. A stream that is closed, full or gone never ends a command in the middle of its
/// work (fmt::print would throw): main asks at the end whether all was written.
namespace rondo::cli {

/// To standard output or standard error.
void write_to(std::FILE* stream, std::string_view text);

template <typename... Values>
void print_to(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  write_to(stream, fmt::format(format, std::forward<Values>(values)...));
}

/// Writes what is buffered. Why something that was printed to this stream did not arrive, as errno says it; 0: it did.
[[nodiscard]] int printing_error(std::FILE* stream);

/// To be called first. A standard stream that is closed stays unusable, but its number must not go to the next file
/// that is opened: a message would be written into a collection.
void reserve_standard_streams();

}  // namespace rondo::cli
