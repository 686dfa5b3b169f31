#include "base/utf8.h"
#include "formats/abc/body.h"
#include "formats/abc/text.h"
#include "melody/limits.h"

namespace rondo::abc {
namespace {

/// The letters that are ornaments without being defined by U:.
constexpr std::string_view kOrnaments = "~HJLMOPRSTuv";

/// For messages: the letter of UTF-8 that begins with the byte that was taken, in quotes. Takes the rest of it.
std::string shown_letter(char first, Cursor& in) {
  std::string letter(1, first);
  while ((static_cast<unsigned char>(in.peek()) & 0xC0U) == 0x80U) letter += in.take();
  const bool printable = first > ' ' && first < 0x7f;
  return printable || (letter.size() > 1 && is_utf8(letter)) ? "'" + letter + "'" : "this character";
}

/// Where a decoration that began before `rest` ends: at the next `mark`, unless music lies between.
std::optional<std::size_t> decoration_end(std::string_view rest, char mark) {
  const std::size_t end = rest.find(mark);
  if (end == std::string_view::npos || rest.substr(0, end).find_first_of(" |\t[") != std::string_view::npos) {
    return std::nullopt;
  }
  return end;
}

/// +CEG+ was a chord before version 1.6; now plus signs enclose decorations, as +ff+.
bool is_old_chord(std::string_view text) {
  constexpr std::string_view kNoteSigns = "ABCDEFGabcdefg^_=,'/0123456789";
  int notes = 0;
  for (const char c : text) {
    if (kNoteSigns.find(c) == std::string_view::npos) return false;
    if (step_of_letter(c) >= 0) ++notes;
  }
  const bool loudness = text.find_first_not_of('f') == std::string_view::npos;
  return notes > 1 && !loudness;
}

}  // namespace

const Body::Symbol Body::kSymbols[] = {
    {"ABCDEFGabcdefg^_=", &Body::read_note},
    {" \t\r\v\f`", &Body::read_space},
    {"|:]", &Body::read_bar},
    {"zx", &Body::read_rest},
    {"\"", &Body::read_text},
    {"[", &Body::read_bracket},
    {"()", &Body::read_paren},
    {"-", &Body::read_tie},
    {"<>", &Body::read_broken},
    {"{", &Body::read_graces},
    {".", &Body::read_dot},
    {"ZX", &Body::read_measures},
    {"!", &Body::read_decoration},
    {"+", &Body::read_plus},
    {"&", &Body::read_overlay},
    {"0123456789/", &Body::read_stray_length},
};

void Body::music(std::string_view text, std::uint32_t line) {
  line_ = line;
  Cursor in(without_comment(text));
  while (!in.done()) symbol(in);
}

void Body::symbol(Cursor& in) {
  const char c = in.peek();
  if (user_symbols_.contains(c) && c != '\0') {
    in.take();
    return;
  }
  for (const Symbol& symbol : kSymbols) {
    if (symbol.starts.find(c) != std::string_view::npos) {
      (this->*symbol.read)(in);
      return;
    }
  }
  read_other(in);
}

void Body::read_space(Cursor& in) { in.take(); }

/// Chord symbols and annotations: "Am7", "^above".
void Body::read_text(Cursor& in) {
  const std::uint32_t column = in.column();
  in.take();
  while (!in.done() && in.peek() != '"') in.take();
  if (!in.skip('"')) {
    warn("abc-text-unclosed", "a text in quotes does not end on its line; the rest of the line is read as the text",
         column);
  }
}

/// !trill! and the like; a lone ! broke lines in old files.
void Body::read_decoration(Cursor& in) {
  in.take();
  if (const auto end = decoration_end(in.rest(), '!')) in.advance(*end + 1);
}

void Body::read_plus(Cursor& in) {
  const std::uint32_t column = in.column();
  in.take();
  const auto end = decoration_end(in.rest(), '+');
  if (!end) {
    warn("abc-symbol-unknown", "a lone + means nothing in music", column);
  } else if (is_old_chord(in.rest().substr(0, *end))) {
    warn("abc-old-chord", "a chord between plus signs is read as one in brackets", column, "write [CEG]");
    read_chord(in, '+');
  } else {
    in.advance(*end + 1);
  }
}

Fraction Body::length(Cursor& in, Fraction times) {
  const std::uint32_t column = in.column();
  const Length length = scan_length(in);
  const Fraction duration = length.value * times;
  if (length.valid && limits::time_ok(duration)) return duration;
  warn("abc-length-out-of-range", "a length that is zero or too large is read as 1", column);
  return times;
}

Fraction Body::next_ratio() {
  VoiceState& v = voice();
  Fraction ratio = v.broken;
  v.broken = 1;
  v.broken_waits = false;
  if (v.tuplet.notes > 0) {
    ratio *= v.tuplet.ratio;
    --v.tuplet.notes;
  }
  return ratio;
}

std::optional<ScriptNote> Body::make_note(const NoteName& name, Fraction duration, std::uint32_t column) {
  VoiceState& v = voice();
  if (name.rounded) warn("abc-microtone-rounded", "a microtone is rounded to the nearest semitone", column);
  if (name.extreme) warn("abc-pitch-extreme", "too many accidentals or octave marks; the last are ignored", column);
  if (name.alter) v.accidentals.write(name.step, name.octave, *name.alter);
  ScriptNote note;
  note.duration = duration;
  note.marked = name.alter.has_value();
  note.line = line_;
  note.column = column;
  Pitch written;
  written.step = static_cast<std::int8_t>(name.step);
  written.alter = static_cast<std::int8_t>(name.alter.value_or(v.accidentals.alter(name.step, name.octave)));
  written.octave = static_cast<std::int8_t>(name.octave + v.octave);
  note.pitch = v.transposition(written);
  if (note.pitch.playable()) return note;
  warn("abc-pitch-out-of-range", note.pitch.to_string() + " cannot be played; a rest takes its place", column);
  return std::nullopt;
}

void Body::read_note(Cursor& in) {
  const std::uint32_t column = in.column();
  const auto name = scan_note_name(in);
  if (!name) {
    in.take();
    warn("abc-accidental-dangling", "no note follows this accidental", column);
    return;
  }
  VoiceState& v = voice();
  const Fraction duration = length(in, v.unit * next_ratio());
  const auto note = make_note(*name, duration, column);
  if (note) {
    v.script.sound(duration, {&*note, 1});
  } else {
    v.script.rest(duration);
  }
}

void Body::read_rest(Cursor& in) {
  in.take();
  VoiceState& v = voice();
  v.script.rest(length(in, v.unit * next_ratio()));
}

/// Z4: rests of whole measures.
void Body::read_measures(Cursor& in) {
  constexpr std::int64_t kMost = 1000;
  const std::uint32_t column = in.column();
  in.take();
  std::int64_t count = in.number().value_or(1);
  if (count < 1 || count > kMost) {
    warn("abc-length-out-of-range", "too many measures of rest; one is used", column);
    count = 1;
  }
  VoiceState& v = voice();
  const bool metered = v.signs.time && v.signs.time->beats > 0;
  if (!metered) warn("abc-measure-unknown", "a measure's rest without a meter is read as a whole note", column);
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) (void)v.script.bar({.line = true});
    v.script.rest(metered ? v.signs.time->bar() : Fraction(1));
  }
}

void Body::read_bracket(Cursor& in) {
  if (is_letter(in.peek(1)) && in.peek(2) == ':' && in.peek(3) != '|') {
    read_inline_field(in);
  } else if (in.peek(1) == '|' || is_digit(in.peek(1))) {
    read_bar(in);
  } else {
    in.take();
    read_chord(in, ']');
  }
}

void Body::read_inline_field(Cursor& in) {
  in.take();
  const std::uint32_t column = in.column();
  const char letter = in.take();
  in.take();
  const std::string_view rest = in.rest();
  const std::size_t end = std::min(rest.find(']'), rest.size());
  in.advance(end + 1);
  if (end == rest.size())
    warn("abc-field-unclosed", "no ] ends this field; the rest of the line is read as the field", column);
  constexpr std::string_view kAboutTheTune = "NQRTW";  // allowed, but without effect on the music
  if (kAboutTheTune.find(letter) != std::string_view::npos) return;
  if (!field(letter, rest.substr(0, end), line_, column)) {
    warn("abc-field-misplaced", std::string("the field ") + letter + ": has no place within music", column);
  }
}

void Body::read_chord_member(Cursor& in, std::vector<ScriptNote>& chord, Fraction& advance) {
  const std::uint32_t column = in.column();
  if (const auto name = scan_note_name(in)) {
    const Fraction duration = length(in);
    auto note = make_note(*name, duration, column);
    if (advance.is_zero()) advance = duration;
    if (!note) return;
    note->ties = in.skip('-');
    chord.push_back(*note);
    return;
  }
  switch (in.peek()) {
    case '"': read_text(in); return;
    case '!': read_decoration(in); return;
    case '{': read_graces(in); return;
    case 'z':
    case 'x': {
      in.take();
      const Fraction duration = length(in);
      if (advance.is_zero()) advance = duration;
      return;
    }
    default: break;
  }
  const char c = in.take();
  constexpr std::string_view kHarmless = " \t().`-";
  const bool known = kHarmless.find(c) != std::string_view::npos || kOrnaments.find(c) != std::string_view::npos ||
                     user_symbols_.contains(c);
  const std::string shown = shown_letter(c, in);
  if (!known) warn("abc-symbol-unknown", shown + " means nothing in a chord", column);
}

/// Called after the opening bracket. The chord lasts as long as its first note; each note sounds for its own length.
void Body::read_chord(Cursor& in, char end) {
  const std::uint32_t column = in.column();
  std::vector<ScriptNote> chord;
  Fraction advance = 0;
  const auto inside = [&] {
    const bool tuplet = in.peek() == '(' && is_digit(in.peek(1));  // begins after an unclosed chord
    return !in.done() && in.peek() != end && in.peek() != '|' && in.peek() != ']' && !tuplet;
  };
  while (inside()) read_chord_member(in, chord, advance);
  if (!in.skip(end)) warn("abc-chord-unclosed", "this chord is not closed", column, "end it with ]");
  if (advance.is_zero()) {
    warn("abc-chord-empty", "a chord without notes is ignored", column);
    return;
  }
  VoiceState& v = voice();
  const Fraction times = length(in, v.unit * next_ratio());
  for (ScriptNote& note : chord) note.duration *= times;
  if (chord.empty()) {
    v.script.rest(advance * times);
  } else {
    v.script.sound(advance * times, chord);
  }
}

/// {g} has no length of its own: 0, unless one is written.
void Body::read_graces(Cursor& in) {
  const std::uint32_t column = in.column();
  in.take();
  in.skip('/');
  std::vector<ScriptNote> graces;
  while (!in.done() && in.peek() != '}' && in.peek() != '|') {
    const std::uint32_t at = in.column();
    const auto name = scan_note_name(in);
    if (!name) {
      in.take();  // slurs, chord brackets, broken rhythm, spaces: ignored in grace notes
      continue;
    }
    const bool written = is_digit(in.peek()) || in.peek() == '/';
    const Fraction duration = length(in, voice().unit);
    if (const auto note = make_note(*name, written ? duration : Fraction(0), at)) graces.push_back(*note);
  }
  if (!in.skip('}')) warn("abc-grace-unclosed", "these grace notes are not closed", column);
  if (!graces.empty()) voice().script.grace(graces);
}

void Body::read_paren(Cursor& in) {
  const std::uint32_t column = in.column();
  const bool tuplet = in.take() == '(' && is_digit(in.peek());
  if (!tuplet) return;  // a slur
  VoiceState& v = voice();
  const auto sign = scan_tuplet(in, is_compound(v.signs.time));
  if (!sign) {
    warn("abc-tuplet-unknown", "the numbers of this tuplet make no sense; it is ignored", column);
    return;
  }
  if (v.tuplet.notes > 0) warn("abc-tuplet-short", "a tuplet begins before the last one is complete", column);
  v.tuplet = *sign;
}

void Body::read_bar(Cursor& in) {
  const std::uint32_t column = in.column();
  bool odd = false;
  const auto sign = scan_bar(in, odd);
  if (!sign) {
    const char c = in.take();
    warn("abc-symbol-unknown", std::string("a lone ") + c + " means nothing", column);
    return;
  }
  if (odd) warn("abc-bar-odd", "an unusual bar line or ending", column, "write |: :| || |] [1 [2");
  VoiceState& v = voice();
  if (!v.script.bar(*sign)) {
    warn("abc-ending-misplaced", "a later ending without its first one or without :| before it", column,
         "write |: ... |1 ... :|2 ... ||");
  }
  if (sign->line) v.accidentals.clear();
}

void Body::read_dot(Cursor& in) {
  if (in.peek(1) == '|') {
    read_bar(in);
  } else {
    in.take();  // staccato, or a dotted slur or tie
  }
}

void Body::read_tie(Cursor& in) {
  const std::uint32_t column = in.column();
  const char before = in.previous();
  in.take();
  if (!voice().script.tie_last()) {
    warn("abc-tie-without-note", "no note stands before this tie", column);
  } else if (before == ' ' || before == '|' || before == '\0') {
    warn("abc-tie-detached", "a tie should follow its note at once; it is read as if it did", column);
  }
}

void Body::read_broken(Cursor& in) {
  constexpr int kMost = 10;
  const std::uint32_t column = in.column();
  const char sign = in.take();
  int count = 1;
  for (; in.skip(sign); ++count) {
  }
  VoiceState& v = voice();
  const Fraction small(1, std::int64_t{1} << std::min(count, kMost));
  const Fraction large = Fraction(2) - small;
  if (count > kMost || v.broken_waits || !v.script.scale_last(sign == '>' ? large : small)) {
    warn("abc-broken-rhythm-dangling", "no note stands right before this < or >; it is ignored", column);
    return;
  }
  v.broken = sign == '>' ? small : large;
  v.broken_waits = true;
}

/// A & goes back to the beginning of the measure for a second layer of the same voice.
void Body::read_overlay(Cursor& in) {
  in.take();
  VoiceState& v = voice();
  v.script.overlay();
  v.accidentals.clear();
}

void Body::read_stray_length(Cursor& in) {
  const std::uint32_t column = in.column();
  while (is_digit(in.peek()) || in.peek() == '/') in.take();
  warn("abc-length-without-note", "no note stands before this length; it is ignored", column,
       "a note or ending may have been lost here");
}

void Body::read_other(Cursor& in) {
  const std::uint32_t column = in.column();
  const char c = in.take();
  if (c == 'y') {  // a spacer
    (void)scan_length(in);
    return;
  }
  if (c == '\\' || c == '$' || kOrnaments.find(c) != std::string_view::npos) return;
  warn("abc-symbol-unknown", shown_letter(c, in) + " means nothing in music; it is ignored", column);
}

}  // namespace rondo::abc
