#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "query/draft.h"
#include "rondo/melody/pitch.h"

namespace rondo::query {
namespace {

/// A note as a word names it: "Eb4", "fis'", "H".
struct NoteWord {
  char letter = 'C';  ///< A..H, upper case
  bool small = false;
  int alter = 0;
  bool altered = false;
  bool suffix = false;  ///< -is, -es
  int marks = 0;        ///< ' counts 1, the comma -1
  bool marked = false;
  std::optional<int> number{};
  int dots = 0;
  std::size_t at = 0;
};

struct Accidental {
  std::string_view text;
  int alter;
  bool suffix;
};
// The longer ones first.
constexpr std::array kAccidentals = {
    Accidental{"-sharp", 1, false}, Accidental{"-flat", -1, false}, Accidental{"sharp", 1, false},
    Accidental{"flat", -1, false},  Accidental{"isis", 2, true},    Accidental{"eses", -2, true},
    Accidental{"is", 1, true},      Accidental{"es", -1, true},     Accidental{"##", 2, false},
    Accidental{"#", 1, false},      Accidental{"x", 2, false},      Accidental{"bb", -2, false},
    Accidental{"b", -1, false},     Accidental{"n", 0, false}};

/// Words of their own behind a name: "E flat".
std::optional<int> spoken_accidental(std::string_view word) {
  const std::string small = lowered(word);
  for (const std::string_view flat : {"flat", "bemol", "b\xC3\xA9mol", "bemolle"}) {
    if (small == flat) return -1;
  }
  for (const std::string_view sharp : {"sharp", "diese", "di\xC3\xA8se", "diesis", "sostenido"}) {
    if (small == sharp) return 1;
  }
  return small == "natural" ? std::optional<int>(0) : std::nullopt;
}

void take_accidental(std::string_view& rest, NoteWord& note) {
  const std::string small = lowered(rest);
  const bool vowel = note.letter == 'E' || note.letter == 'A';
  const auto takes = [&](std::string_view text, int alter, bool suffix) {
    note.alter = alter;
    note.altered = true;
    note.suffix = suffix;
    rest.remove_prefix(text.size());
  };
  // Es and As leave the e out.
  for (const std::string_view twice : {"ses", "sas"}) {
    if (vowel && small.starts_with(twice)) return takes(twice, -2, true);
  }
  if (vowel && small.starts_with('s') && !small.starts_with("sharp")) return takes("s", -1, true);
  for (const Accidental& one : kAccidentals) {
    if (small.starts_with(one.text)) return takes(one.text, one.alter, one.suffix);
  }
  // "E-4", "B-": a flat as kern and music21 write it.
  if (rest.starts_with('-') && (rest.size() == 1 || is_digit(rest[1]))) takes("-", -1, false);
}

std::optional<NoteWord> note_word(const Word& word) {
  std::string_view rest = word.text;
  NoteWord note;
  note.at = word.at;
  if (rest.empty() || upper(rest.front()) < 'A' || upper(rest.front()) > 'H') return std::nullopt;
  note.letter = upper(rest.front());
  note.small = is_lower(rest.front());
  rest.remove_prefix(1);
  take_accidental(rest, note);
  while (!rest.empty() && (rest.front() == '\'' || rest.front() == ',')) {
    note.marks += rest.front() == '\'' ? 1 : -1;
    note.marked = true;
    rest.remove_prefix(1);
  }
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  if (digits > 2) return std::nullopt;
  if (digits > 0) note.number = std::atoi(std::string(rest.substr(0, digits)).c_str());
  rest.remove_prefix(digits);
  while (note.number && note.dots < 3 && rest.starts_with('.')) {
    ++note.dots;
    rest.remove_prefix(1);
  }
  return rest.empty() ? std::optional(note) : std::nullopt;
}

/// What the numbers behind the names mean.
enum class Numbers : std::uint8_t { none, octaves, first_octave, values };

bool may_be_octaves(const std::vector<NoteWord>& notes) {
  return std::all_of(notes.begin(), notes.end(),
                     [](const NoteWord& note) { return *note.number <= 9 && note.dots == 0; });
}

/// As octaves the numbers would make no leap that nobody sings.
bool plausible_octaves(const std::vector<NoteWord>& notes) {
  constexpr int kWidestLeap = 24;
  std::optional<int> last;
  for (const NoteWord& note : notes) {
    const int key = 12 * *note.number +
                    Pitch{static_cast<std::int8_t>(note.letter == 'H' ? 6 : step_of_letter(note.letter)), 0, 0}.midi();
    if (last && std::abs(key - *last) > kWidestLeap) return false;
    last = key;
  }
  return true;
}

std::optional<Numbers> meaning_of_numbers(const std::vector<NoteWord>& notes, bool marked) {
  const auto numbered = static_cast<std::size_t>(
      std::count_if(notes.begin(), notes.end(), [](const NoteWord& note) { return note.number.has_value(); }));
  if (numbered == 0) return Numbers::none;
  const bool values = std::all_of(notes.begin(), notes.end(), [](const NoteWord& note) {
    return note.number && *note.number > 0 && *note.number <= 64 && (*note.number & (*note.number - 1)) == 0;
  });
  if (marked) return values ? std::optional(Numbers::values) : std::nullopt;
  if (numbered == notes.size()) {
    if (may_be_octaves(notes) && (!values || plausible_octaves(notes))) return Numbers::octaves;
    return values ? std::optional(Numbers::values) : std::nullopt;
  }
  const bool first_alone = numbered == 1 && notes.front().number && *notes.front().number <= 9;
  return first_alone ? std::optional(Numbers::first_octave) : std::nullopt;
}

/// What holds for all the words.
struct Style {
  bool german = false;      ///< B is B flat
  bool both_cases = false;  ///< capitals are an octave lower
  bool marked = false;
  Numbers numbers = Numbers::none;
};

Event event_of(const NoteWord& note, const Style& style) {
  Event event;
  event.step = note.letter == 'H' ? 6 : step_of_letter(note.letter);
  event.alter = note.letter == 'B' && style.german && !note.altered ? -1 : note.alter;
  if (style.marked) event.octave = (style.both_cases && !note.small ? 2 : 3) + note.marks;
  if (note.number && (style.numbers == Numbers::octaves || style.numbers == Numbers::first_octave)) {
    event.octave = *note.number;
  }
  if (style.numbers == Numbers::values) {
    event.length = Fraction(1, *note.number);
    Fraction dot = event.length;
    for (int i = 0; i < note.dots; ++i) event.length = event.length + (dot = dot / Fraction(2));
  }
  return event;
}

std::string reason(const Style& style, std::size_t words) {
  const std::string_view every = words == 1 ? "it" : "every word";
  if (style.numbers == Numbers::octaves) return fmt::format("{} is a note with its octave", every);
  if (style.numbers == Numbers::values) return fmt::format("{} is a note with its value, 4 for a quarter", every);
  return fmt::format("{} is the name of a note", every);
}

}  // namespace

Result<Draft> read_note_words(std::string_view text) {
  const auto words = split_words(text, [](char c) { return upper(c) >= 'A' && upper(c) <= 'H'; });
  Draft draft{.kind = QueryKind::note_names};
  std::vector<NoteWord> notes;
  std::vector<std::size_t> note_of_event;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const auto spoken = spoken_accidental(word.text);
    if (word.text == "-" && i > 0) continue;  // C - D - E
    if (spoken && !note_of_event.empty() && note_of_event.back() != kNone && !notes.back().altered) {
      notes.back().alter = *spoken;
      notes.back().altered = true;
    } else if (auto sign = sign_event(word.text)) {
      draft.events.push_back(*sign);
      note_of_event.push_back(kNone);
    } else if (auto note = note_word(word)) {
      note_of_event.push_back(notes.size());
      draft.events.emplace_back();
      notes.push_back(*note);
    } else {
      return not_this(word.at, fmt::format("'{}' is not the name of a note", word.text));
    }
  }
  if (notes.empty()) return not_this(0);
  const auto any = [&](auto what) { return std::any_of(notes.begin(), notes.end(), what); };
  Style style;
  style.marked = any([](const NoteWord& note) { return note.marked; });
  const bool suffixes = any([](const NoteWord& note) { return note.suffix; });
  const bool has_h = any([](const NoteWord& note) { return note.letter == 'H'; });
  const bool dutch = any([](const NoteWord& note) { return note.letter == 'B' && note.suffix; });
  style.german = has_h || (suffixes && !dutch);
  style.both_cases =
      any([](const NoteWord& note) { return note.small; }) && any([](const NoteWord& note) { return !note.small; });
  // Small letters beside capitals are another octave in ABC, which has its own reader and hardly ever fivefold lengths.
  const bool octaves = any([](const NoteWord& note) { return note.number == 5; });
  if (style.both_cases && !style.marked && !suffixes && !octaves)
    return not_this(0, "capitals and small letters are mixed");
  const auto numbers = meaning_of_numbers(notes, style.marked);
  if (!numbers) return not_this(notes.front().at, "the numbers are neither octaves nor values of notes");
  style.numbers = *numbers;
  for (std::size_t i = 0; i < note_of_event.size(); ++i) {
    if (note_of_event[i] != kNone) draft.events[i] = event_of(notes[note_of_event[i]], style);
  }
  draft.because = reason(style, words.size());
  draft.rhythm = style.numbers == Numbers::values;
  const auto flat_b =
      std::find_if(notes.begin(), notes.end(), [](const NoteWord& n) { return n.letter == 'B' && !n.altered; });
  if (style.german && flat_b != notes.end()) {
    draft.warnings.push_back(guess("query-german-names", "read with German names: B is B flat, H is B natural",
                                   "write Bb or Hb for B flat", flat_b->at));
  }
  if (style.numbers == Numbers::values) {
    draft.warnings.push_back(guess("query-guess", "the numbers were read as values (4 is a quarter), not as octaves",
                                   "for ABC, where they are multiples, begin with abc:", notes.front().at));
  }
  return draft;
}

}  // namespace rondo::query
