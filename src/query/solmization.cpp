#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "query/draft.h"

namespace rondo::query {
namespace {

struct Syllable {
  std::string_view text;
  int step;
  int alter;
};
// Of Romance languages and of sol-fa with its chromatic syllables; "si" is the seventh note.
constexpr std::array kSyllables = {
    Syllable{"sol", 4, 0}, Syllable{"do", 0, 0},  Syllable{"ut", 0, 0},  Syllable{"re", 1, 0}, Syllable{"mi", 2, 0},
    Syllable{"fa", 3, 0},  Syllable{"so", 4, 0},  Syllable{"la", 5, 0},  Syllable{"si", 6, 0}, Syllable{"ti", 6, 0},
    Syllable{"di", 0, 1},  Syllable{"ri", 1, 1},  Syllable{"fi", 3, 1},  Syllable{"li", 5, 1}, Syllable{"ra", 1, -1},
    Syllable{"me", 2, -1}, Syllable{"se", 4, -1}, Syllable{"le", 5, -1}, Syllable{"te", 6, -1}};
constexpr std::array kLetters = {Syllable{"d", 0, 0}, Syllable{"r", 1, 0}, Syllable{"m", 2, 0}, Syllable{"f", 3, 0},
                                 Syllable{"s", 4, 0}, Syllable{"l", 5, 0}, Syllable{"t", 6, 0}};
constexpr std::array kSargam = {Syllable{"dha", 5, 0}, Syllable{"sa", 0, 0}, Syllable{"re", 1, 0},
                                Syllable{"ri", 1, 0},  Syllable{"ga", 2, 0}, Syllable{"ma", 3, 0},
                                Syllable{"pa", 4, 0},  Syllable{"da", 5, 0}, Syllable{"ni", 6, 0}};

/// A syllable with what follows it: "sib", "fa#4", "do'". Nothing: it is none.
template <typename Table>
std::optional<Event> syllable_at(std::string_view& rest, const Table& table, bool& marked) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Syllable& one) { return rest.starts_with(one.text); });
  if (found == table.end()) return std::nullopt;
  rest.remove_prefix(found->text.size());
  Event event{.step = found->step, .alter = found->alter};
  if (rest.starts_with("##") || rest.starts_with("bb")) {
    event.alter = rest.front() == '#' ? 2 : -2;
    rest.remove_prefix(2);
  } else if (rest.starts_with('#') || rest.starts_with('b')) {
    event.alter += rest.front() == '#' ? 1 : -1;
    rest.remove_prefix(1);
  }
  if (found->text.size() > 1 && !rest.empty() && is_digit(rest.front())) {
    event.octave = rest.front() - '0';
    rest.remove_prefix(1);
  }
  int marks = 0;
  while (!event.octave && !rest.empty() && (rest.front() == '\'' || rest.front() == ',') && marks > -5 && marks < 5) {
    marks += rest.front() == '\'' ? 1 : -1;
    rest.remove_prefix(1);
  }
  marked = marked || marks != 0;
  if (marks != 0) event.octave = 4 + marks;
  return event;
}

template <typename Table>
bool read_word(std::string_view word, const Table& table, std::vector<Event>& events, bool& marked) {
  const std::size_t before = events.size();
  std::string_view rest = word;
  while (!rest.empty()) {
    auto event = syllable_at(rest, table, marked);
    if (!event) {
      events.resize(before);
      return false;
    }
    events.push_back(*event);
  }
  return true;
}

/// "solasi": so la si, not sol.
std::string with_short_sol(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    out += word[i];
    if (word[i] == 'l' && out.ends_with("sol") && word.substr(i + 1).starts_with('a')) out += 'l';
  }
  return out;
}

template <typename Table>
Result<Draft> read_with(const std::vector<Word>& words, const Table& table, std::string because) {
  Draft draft{.kind = QueryKind::solmization, .because = std::move(because)};
  bool marked = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (word.text == "-" && i > 0) continue;
    if (auto sign = sign_event(word.text)) {
      draft.events.push_back(*sign);
      continue;
    }
    const std::string small = lowered(word.text);
    if (!draft.events.empty() && draft.events.back().kind == Event::Kind::note) {
      const bool flat = small == "bemol" || small == "bemolle" || small == "flat";
      if (flat || small == "diese" || small == "diesis" || small == "sharp" || small == "sostenido") {
        draft.events.back().alter += flat ? -1 : 1;
        continue;
      }
    }
    if (!read_word(small, table, draft.events, marked) &&
        !read_word(with_short_sol(small), table, draft.events, marked)) {
      return not_this(word.at, fmt::format("'{}' is not a syllable such as do, re, mi", word.text));
    }
  }
  const bool any_note = std::any_of(draft.events.begin(), draft.events.end(),
                                    [](const Event& event) { return event.kind == Event::Kind::note; });
  if (!any_note) return not_this(0);
  for (Event& event : draft.events) {
    if (marked && event.kind == Event::Kind::note && !event.octave) event.octave = 4;
  }
  return draft;
}

/// Accents of do, re, mi and so on fall away: "r\u00e9", "b\u00e9mol", "di\u00e8se".
std::string without_accents(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\xC3\xA9") || rest.starts_with("\xC3\xA8") || rest.starts_with("\xC3\x89")) {
      out += 'e';
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

Result<Draft> read_solmization(std::string_view original) {
  const std::string text = without_accents(original);
  const auto words = split_words(text, [](char c) { return is_letter(c); });
  auto syllables = read_with(words, kSyllables, "every word is a syllable such as do, re, mi");
  if (syllables) return syllables;
  const std::string small = lowered(text);
  // Each of these has a syllable that the other tables lack.
  const bool letters = std::any_of(words.begin(), words.end(), [](const Word& word) {
    return word.text.find_first_of("rmslt") != std::string_view::npos;
  });
  const bool short_words =
      std::all_of(words.begin(), words.end(), [](const Word& word) { return word.text.size() <= 3; });
  if (letters && short_words) {
    if (auto sol_fa = read_with(words, kLetters, "every word is a letter of tonic sol-fa (d r m f s l t)")) {
      return sol_fa;
    }
  }
  if (auto sargam = read_with(words, kSargam, "every word is a syllable of sargam (sa re ga ma pa dha ni)")) {
    return sargam;
  }
  return syllables;
}

}  // namespace rondo::query
