#pragma once

#include <string>
#include <string_view>

namespace rondo::cli {

/// Help as CLI11 writes it, with lines broken at words so that none is wider than `width` where that can be. What goes
/// on stays in its column; a command of the example is broken as a shell takes it, with a backslash.
[[nodiscard]] std::string wrap_help(std::string_view help, std::size_t width);

/// Text broken at words, each line no wider than `width` columns where its words allow; a longer word is cut.
[[nodiscard]] std::string wrap_words(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Number of changes of a letter that turn one word into the other (Levenshtein), neighbours swapped counting once: for
/// "did you mean".
[[nodiscard]] std::size_t word_distance(std::string_view a, std::string_view b);

}  // namespace rondo::cli
