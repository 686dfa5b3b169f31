#include "formats/kern/tandem.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace rondo::kern {
namespace {

struct ModeName {
  Mode mode;
  std::string_view suffix;
  bool small;  ///< the tonic is written small, as of minor keys
};
constexpr std::array kModes = {
    ModeName{Mode::major, "", false},     ModeName{Mode::minor, "", true},
    ModeName{Mode::dorian, "dor", true},  ModeName{Mode::phrygian, "phr", true},
    ModeName{Mode::lydian, "lyd", false}, ModeName{Mode::mixolydian, "mix", false},
    ModeName{Mode::aeolian, "aeo", true}, ModeName{Mode::ionian, "ion", false},
    ModeName{Mode::locrian, "loc", true},
};

struct Mensuration {
  std::string_view kern;
  std::uint16_t beats;
  std::uint16_t unit;
  std::string_view symbol;
};
/// The modern signs come first; the mensural ones stand for no number of beats.
constexpr std::array kMensurations = {
    Mensuration{"c", 4, 4, "c"},   Mensuration{"c|", 2, 2, "c/"}, Mensuration{"C", 0, 4, "c"},
    Mensuration{"C|", 0, 4, "c/"}, Mensuration{"C.", 0, 4, "c."}, Mensuration{"O", 0, 4, "o"},
    Mensuration{"O.", 0, 4, "o."}, Mensuration{"O|", 0, 4, "o/"},
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Sharps and flats in front of `text`: # and -.
int take_accidentals(std::string_view& text) {
  int alter = 0;
  while (!text.empty() && (text.front() == '#' || text.front() == '-' || text.front() == 'n')) {
    alter += text.front() == '#' ? 1 : text.front() == '-' ? -1 : 0;
    text.remove_prefix(1);
  }
  return alter;
}

}  // namespace

std::optional<Clef> parse_clef(std::string_view token) {
  if (!take(token, "*clef") || token.empty()) return std::nullopt;
  const char shape = token.front();
  if (shape == 'X') return Clef{'P', 3, Clef::Kind::modern};
  if (shape != 'G' && shape != 'C' && shape != 'F') return std::nullopt;
  token.remove_prefix(1);
  Clef clef;
  clef.shape = shape == 'G' && token.starts_with('v') && !token.starts_with("vv") ? 'g' : shape;
  while (!token.empty() && (token.front() == 'v' || token.front() == '^')) token.remove_prefix(1);
  if (token.size() != 1 || token[0] < '1' || token[0] > '5') return std::nullopt;
  clef.line = static_cast<std::int8_t>(token[0] - '0');
  return clef;
}

std::optional<KeySignature> parse_key_signature(std::string_view token) {
  if (!take(token, "*k[") || !token.ends_with(']')) return std::nullopt;
  token.remove_suffix(1);
  KeySignature signature;
  while (!token.empty()) {
    const int step = step_of_letter(token.front());
    if (step < 0) return std::nullopt;
    token.remove_prefix(1);
    const int alter = take_accidentals(token);
    if (alter < -2 || alter > 2) return std::nullopt;
    signature.alter[static_cast<std::size_t>(step)] = static_cast<std::int8_t>(alter);
  }
  return signature;
}

std::optional<Key> parse_key(std::string_view token) {
  if (!take(token, "*") || token.empty()) return std::nullopt;
  const int step = step_of_letter(token.front());
  if (step < 0) return std::nullopt;
  const bool small = token.front() >= 'a';
  token.remove_prefix(1);
  const int alter = take_accidentals(token);
  if (alter < -2 || alter > 2 || !take(token, ":")) return std::nullopt;
  for (const ModeName& mode : kModes) {
    if (mode.suffix == token && (!token.empty() || mode.small == small)) {
      return Key{static_cast<std::int8_t>(step), static_cast<std::int8_t>(alter), mode.mode};
    }
  }
  return std::nullopt;
}

std::optional<TimeSignature> parse_time(std::string_view token) {
  if (token == "*MX") return TimeSignature{0, 4, {}};
  if (!take(token, "*M")) return std::nullopt;
  const std::string_view written = token;
  TimeSignature time;
  unsigned beats = 0;
  do {
    std::uint16_t part = 0;
    if (!take_number(token, part)) return std::nullopt;
    beats += part;
    if (beats > UINT16_MAX) return std::nullopt;
  } while (take(token, "+"));
  time.beats = static_cast<std::uint16_t>(beats);
  if (!take(token, "/") || !take_number(token, time.unit) || !token.empty()) return std::nullopt;
  if (time.unit == 0) time.unit = 1;  // kern writes the breve as 0; a melody counts in whole notes
  if (written.find('+') != std::string_view::npos) time.symbol = written;
  return time;
}

std::optional<TimeSignature> parse_mensuration(std::string_view token) {
  if (!take(token, "*met(") || !token.ends_with(')')) return std::nullopt;
  token.remove_suffix(1);
  for (const Mensuration& sign : kMensurations) {
    if (sign.kern == token) return TimeSignature{sign.beats, sign.unit, std::string(sign.symbol)};
  }
  return std::nullopt;
}

std::optional<Transposition> parse_transposition(std::string_view token) {
  constexpr int most = 100;
  Transposition found;
  if (!take(token, "*Trd") || !(take(token, "+"), take_number(token, found.diatonic))) return std::nullopt;
  if (!take(token, "c") || !(take(token, "+"), take_number(token, found.chromatic)) || !token.empty()) {
    return std::nullopt;
  }
  const bool sane = std::abs(found.diatonic) <= most && std::abs(found.chromatic) <= most;
  return sane ? std::optional(found) : std::nullopt;
}

Pitch undo(Transposition transposition, Pitch pitch) {
  if (transposition == Transposition{}) return pitch;
  const int midi = pitch.midi() - transposition.chromatic;
  const int diatonic = pitch.diatonic() - transposition.diatonic;
  const int octave = diatonic >= 0 ? diatonic / 7 : (diatonic - 6) / 7;
  Pitch original{static_cast<std::int8_t>(diatonic - 7 * octave), 0, static_cast<std::int8_t>(octave)};
  const int alter = midi - original.midi();
  if (std::abs(alter) > Pitch::kMaxAlter) return Pitch::from_midi(midi);
  original.alter = static_cast<std::int8_t>(alter);
  return original;
}

std::string write_clef(const Clef& clef) {
  if (clef.shape == 'P') return "*clefX";
  if (clef.line < 1 || clef.line > 5) return "*";
  const std::string line = std::to_string(clef.line);
  if (clef.shape == 'g') return "*clefGv" + line;
  if (clef.shape == 'G' || clef.shape == 'C' || clef.shape == 'F') return std::string("*clef") + clef.shape + line;
  return "*";
}

std::string write_key_signature(const KeySignature& signature) {
  constexpr std::array<int, 7> order = {3, 0, 4, 1, 5, 2, 6};  // as sharps are added; flats come the other way round
  std::string sharps;
  std::string flats;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto add = [&](std::string& out, int step, char sign, int wanted) {
      const int alter = signature.alter[static_cast<std::size_t>(step)] * wanted;
      if (alter > 0)
        (out += static_cast<char>(letter_of_step(step) + 32)).append(static_cast<std::size_t>(alter), sign);
    };
    add(sharps, order[i], '#', 1);
    add(flats, order[6 - i], '-', -1);
  }
  return "*k[" + sharps + flats + "]";
}

std::string write_key(const Key& key) {
  const ModeName& mode = kModes[static_cast<std::size_t>(key.mode)];
  std::string out = "*";
  out += static_cast<char>(letter_of_step(key.step) + (mode.small ? 32 : 0));
  out.append(static_cast<std::size_t>(std::abs(key.alter)), key.alter < 0 ? '-' : '#');
  return out + ":" + std::string(mode.suffix);
}

std::string write_time(const TimeSignature& time) {
  if (time.beats == 0) return "*MX";
  if (parse_time("*M" + time.symbol)) return "*M" + time.symbol;  // "3+2/8"
  return "*M" + std::to_string(time.beats) + "/" + std::to_string(time.unit);
}

std::string write_mensuration(const TimeSignature& time) {
  for (const Mensuration& sign : kMensurations) {
    const bool fits = time.beats != 0 || sign.beats == 0;
    if (fits && sign.symbol == time.symbol) return "*met(" + std::string(sign.kern) + ")";
  }
  return "*";
}

}  // namespace rondo::kern
