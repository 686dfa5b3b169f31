#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// The columns of the full-text index, as in `composer:telemann`: title, composer, source, shelfmark (with the
/// library), catalogue, text (what is sung), fields (everything else).
[[nodiscard]] std::span<const std::string_view> full_text_columns();

/// A string of a script without blanks, such as 月夜, that must occur (or not) within the texts of a piece.
struct TextPart {
  std::string text{};
  std::string column{};  ///< of full_text_columns(); empty: any
  bool exclude = false;
};

/// A parsed full-text query.
struct FullTextQuery {
  std::string match{};    ///< an FTS5 query, always well formed; may be empty
  std::string without{};  ///< the same for pieces to be excluded, if there is no `match` that excludes them
  std::vector<TextPart> parts{};
};

/// Parses what a user types:
///
///     ave maria            both words, anywhere, in any order; accents and case do not matter
///     "ave maria"          the words in this order
///     gloria* a prefix; the last word is a prefix unless a blank or quotes end it
///     -requiem             not this
/// composer:bach only in that column; also composer:"c p e bach", -title:mass
///     月夜                 Chinese, Japanese and Korean: within any text; also title:月夜, -月夜
///
/// Anything else is text. Without any word: the error `text-query`.
[[nodiscard]] Result<FullTextQuery> full_text_query(std::string_view typed);

}  // namespace rondo
