#include <fmt/format.h>

#include <algorithm>

#include "query/draft.h"
#include "rondo/melody/pitch.h"

namespace rondo::query {
namespace {

/// How usual a flat before this letter is: its place in B E A D G C F.
std::size_t flat_place(char letter) { return std::min(std::string_view("BEADGCF").find(letter), std::size_t{7}); }

/// "CDEbFG" may mean E flat or F flat: the one that comes earlier in key signatures. True: the letter before it.
bool flats_follow(std::string_view text) {
  std::size_t before = 0;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != 'b') continue;
    if (i == 0 || !is_upper(text[i - 1])) return false;
    if (i + 1 == text.size() || !is_upper(text[i + 1])) return true;
    before += flat_place(text[i - 1]);
    behind += flat_place(text[i + 1]);
  }
  return before < behind;
}

}  // namespace

Result<Draft> read_note_letters(std::string_view text) {
  constexpr std::string_view kKnown = "ABCDEFGHabcdefgh#? \t\r\n-*./|";
  if (const std::size_t odd = text.find_first_not_of(kKnown); odd != std::string_view::npos) return not_this(odd);
  const bool capitals = std::any_of(text.begin(), text.end(), is_upper);
  const bool flats = capitals && text.find('b') != std::string_view::npos;
  if (capitals) {
    const std::size_t small = text.find_first_of("acdefgh");
    if (small != std::string_view::npos) return not_this(small, "capitals and small letters are mixed");
  }
  const bool german = text.find(capitals ? 'H' : 'h') != std::string_view::npos;
  const bool follow = flats && flats_follow(text);
  Draft draft{.kind = QueryKind::note_names, .because = "there are only letters of notes"};
  int next_alter = 0;  // of the letter behind it
  bool last_is_note = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_blank(c) || c == '-' || c == '/' || c == '|') {
      if (c == '/' || c == '|') draft.events.push_back({.kind = Event::Kind::bar});
      last_is_note = false;
      continue;
    }
    if (c == '?' || c == '*' || c == '.') {
      const std::size_t run = std::min(text.find_first_not_of(c, i), text.size()) - i;
      if (c == '.' && run < 2) return not_this(i);
      for (std::size_t n = 0; n < (c == '?' ? run : 1); ++n) {
        draft.events.push_back({.kind = c == '?' ? Event::Kind::unknown_note : Event::Kind::unknown_stretch});
      }
      i += run - 1;
      last_is_note = false;
      continue;
    }
    const bool accidental = c == '#' || (flats && c == 'b');
    if (accidental) {
      const bool behind = last_is_note && (c == '#' || follow);
      if (behind) {
        draft.events.back().alter += c == '#' ? 1 : -1;
        if (std::abs(draft.events.back().alter) > Pitch::kMaxAlter) return not_this(i);
      } else {
        next_alter = c == '#' ? 1 : -1;
      }
      continue;
    }
    const char letter = upper(c);
    Event event;
    event.step = letter == 'H' ? 6 : step_of_letter(letter);
    const bool sharp_follows = i + 1 < text.size() && text[i + 1] == '#';
    event.alter = next_alter != 0 ? next_alter : letter == 'B' && german && !sharp_follows ? -1 : 0;
    next_alter = 0;
    draft.events.push_back(event);
    last_is_note = true;
  }
  if (next_alter != 0 || draft.events.empty()) return not_this(text.size() - 1);
  const std::size_t b = text.find(capitals ? 'B' : 'b');
  if (german && b != std::string_view::npos) {
    draft.warnings.push_back(guess("query-german-names", "read with German names: B is B flat, H is B natural", {}, b));
  }
  if (flats) {
    const std::size_t at = text.find('b');
    draft.warnings.push_back(guess("query-guess",
                                   follow ? "each b was read as a flat of the letter before it"
                                          : "each b was read as a flat of the letter after it",
                                   "part the notes by blanks: C D Eb F", at));
  }
  return draft;
}

}  // namespace rondo::query
