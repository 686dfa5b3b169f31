#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "query/draft.h"
#include "rondo/melody/pitch.h"

namespace rondo::query {
namespace {

/// A note as a word names it: "Eb4", "fis'", "H"; or a rest: "r4".
struct NoteWord {
  char letter = 'C';  ///< A..H, upper case; R is a rest
  bool small = false;
  int alter = 0;
  bool altered = false;
  bool suffix = false;  ///< -is, -es
  bool dash = false;    ///< E-4: a flat, or only a joint
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
  if (rest.starts_with('-') && (rest.size() == 1 || is_digit(rest[1]))) {
    takes("-", -1, false);
    note.dash = true;
  }
}

std::optional<NoteWord> note_word(const Word& word) {
  std::string_view rest = word.text;
  NoteWord note;
  note.at = word.at;
  const bool is_rest = rest.starts_with('r');
  if (rest.empty() || (!is_rest && (upper(rest.front()) < 'A' || upper(rest.front()) > 'H'))) return std::nullopt;
  note.letter = upper(rest.front());
  note.small = is_lower(rest.front());
  rest.remove_prefix(1);
  if (!is_rest) take_accidental(rest, note);
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

/// What the numbers behind the names mean. `carried`: a note without one has the value of the one before.
enum class Numbers : std::uint8_t { none, octaves, some_octaves, values, carried };

bool may_be_octaves(const std::vector<NoteWord>& notes) {
  return std::all_of(notes.begin(), notes.end(),
                     [](const NoteWord& note) { return !note.number || (*note.number <= 9 && note.dots == 0); });
}

/// As octaves the numbers would make no leap that nobody sings: with 2 and 4 for neighbours they are values.
bool plausible_octaves(const std::vector<NoteWord>& notes) {
  // Where sharps and flats are signs it is neither LilyPond nor ABC, and nothing but octaves are left.
  const bool signs =
      std::any_of(notes.begin(), notes.end(), [](const NoteWord& note) { return note.altered && !note.suffix; });
  const int widest = signs ? 24 : 16;
  std::optional<int> last;
  for (const NoteWord& note : notes) {
    const int key = 12 * *note.number +
                    Pitch{static_cast<std::int8_t>(note.letter == 'H' ? 6 : step_of_letter(note.letter)), 0, 0}.midi();
    if (last && std::abs(key - *last) > widest) return false;
    last = key;
  }
  return true;
}

std::optional<Numbers> meaning_of_numbers(const std::vector<NoteWord>& notes, bool marked) {
  const auto numbered = static_cast<std::size_t>(
      std::count_if(notes.begin(), notes.end(), [](const NoteWord& note) { return note.number.has_value(); }));
  if (numbered == 0) return Numbers::none;
  const bool values = std::all_of(notes.begin(), notes.end(), [](const NoteWord& note) {
    return !note.number || (*note.number > 0 && *note.number <= 64 && (*note.number & (*note.number - 1)) == 0);
  });
  const bool rests = std::any_of(notes.begin(), notes.end(), [](const NoteWord& note) { return note.letter == 'R'; });
  if (numbered == notes.size()) {
    const bool octaves = !marked && !rests && may_be_octaves(notes) && (!values || plausible_octaves(notes));
    if (octaves) return Numbers::octaves;
    return values ? std::optional(Numbers::values) : std::nullopt;
  }
  if (!notes.front().number && !marked) return std::nullopt;
  // "c'4 d' e'8 f'" as LilyPond has it, "A4 B C5 D" as one writes octaves only where they change.
  const int first = notes.front().number.value_or(0);
  const bool all_alike = std::all_of(notes.begin(), notes.end(), [&](const NoteWord& note) {
    return !note.number || (*note.number == first && note.dots == 0);
  });
  if (!marked && !rests && may_be_octaves(notes) && (all_alike || !values)) return Numbers::some_octaves;
  return values ? std::optional(Numbers::carried) : std::nullopt;
}

/// "C-4 D-4 E-4" of trackers joins; C and F flat beside nothing else are not what is meant.
void join_dashes(std::vector<NoteWord>& notes) {
  const auto any = [&](auto what) { return std::any_of(notes.begin(), notes.end(), what); };
  const bool usual = any([](const NoteWord& note) { return !note.dash && !(note.altered && note.alter > 0); });
  const bool odd = any([](const NoteWord& note) { return note.dash && (note.letter == 'C' || note.letter == 'F'); });
  if (usual || !odd) return;
  for (NoteWord& note : notes) {
    if (!note.dash) continue;
    note.alter = 0;
    note.altered = false;
  }
}

/// "C4D4Eb4": each note with its octave, and no blanks. Nothing where it may as well be ABC, whose numbers are lengths.
std::optional<std::vector<Word>> joined_words(const Word& whole) {
  std::vector<Word> words;
  bool accidentals = false;
  bool no_length = false;
  bool alike = true;
  const std::string_view text = whole.text;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (upper(text[i]) < 'A' || upper(text[i]) > 'H') return std::nullopt;
    ++i;
    if (i < text.size() && (text[i] == '#' || text[i] == 'b')) {
      accidentals = true;
      ++i;
    }
    if (i == text.size() || !is_digit(text[i])) return std::nullopt;
    no_length = no_length || std::string_view("0579").find(text[i]) != std::string_view::npos;
    alike = alike && (words.empty() || text[i] == words.front().text.back());
    ++i;
    if (i < text.size() && is_digit(text[i])) return std::nullopt;
    words.push_back({text.substr(begin, i - begin), whole.at + begin});
  }
  const bool octave =
      !words.empty() && std::string_view("345").find(words.front().text.back()) != std::string_view::npos;
  if (words.size() < 2 || !(accidentals || no_length || (alike && octave))) return std::nullopt;
  return words;
}

std::vector<Word> words_of(std::string_view text) {
  auto words = split_words(text, [](char c) { return upper(c) >= 'A' && upper(c) <= 'H'; });
  if (words.empty()) return words;  // ";" and the like only part words
  if (words.size() == 1) return joined_words(words.front()).value_or(words);
  // A full stop that ends the line is none of the music.
  std::string_view& last = words.back().text;
  const bool only_dot = text.find('.') == text.size() - 1;
  if (only_dot && last.size() > 1 && !is_digit(last[last.size() - 2])) last.remove_suffix(1);
  return words;
}

/// "?4" as well as "?".
bool is_unknown_note(std::string_view word) {
  return word.starts_with('?') && word.size() <= 3 && all_of(word.substr(1), "0123456789");
}

/// What holds for all the words.
struct Style {
  bool german = false;      ///< B is B flat
  bool both_cases = false;  ///< capitals are an octave lower
  bool marked = false;
  Numbers numbers = Numbers::none;

  [[nodiscard]] bool values() const { return numbers == Numbers::values || numbers == Numbers::carried; }
};

void pitch_of(const NoteWord& note, const Style& style, Event& event) {
  event.step = note.letter == 'H' ? 6 : step_of_letter(note.letter);
  event.alter = note.letter == 'B' && style.german && !note.altered ? -1 : note.alter;
  if (style.marked) event.octave = (style.both_cases && !note.small ? 2 : 3) + note.marks;
  if (note.number && (style.numbers == Numbers::octaves || style.numbers == Numbers::some_octaves)) {
    event.octave = *note.number;
  }
}

Event event_of(const NoteWord& note, const Style& style) {
  Event event;
  if (note.letter == 'R') {
    event.kind = Event::Kind::rest;
  } else {
    pitch_of(note, style, event);
  }
  if (style.values() && note.number) {
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
  if (style.numbers == Numbers::carried) return "there are names of notes with values, 4 for a quarter";
  return fmt::format("{} is the name of a note", every);
}

/// In LilyPond numbers are always values.
Result<Draft> read_words_of_notes(std::string_view text, bool lilypond) {
  const auto words = words_of(text);
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
    } else if (auto sign = is_unknown_note(word.text) ? sign_event("?") : sign_event(word.text)) {
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
  if (notes.empty() || notes.front().letter == 'R') return not_this(0);
  join_dashes(notes);
  const auto any = [&](auto what) { return std::any_of(notes.begin(), notes.end(), what); };
  Style style;
  style.marked = any([](const NoteWord& note) { return note.marked; });
  const bool suffixes = any([](const NoteWord& note) { return note.suffix; });
  const bool has_h = any([](const NoteWord& note) { return note.letter == 'H'; });
  const bool dutch = any([](const NoteWord& note) { return note.letter == 'B' && note.suffix; });
  style.german = has_h || (suffixes && !dutch && !lilypond);
  style.both_cases =
      any([](const NoteWord& note) { return note.small; }) && any([](const NoteWord& note) { return !note.small; });
  // Small letters beside capitals are another octave in ABC, which has its own reader and hardly ever fivefold lengths.
  const bool octaves = any([](const NoteWord& note) { return note.number == 5; });
  if (style.both_cases && !style.marked && !suffixes && !octaves)
    return not_this(0, "capitals and small letters are mixed");
  const auto numbers = meaning_of_numbers(notes, style.marked || lilypond);
  if (!numbers) return not_this(notes.front().at, "the numbers are neither octaves nor values of notes");
  style.numbers = *numbers;
  const auto rest = std::find_if(notes.begin(), notes.end(), [](const NoteWord& n) { return n.letter == 'R'; });
  if (rest != notes.end() && !style.values()) return not_this(rest->at, "a rest has a value, as in r4");
  // Between bar lines numbers that are no octaves are those of ABC.
  const bool bars =
      !lilypond && std::any_of(words.begin(), words.end(), [](const Word& word) { return word.text == "|"; });
  if (bars && style.numbers == Numbers::values && !style.marked && !suffixes && rest == notes.end()) {
    return not_this(notes.front().at, "the numbers are not octaves");
  }
  Fraction carried(1, 4);
  for (std::size_t i = 0; i < note_of_event.size(); ++i) {
    if (note_of_event[i] == kNone) continue;
    const NoteWord& note = notes[note_of_event[i]];
    draft.events[i] = event_of(note, style);
    if (note.number) carried = draft.events[i].length;
    draft.events[i].length = carried;
  }
  draft.because = reason(style, words.size());
  draft.rhythm = style.values();
  const auto flat_b =
      std::find_if(notes.begin(), notes.end(), [](const NoteWord& n) { return n.letter == 'B' && !n.altered; });
  if (style.german && flat_b != notes.end()) {
    draft.warnings.push_back(guess("query-german-names", "read with German names: B is B flat, H is B natural",
                                   "write Bb or Hb for B flat", flat_b->at));
  }
  if (style.values()) {
    draft.warnings.push_back(guess("query-guess", "the numbers were read as values (4 is a quarter), not as octaves",
                                   "for ABC, where they are multiples, begin with abc:", notes.front().at));
  }
  return draft;
}

}  // namespace

Result<Draft> read_note_words(std::string_view text) { return read_words_of_notes(text, false); }

Result<Draft> read_lilypond_notes(std::string_view text, std::optional<std::string_view> relative) {
  if (std::any_of(text.begin(), text.end(), is_upper)) return not_this(0, "names of notes are small in LilyPond");
  auto draft = read_words_of_notes(text, true);
  if (!draft) return draft;
  draft->because = "it is written as in LilyPond";
  // What would be guessed elsewhere is said there.
  std::erase_if(draft->warnings, [](const Diagnostic& warning) { return warning.code == "query-guess"; });
  // Each note is at most a fourth from the one before, and then moved by its marks.
  const auto start = note_word({relative.value_or("c'"), 0}).value_or(NoteWord{.marks = 1});
  int place = 7 * (3 + start.marks) + (start.letter == 'H' ? 6 : step_of_letter(start.letter));
  for (Event& event : draft->events) {
    if (!relative || event.kind != Event::Kind::note) continue;
    const int up = ((event.step - place) % 7 + 7) % 7;
    place += (up > 3 ? up - 7 : up) + 7 * (event.octave.value_or(3) - 3);
    event.octave = (place - event.step) / 7;
  }
  return draft;
}

}  // namespace rondo::query
