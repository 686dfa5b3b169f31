#pragma once

#include <string>
#include <string_view>

/// Chinese, Japanese and Korean are written without blanks: words are found within texts by character bigrams.
namespace rondo {

/// Whether a character of U+2E80..DFFF (with Kana and Hangul) or U+10000..3FFFF occurs. Characters are recognised by
/// their bytes alone, independent of context: every character of a substring is a character of the text.
[[nodiscard]] bool has_cjk(std::string_view text);

/// Appends the index terms of a text, each with a blank: for each CJK character its bigram with the next, or the
/// character alone if none follows. A term is the code points of its characters, five hexadecimal digits each.
void append_cjk_terms(std::string_view text, std::string& to);

/// An FTS5 condition over these terms that holds for all texts that contain `part`. Empty if `part` has no complete CJK
/// character.
[[nodiscard]] std::string cjk_condition(std::string_view part);

/// Whether that condition holds for no other texts: `part` is one or two CJK characters and nothing else.
[[nodiscard]] bool is_decided_by_bigrams(std::string_view part);

}  // namespace rondo
