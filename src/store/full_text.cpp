#include "store/full_text.h"

#include <algorithm>
#include <array>

#include "store/cjk_bigrams.h"

namespace rondo {
namespace {

constexpr std::array<std::string_view, 7> kColumns = {"title",     "composer", "source", "shelfmark",
                                                      "catalogue", "text",     "fields"};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; }

/// False for text in which the tokenizer finds no word: as a condition it would exclude everything.
bool has_word(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
    if (c < 0x80) continue;
    // Dashes, typographic quotes and the symbols of Latin-1 (U+2000..206F, U+0080..00BF) are no letters either.
    const bool punctuation = c == 0xE2 && i + 2 < text.size() && (text[i + 1] == '\x80' || text[i + 1] == '\x81');
    if (!punctuation && c != 0xC2) return true;
    i += punctuation ? 2 : 1;
  }
  return false;
}

/// Upper bound of the number of words that the tokenizer finds.
std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    // A character beyond ASCII may separate words.
    if (letter && (!inside || byte >= 0xC0)) ++words;
    inside = letter;
  }
  return words;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
}

/// Removes the next word or phrase from `rest`, with its prefix and operators.
struct Term {
  bool exclude = false;
  std::string_view column;
  std::string_view text;
  bool prefix = false;
  bool quoted = false;
};

Term next_term(std::string_view& rest) {
  Term term;
  if (rest.size() > 1 && rest.front() == '-' && !is_space(rest[1])) {
    term.exclude = true;
    rest.remove_prefix(1);
  }
  for (const std::string_view column : kColumns) {
    if (rest.size() > column.size() + 1 && rest.starts_with(column) && rest[column.size()] == ':' &&
        !is_space(rest[column.size() + 1])) {
      term.column = column;
      rest.remove_prefix(column.size() + 1);
      break;
    }
  }
  if (rest.starts_with('"')) {
    term.quoted = true;
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('"'), rest.size());
    term.text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  } else {
    const auto* const space = std::find_if(rest.begin(), rest.end(), is_space);
    const auto end = static_cast<std::size_t>(space - rest.begin());
    term.text = rest.substr(0, end);
    rest.remove_prefix(end);
    if (term.text.ends_with('*')) {
      term.prefix = true;
      term.text.remove_suffix(1);
    }
  }
  return term;
}

void append(std::string& to, std::string_view joint, const Term& term) {
  if (!to.empty()) to += joint;
  if (!term.column.empty()) (to += term.column) += " : ";
  to += quoted(term.text);
  if (term.prefix) to += " *";
}

}  // namespace

std::span<const std::string_view> full_text_columns() { return kColumns; }

Result<FullTextQuery> full_text_query(std::string_view typed) {
  std::string clean(typed);
  std::replace(clean.begin(), clean.end(), '\0', ' ');
  std::string_view rest = clean;
  FullTextQuery out;
  std::string unwanted;
  // The list of each word is read, for each prefix many, and this cannot be interrupted.
  constexpr std::size_t kMostWords = 200;
  constexpr std::size_t kPrefixCounts = 10;
  constexpr std::size_t kMostParts = 10;
  constexpr std::size_t kShortestPrefix = 2;
  std::size_t words = 0;
  bool wanted = false;
  for (;;) {
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) break;
    Term term = next_term(rest);
    if (!has_word(term.text)) continue;
    // The user may still be typing the last word.
    if (rest.empty() && !term.exclude && !term.quoted && term.text.size() >= kShortestPrefix) term.prefix = true;
    const bool within = has_cjk(term.text);
    words += count_words(term.text) * (term.prefix && !within ? kPrefixCounts : 1);
    if (words > kMostWords) {
      return fail("text-query", "there are more than 200 words (a word with '*' counts as ten)", {}, "use fewer words");
    }
    if (within) {
      if (out.parts.size() == kMostParts) return fail("text-query", "there are too many words", {}, "use fewer words");
      out.parts.push_back({std::string(term.text), std::string(term.column), term.exclude});
      wanted = wanted || !term.exclude;
    } else if (term.exclude) {
      append(unwanted, " OR ", term);
    } else {
      append(out.match, " AND ", term);
      wanted = true;
    }
  }
  if (!wanted) {
    return fail(
        "text-query",
        unwanted.empty() && out.parts.empty() ? "there is no word to search for" : "there are only words to exclude",
        {}, "write a word, \"a phrase\" or the beginning of a word with *");
  }
  if (out.match.empty()) {
    out.without = std::move(unwanted);
  } else if (!unwanted.empty()) {
    out.match = "(" + out.match + ") NOT (" + unwanted + ")";
  }
  return out;
}

}  // namespace rondo
