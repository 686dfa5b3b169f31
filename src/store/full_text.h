#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// What can be searched for words, as in `composer:telemann`: title, composer, source, shelfmark (with the library),
/// catalogue, text (what is sung), fields (everything else).
[[nodiscard]] std::span<const std::string_view> full_text_columns();

/// A text of a script without blanks, such as 月夜, that must occur (or not) within the texts of a piece.
struct TextPart {
  std::string text{};
  std::string column{};  ///< of full_text_columns(); empty: any
  bool exclude = false;
};

/// What is looked for in the texts of pieces.
struct FullTextQuery {
  std::string match{};    ///< a question to SQLite's full text that is always well formed; may be empty
  std::string without{};  ///< the same for pieces to be left out, where there is no `match` that says so
  std::vector<TextPart> parts{};
};

/// Understands what a person types:
///
///     ave maria            both words, anywhere, in any order; accents and case do not matter
///     "ave maria"          the words in this order
///     gloria*              words that begin so; the last word is taken so unless a blank or quotes end it
///     -requiem             not this
///     composer:bach        only there; also composer:"c p e bach", -title:mass
///     月夜                 Chinese, Japanese and Korean: within any text; also title:月夜, -月夜
///
/// Anything else is taken as text. Without a word to look for: the error `text-query`.
[[nodiscard]] Result<FullTextQuery> full_text_query(std::string_view typed);

}  // namespace rondo
