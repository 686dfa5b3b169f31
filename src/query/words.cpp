#include <algorithm>

#include "query/draft.h"

namespace rondo::query {
namespace {

bool joins_words(char c) { return is_letter(c) || is_digit(c) || c == '#'; }

/// Whether all words end in one comma, or all but the last: a list as one writes it, finished or not.
bool is_comma_list(const std::vector<Word>& words) {
  const auto ends_in_one = [](const Word& w) {
    return w.text.size() > 1 && w.text.ends_with(',') && !w.text.ends_with(",,");
  };
  return words.size() > 1 && std::all_of(words.begin(), words.end() - 1, ends_in_one) &&
         (ends_in_one(words.back()) || !words.back().text.ends_with(','));
}

/// "C,D,E": parts of one word, none of them empty.
std::vector<Word> split_at_commas(const Word& word) {
  std::vector<Word> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= word.text.size(); ++i) {
    if (i < word.text.size() && word.text[i] != ',') continue;
    if (i == begin) return {word};
    parts.push_back({word.text.substr(begin, i - begin), word.at + begin});
    begin = i + 1;
  }
  return parts;
}

}  // namespace

std::vector<Word> split_words(std::string_view text, bool (*after_hyphen)(char)) {
  std::vector<Word> words;
  std::size_t begin = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > begin) words.push_back({text.substr(begin, end - begin), begin});
    begin = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool hyphen = c == '-' && after_hyphen != nullptr && i > begin && i + 1 < text.size() &&
                        joins_words(text[i - 1]) && after_hyphen(text[i + 1]);
    if (is_blank(c) || c == ';' || hyphen) {
      end_word(i);
    } else if (c == '|') {
      end_word(i);
      words.push_back({text.substr(i, 1), i});
    }
  }
  end_word(text.size());
  // "C D E , F G A": a comma by itself parts phrases.
  if (words.size() > 1) std::erase_if(words, [](const Word& word) { return word.text == ","; });
  if (is_comma_list(words)) {
    for (Word& word : words) {
      if (word.text.ends_with(',')) word.text.remove_suffix(1);
    }
  } else if (words.size() == 1) {
    words = split_at_commas(words.front());
  }
  return words;
}

std::optional<Event> sign_event(std::string_view word) {
  if (word == "|" || word == "/") return Event{.kind = Event::Kind::bar};
  // Whoever leaves a note open without knowing our sign draws a line or a cross.
  if (word == "?" || word == "_" || word == "x" || word == "X") return Event{.kind = Event::Kind::unknown_note};
  if (word == "*" || word == "..." || word == "..") return Event{.kind = Event::Kind::unknown_stretch};
  return std::nullopt;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool all_of(std::string_view text, std::string_view signs) {
  return text.find_first_not_of(signs) == std::string_view::npos;
}

}  // namespace rondo::query
