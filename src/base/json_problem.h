#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo {

/// A message of the JSON library about a text, as UTF-8. The library quotes what it has read up to the byte at which it
/// stopped (number `byte`, from 1), which may be the first of a letter: the message gets the whole letter.
[[nodiscard]] std::string json_problem(std::string_view message, std::string_view text, std::size_t byte);

}  // namespace rondo
