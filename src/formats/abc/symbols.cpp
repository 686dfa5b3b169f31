#include "formats/abc/symbols.h"

#include <algorithm>

namespace rondo::abc {
namespace {

/// "^", "__", "=", and microtones: "^/", "^3/2", "_/4". Nothing where there is none.
void scan_accidental(Cursor& in, NoteName& name) {
  int alter = 0;
  const char mark = in.peek();
  while (in.peek() == mark && (mark == '^' || mark == '_' || mark == '=')) {
    in.take();
    alter += mark == '^' ? 1 : mark == '_' ? -1 : 0;
    name.alter = alter;
  }
  if (!name.alter) return;
  if (is_digit(in.peek()) || in.peek() == '/') {
    const Fraction size = scan_length(in).value * Fraction(*name.alter);
    // Clamped, because the number may overflow.
    const double far = *name.alter < 0 ? -100.0 : 100.0;
    const double semitones = size.valid() ? std::clamp(size.to_double(), -100.0, 100.0) : far;
    name.alter = static_cast<int>(semitones < 0 ? semitones - 0.5 : semitones + 0.5);
    name.rounded = size.valid() && size.den() != 1;
  }
  if (*name.alter < -Pitch::kMaxAlter || *name.alter > Pitch::kMaxAlter) {
    name.extreme = true;
    name.alter = std::clamp(*name.alter, -Pitch::kMaxAlter, Pitch::kMaxAlter);
  }
}

std::uint32_t pass(std::int64_t number) {
  return number >= 1 && number <= 32 ? std::uint32_t{1} << static_cast<unsigned>(number - 1) : 0U;
}

/// "1", "1,3", "1-2", "1.": the passes, as bits.
std::uint32_t scan_endings(Cursor& in) {
  std::uint32_t endings = 0;
  while (is_digit(in.peek())) {
    const std::int64_t first = in.number().value_or(0);
    std::int64_t last = first;
    if (in.peek() == '-' && is_digit(in.peek(1))) {
      in.take();
      last = std::min<std::int64_t>(in.number().value_or(0), 32);
    }
    for (std::int64_t i = first; i <= last; ++i) endings |= pass(i);
    const bool more = (in.peek() == ',' || in.peek() == '.') && is_digit(in.peek(1));
    if (in.peek() == '.' || more) in.take();
    if (!more) break;
  }
  return endings;
}

int scan_colons(Cursor& in) {
  int colons = 0;
  for (; in.peek() == ':'; in.take()) ++colons;
  return colons;
}

std::uint8_t plays(int colons) { return static_cast<std::uint8_t>(std::min(colons + 1, 100)); }

/// The strokes between the colons; thick ones are brackets, but not a bracket that opens a chord, field or ending.
int scan_strokes(Cursor& in, bool& thick) {
  int strokes = 0;
  while (true) {
    const char c = in.peek();
    const bool opens_bar = c == '[' && (in.peek(1) == '|' || (in.peek(1) == ']' && strokes > 0));
    const bool closes_bar = c == ']' && strokes > 0;
    if (c != '|' && !opens_bar && !closes_bar) return strokes;
    thick = thick || c != '|';
    in.take();
    ++strokes;
  }
}

}  // namespace

std::size_t Accidentals::slot(int step, int octave) const {
  const int row = how_ == Propagation::octave ? std::clamp(octave + 3, 0, kOctaves - 1) : 0;
  return std::size_t{7} * static_cast<std::size_t>(row) + static_cast<std::size_t>(step);
}

void Accidentals::write(int step, int octave, int alter) {
  if (how_ != Propagation::none) written_[slot(step, octave)] = static_cast<std::int8_t>(alter);
}

int Accidentals::alter(int step, int octave) const {
  const std::int8_t written = written_[slot(step, octave)];
  return written != kNone ? written : signature_.alter[static_cast<std::size_t>(step)];
}

std::optional<NoteName> scan_note_name(Cursor& in) {
  Cursor ahead = in;
  NoteName name;
  scan_accidental(ahead, name);
  const char letter = ahead.take();
  name.step = step_of_letter(letter);
  const bool is_letter = (letter >= 'A' && letter <= 'G') || (letter >= 'a' && letter <= 'g');
  if (name.step < 0 || !is_letter) return std::nullopt;
  name.octave = letter >= 'a' ? 5 : 4;
  while (ahead.peek() == ',' || ahead.peek() == '\'') {
    name.octave += ahead.take() == ',' ? -1 : 1;
    const int held = std::clamp(name.octave, -2, 11);
    name.extreme = name.extreme || held != name.octave;
    name.octave = held;
  }
  in = ahead;
  return name;
}

std::optional<BarSign> scan_bar(Cursor& in, bool& odd) {
  BarSign sign;
  Cursor ahead = in;
  if (ahead.peek() == '.' && ahead.peek(1) == '|') ahead.take();
  if (ahead.peek() == '[' && is_digit(ahead.peek(1))) {
    ahead.take();
    sign.endings = scan_endings(ahead);
    odd = sign.endings == 0;
    in = ahead;
    return sign;
  }
  if (ahead.rest().starts_with("[|]")) {  // invisible
    in.advance(3);
    sign.line = true;
    return sign;
  }
  const int before = scan_colons(ahead);
  bool thick = false;
  int strokes = scan_strokes(ahead, thick);
  if (strokes == 0 && ahead.peek() == ']' && before > 0) {  // :] is a sloppy :|
    ahead.take();
    strokes = 1;
    odd = true;
  }
  if (before == 0 && strokes == 0) return std::nullopt;
  const int after = strokes > 0 ? scan_colons(ahead) : 0;
  sign.line = true;
  sign.heavy = thick || strokes > 1;
  if (strokes == 0) {  // :: ends one section and begins the next; a lone colon is taken for an end
    sign.ends = plays(std::max(1, before / 2));
    sign.starts = before > 1;
    odd = before == 1;
  } else {
    sign.ends = before > 0 ? plays(before) : std::uint8_t{0};
    sign.starts = after > 0;
  }
  const bool bracketed = ahead.peek() == '[' && is_digit(ahead.peek(1));
  if (bracketed) ahead.take();
  if (bracketed || is_digit(ahead.peek())) {
    sign.endings = scan_endings(ahead);
    odd = odd || sign.endings == 0;
  }
  in = ahead;
  return sign;
}

std::optional<TupletSign> scan_tuplet(Cursor& in, bool compound) {
  // How many plain notes p of them replace; 0: as many as the beat has, 3 in compound metre, else 2.
  constexpr std::array<int, 10> kReplaces = {0, 0, 3, 2, 3, 0, 2, 0, 3, 0};
  constexpr std::int64_t kMost = 1000;
  const std::int64_t p = in.number().value_or(0);
  std::int64_t q = 0;
  std::int64_t r = 0;
  if (in.skip(':')) {
    q = in.number().value_or(0);
    if (in.skip(':')) r = in.number().value_or(0);
  }
  if (p < 1 || p > kMost || q > kMost || r > kMost) return std::nullopt;
  if (q == 0 && p < 10) q = kReplaces[static_cast<std::size_t>(p)];
  if (q == 0) q = compound ? 3 : 2;
  return TupletSign{Fraction(q, p), r == 0 ? p : r};
}

}  // namespace rondo::abc
