#pragma once

#include <string>
#include <string_view>

/// Chinese, Japanese and Korean are written without blanks: a word of them is looked for within texts, by the pairs of
/// signs that occur in it.
namespace rondo {

/// Whether a sign of U+2E80..DFFF (with Kana and Hangul) or U+10000..3FFFF occurs. Signs are recognised by their bytes
/// alone, whatever stands around them: a part of a text never has signs that the text has not.
[[nodiscard]] bool has_cjk(std::string_view text);

/// Appends the index terms of a text, each with a blank: for each sign the pair of it and the next, or the sign alone
/// where none follows. A term is the numbers of its signs, five hexadecimal digits each.
void append_cjk_terms(std::string_view text, std::string& to);

/// The terms of all texts that contain `part`, as a condition of FTS5 over the terms above. Empty where `part` has no
/// whole sign.
[[nodiscard]] std::string cjk_condition(std::string_view part);

/// Whether that condition holds for no other texts: `part` is one sign or two and nothing else.
[[nodiscard]] bool is_decided_by_bigrams(std::string_view part);

}  // namespace rondo
