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
// As English schools write them; "me" and "te" are no flats there.
constexpr std::array kEnglish = {
    Syllable{"doh", 0, 0}, Syllable{"ray", 1, 0}, Syllable{"fah", 3, 0}, Syllable{"soh", 4, 0}, Syllable{"lah", 5, 0},
    Syllable{"me", 2, 0},  Syllable{"te", 6, 0},  Syllable{"do", 0, 0},  Syllable{"re", 1, 0},  Syllable{"mi", 2, 0},
    Syllable{"fa", 3, 0},  Syllable{"so", 4, 0},  Syllable{"la", 5, 0},  Syllable{"ti", 6, 0}};
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

/// A sign or syllable of another script, and what it is in the tables.
struct Latin {
  std::string_view from;
  std::string_view to;
};
constexpr std::array kInLatin = {
    // r\u00e9, b\u00e9mol, di\u00e8se
    Latin{"\xC3\xA9", "e"},
    Latin{"\xC3\xA8", "e"},
    Latin{"\xC3\x89", "e"},
    // do re mi fa sol la si in Cyrillic, Katakana and Hangul; what begins like another stands before it
    Latin{"\xD1\x81\xD0\xBE\xD0\xBB\xD1\x8C", "sol"},
    Latin{"\xD0\xA1\xD0\xBE\xD0\xBB\xD1\x8C", "sol"},
    Latin{"\xD0\xA1\xD0\x9E\xD0\x9B\xD0\xAC", "sol"},
    Latin{"\xD0\xB4\xD0\xBE", "do"},
    Latin{"\xD0\x94\xD0\xBE", "do"},
    Latin{"\xD0\x94\xD0\x9E", "do"},
    Latin{"\xD1\x80\xD0\xB5", "re"},
    Latin{"\xD0\xA0\xD0\xB5", "re"},
    Latin{"\xD0\xA0\xD0\x95", "re"},
    Latin{"\xD0\xBC\xD0\xB8", "mi"},
    Latin{"\xD0\x9C\xD0\xB8", "mi"},
    Latin{"\xD0\x9C\xD0\x98", "mi"},
    Latin{"\xD1\x84\xD0\xB0", "fa"},
    Latin{"\xD0\xA4\xD0\xB0", "fa"},
    Latin{"\xD0\xA4\xD0\x90", "fa"},
    Latin{"\xD0\xBB\xD1\x8F", "la"},
    Latin{"\xD0\x9B\xD1\x8F", "la"},
    Latin{"\xD0\x9B\xD0\xAF", "la"},
    Latin{"\xD1\x81\xD0\xB8", "si"},
    Latin{"\xD0\xA1\xD0\xB8", "si"},
    Latin{"\xD0\xA1\xD0\x98", "si"},
    Latin{"\xE3\x83\x95\xE3\x82\xA1", "fa"},
    Latin{"\xE3\x83\x89", "do"},
    Latin{"\xE3\x83\xAC", "re"},
    Latin{"\xE3\x83\x9F", "mi"},
    Latin{"\xE3\x82\xBD", "so"},
    Latin{"\xE3\x83\xA9", "la"},
    Latin{"\xE3\x82\xB7", "si"},
    Latin{"\xEB\x8F\x84", "do"},
    Latin{"\xEB\xA0\x88", "re"},
    Latin{"\xEB\xAF\xB8", "mi"},
    Latin{"\xED\x8C\x8C", "fa"},
    Latin{"\xEC\x86\x94", "sol"},
    Latin{"\xEB\x9D\xBC", "la"},
    Latin{"\xEC\x8B\x9C", "si"},
};

/// A text in the letters of the tables, which knows where each stood.
struct LatinText {
  std::string text;
  std::vector<std::size_t> origin;
};
LatinText in_latin(std::string_view text) {
  LatinText out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const auto* const found =
        std::find_if(kInLatin.begin(), kInLatin.end(), [&](const Latin& one) { return rest.starts_with(one.from); });
    const bool known = found != kInLatin.end();
    out.text += known ? found->to : rest.substr(0, 1);
    out.origin.resize(out.text.size(), i);
    i += known ? found->from.size() : 1;
  }
  out.origin.push_back(text.size());
  return out;
}

Result<Draft> read_latin(const std::string& text) {
  const auto words = split_words(text, [](char c) { return is_letter(c); });
  const bool english = std::any_of(words.begin(), words.end(), [](const Word& word) {
    const std::string small = lowered(word.text);
    return std::any_of(kEnglish.begin(), kEnglish.end(),
                       [&](const Syllable& one) { return one.text.size() == 3 && small.starts_with(one.text); });
  });
  if (english) {
    if (auto tonic_sol_fa = read_with(words, kEnglish, "every word is a syllable such as doh, ray, me")) {
      return tonic_sol_fa;
    }
  }
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

}  // namespace

Result<Draft> read_solmization(std::string_view original) {
  const LatinText latin = in_latin(original);
  auto draft = read_latin(latin.text);
  if (!draft && draft.error().place.column > 0) {
    std::uint32_t& column = draft.error().place.column;
    column = static_cast<std::uint32_t>(latin.origin[std::min<std::size_t>(column - 1, latin.text.size())]) + 1;
  }
  return draft;
}

}  // namespace rondo::query
