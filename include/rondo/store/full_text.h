#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo {

/// What can be searched for words, as in `composer:telemann`: title, composer, source, shelfmark (with the library),
/// catalogue, text (what is sung), fields (everything else).
[[nodiscard]] std::span<const std::string_view> full_text_columns();

/// Turns what a person types into a question to SQLite's full text that is always well formed:
///
///     ave maria            both words, anywhere, in any order; accents and case do not matter
///     "ave maria"          the words in this order
///     gloria*              words that begin so
///     -requiem             not this
///     composer:bach        only there; also composer:"c p e bach", -title:mass
///
/// Anything else is taken as text. Without a word to look for: the error `text-query`.
[[nodiscard]] Result<std::string> full_text_query(std::string_view typed);

}  // namespace rondo
