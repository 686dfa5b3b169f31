#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/query/reading.h"

/// What the readers of the kinds of queries have in common.
namespace rondo::query {

/// Something that a query says, in its order.
struct Event {
  enum class Kind : std::uint8_t { note, rest, bar, unknown_note, unknown_stretch };
  Kind kind = Kind::note;
  int step = 0;   ///< 0..6 for C..B
  int alter = 0;  ///< semitones
  std::optional<int> octave{};
  Fraction length{1, 4};
};

/// A text as one kind of query. Columns of warnings are bytes of the text it was given, from 1.
struct Draft {
  QueryKind kind = QueryKind::pae;
  std::string because{};
  std::vector<Event> events{};
  bool rhythm = false;
  std::optional<Piece> piece{};         ///< in the place of events, which then are only what is unknown,
  std::vector<UnknownNotes> unknown{};  ///< and where that stands among its notes
  std::optional<std::size_t> voice{};   ///< of `piece`, the one that is looked for
  Diagnostics warnings{};
};

/// A word of a text, and the byte at which it begins.
struct Word {
  std::string_view text;
  std::size_t at = 0;
};

/// At blanks and semicolons; bar lines are words of their own. Where all end in a comma, the last perhaps not, or
/// commas join all of them ("C,D,E"), these separate too; one by itself is left out; so do hyphens between a letter or
/// digit and `after_hyphen`.
[[nodiscard]] std::vector<Word> split_words(std::string_view text, bool (*after_hyphen)(char) = nullptr);

/// So many signs for unknown notes a query may have.
inline constexpr std::size_t kMostUnknown = 64;

/// A text of a notation that has no signs for unknown notes: with blanks in their place, and where they stood.
struct OpenText {
  struct Sign {
    std::size_t at = 0;
    bool stretch = false;
  };
  std::string text;
  std::vector<Sign> signs{};
};
/// "?" is a note, "*" and "..." are any number. Errors: `query-wildcards` (too many).
[[nodiscard]] Result<OpenText> open_text(std::string_view text);
/// Sets what a draft leaves open. `notes_before(text)` is the number of notes of the beginning of a text.
void set_unknown(Draft& draft, const OpenText& open, const std::function<std::size_t(std::string_view)>& notes_before);

/// A bar line ("|", "/"), an unknown note ("?", also "_" and "x"), any number of them ("...", "*"); nothing for other
/// words.
[[nodiscard]] std::optional<Event> sign_event(std::string_view word);

[[nodiscard]] inline Failure not_this(std::size_t at, std::string message = "cannot be read") {
  return fail("query-unread", std::move(message), Place{{}, {}, {}, 0, static_cast<std::uint32_t>(at) + 1});
}
[[nodiscard]] inline Diagnostic guess(std::string code, std::string message, std::string hint = {},
                                      std::size_t at = 0) {
  return {std::move(code), std::move(message), Place{{}, {}, {}, 0, static_cast<std::uint32_t>(at) + 1},
          std::move(hint)};
}

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
[[nodiscard]] inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] inline char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }
[[nodiscard]] inline char upper(char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; }
[[nodiscard]] std::string lowered(std::string_view text);
[[nodiscard]] bool all_of(std::string_view text, std::string_view signs);

// One reader per kind. Each takes a text without blanks at its ends, in which typographic signs have been replaced,
// and takes it as a whole or not at all (`query-unread` with the column of what it does not know).
[[nodiscard]] Result<Draft> read_contour(std::string_view text);
[[nodiscard]] Result<Draft> read_parsons(std::string_view text);       ///< a contour, even of D alone
[[nodiscard]] Result<Draft> read_note_words(std::string_view text);    ///< a note a word
[[nodiscard]] Result<Draft> read_note_letters(std::string_view text);  ///< EDCDEEE
[[nodiscard]] Result<Draft> read_solmization(std::string_view text);
[[nodiscard]] Result<Draft> read_degrees(std::string_view text);
[[nodiscard]] Result<Draft> read_intervals(std::string_view text);
[[nodiscard]] Result<Draft> read_key_numbers(std::string_view text);
/// Numbers that may be degrees, intervals or keys.
[[nodiscard]] Result<Draft> read_numbers(std::string_view text);
[[nodiscard]] Result<Draft> read_abc_fragment(std::string_view text);
[[nodiscard]] Result<Draft> read_kern_fragment(std::string_view text);
[[nodiscard]] Result<Draft> read_pae_text(std::string_view text);
[[nodiscard]] Result<Draft> read_document(std::string_view text);

/// As LilyPond has it: \relative, braces, octave marks, values that hold until the next.
[[nodiscard]] Result<Draft> read_lilypond(std::string_view text);
/// Note words of small letters. `relative`, the pitch to begin from: each lies near the one before, marks move it by
/// octaves.
[[nodiscard]] Result<Draft> read_lilypond_notes(std::string_view text, std::optional<std::string_view> relative);

/// Fields of ABC that stand in one line ("X:1 K:G GAB"), each in a line of its own, as many bytes as before. Nothing:
/// it is no such line.
[[nodiscard]] std::optional<std::string> abc_in_lines(std::string_view text);
/// Signs that only one of the two notations has; where neither does: 0. Above 0: ABC.
[[nodiscard]] int abc_rather_than_pae(std::string_view text);

}  // namespace rondo::query
