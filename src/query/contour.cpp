#include <algorithm>
#include <array>

#include "query/draft.h"

namespace rondo::query {
namespace {

enum class Move : std::uint8_t { up, down, same, unknown, stretch };

std::optional<Move> move_of(char c) {
  switch (c) {
    case 'u':
    case '^': return Move::up;
    case 'd':
    case 'v': return Move::down;
    case 'r':
    case 's': return Move::same;
    case '?': return Move::unknown;
    case '*': return Move::stretch;
    default: return std::nullopt;
  }
}

/// Heights that go up, down and on as the moves say, none higher than it must be: each lies above as many notes as rise
/// to it or fall from it.
std::vector<int> heights_of(const std::vector<Move>& moves) {
  std::vector<int> heights(moves.size() + 1, 0);
  std::vector<std::size_t> place(moves.size() + 1, 0);  // repeated notes have one place
  std::vector<Move> turns;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] != Move::same) turns.push_back(moves[i]);
    place[i + 1] = turns.size();
  }
  std::vector<int> at(turns.size() + 1, 0);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i] == Move::up) at[i + 1] = at[i] + 1;
  }
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (turns[i] == Move::down) at[i] = std::max(at[i], at[i + 1] + 1);
  }
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = at[place[i]];
  return heights;
}

struct MoveWord {
  std::string_view text;
  char letter;
};
constexpr std::array kMoveWords = {
    MoveWord{"up", 'u'},          MoveWord{"higher", 'u'}, MoveWord{"down", 'd'},       MoveWord{"lower", 'd'},
    MoveWord{"same", 'r'},        MoveWord{"repeat", 'r'}, MoveWord{"level", 'r'},      MoveWord{"auf", 'u'},
    MoveWord{"hoch", 'u'},        MoveWord{"rauf", 'u'},   MoveWord{"ab", 'd'},         MoveWord{"runter", 'd'},
    MoveWord{"tiefer", 'd'},      MoveWord{"gleich", 'r'}, MoveWord{"haut", 'u'},       MoveWord{"bas", 'd'},
    MoveWord{"m\xC3\xAAme", 'r'}, MoveWord{"su", 'u'},     MoveWord{"gi\xC3\xB9", 'd'}, MoveWord{"uguale", 'r'},
    MoveWord{"sube", 'u'},        MoveWord{"arriba", 'u'}, MoveWord{"baja", 'd'},       MoveWord{"abajo", 'd'},
    MoveWord{"igual", 'r'},
};

/// "up up down same" as letters; nothing where a word is something else.
std::optional<std::string> letters_of_words(std::string_view text) {
  std::string letters;
  bool any_word = false;
  for (const Word& word : split_words(text)) {
    const std::string small = lowered(word.text);
    const auto* const found =
        std::find_if(kMoveWords.begin(), kMoveWords.end(), [&](const MoveWord& one) { return one.text == small; });
    const auto sign = sign_event(word.text);
    if (found != kMoveWords.end()) {
      letters += found->letter;
      // "ab" alone may be two notes.
      any_word = any_word || small != "ab";
    } else if (sign && sign->kind != Event::Kind::bar) {
      letters += sign->kind == Event::Kind::unknown_note ? '?' : '*';
    } else {
      return std::nullopt;
    }
  }
  return any_word ? std::optional(letters) : std::nullopt;
}

}  // namespace

Result<Draft> read_parsons(std::string_view text) {
  if (text.starts_with('*')) return read_contour(text);
  auto draft = read_contour("*" + std::string(text));
  if (!draft && draft.error().place.column > 1) --draft.error().place.column;
  return draft;
}

Result<Draft> read_contour(std::string_view text) {
  if (const auto words = letters_of_words(text)) {
    auto draft = read_contour("*" + *words);
    if (draft) draft->because = "there are only words for up, down and the same";
    return draft;
  }
  // Signs instead of letters: + - 0 or arrows, which were made of ^ and v before.
  const bool signs = text.find_first_not_of("+-0= \t\r\n?*") == std::string_view::npos &&
                     text.find_first_of("+-") != std::string_view::npos;
  std::string letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_blank(c)) continue;
    if (text.substr(i).starts_with("...")) {
      letters += '*';
      i += 2;
    } else if (signs) {
      letters += c == '+' ? 'u' : c == '-' ? 'd' : c == '0' || c == '=' ? 'r' : c;
    } else {
      letters += lower(c);
    }
    if (!move_of(letters.back())) return not_this(i);
  }
  const bool starred = letters.starts_with('*');
  if (starred) letters.erase(0, 1);
  if (letters.empty()) return not_this(0);
  // D alone, or beside other letters of notes, is the note.
  const bool only_notes = letters.find_first_not_of("d?*") == std::string::npos;
  if (!starred && !signs && only_notes && text.find_first_of("vV") == std::string_view::npos) return not_this(0);
  Draft draft{.kind = QueryKind::contour,
              .because = signs ? "there are only signs for up, down and the same"
                               : "there are only the letters U, D and R of a Parsons code"};
  std::vector<Move> moves;
  bool any_move = false;
  const auto add_notes = [&] {
    if (moves.empty()) return;
    for (const int height : heights_of(moves)) {
      draft.events.push_back({.step = height % 7, .octave = 4 + height / 7});
    }
    moves.clear();
    any_move = true;
  };
  for (const char c : letters) {
    const Move move = *move_of(c);
    if (move == Move::unknown || move == Move::stretch) {
      add_notes();
      draft.events.push_back(
          {.kind = move == Move::unknown ? Event::Kind::unknown_note : Event::Kind::unknown_stretch});
    } else {
      moves.push_back(move);
    }
  }
  add_notes();
  if (!any_move) return not_this(0);
  return draft;
}

}  // namespace rondo::query
