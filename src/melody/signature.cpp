#include "rondo/melody/signature.h"

#include <algorithm>

namespace rondo {
namespace {

// Steps in the order in which sharps are added; flats come in the opposite one.
constexpr std::array<int, 7> kSharpOrder = {3, 0, 4, 1, 5, 2, 6};

constexpr std::array<std::string_view, 9> kModeNames = {"major",      "minor",   "dorian", "phrygian", "lydian",
                                                        "mixolydian", "aeolian", "ionian", "locrian"};
// How many fifths the mode's signature lies away from the major key on the same tonic.
constexpr std::array<int, 9> kModeFifths = {0, -3, -2, -4, 1, -1, -3, 0, -5};
constexpr std::array<int, 7> kStepFifths = {0, 2, 4, -1, 1, 3, 5};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return out;
}

}  // namespace

std::string Clef::to_string() const {
  const char sign = kind == Kind::modern ? '-' : kind == Kind::mensural ? '+' : ':';
  return std::string{shape, sign} + std::to_string(line);
}

std::optional<Clef> Clef::parse(std::string_view text) {
  if (text.size() != 3) return std::nullopt;
  Clef clef;
  clef.shape = text[0];
  if (std::string_view("GgCFPT").find(clef.shape) == std::string_view::npos) return std::nullopt;
  switch (text[1]) {
    case '-': clef.kind = Kind::modern; break;
    case '+':
    case '*': clef.kind = Kind::mensural; break;
    case ':': clef.kind = Kind::neume; break;
    default: return std::nullopt;
  }
  if (text[2] < '1' || text[2] > '6') return std::nullopt;
  clef.line = static_cast<std::int8_t>(text[2] - '0');
  return clef;
}

KeySignature KeySignature::from_fifths(int fifths) {
  KeySignature key;
  fifths = std::clamp(fifths, -7, 7);
  for (int i = 0; i < fifths; ++i) key.alter[static_cast<std::size_t>(kSharpOrder[static_cast<std::size_t>(i)])] = 1;
  for (int i = 0; i < -fifths; ++i) {
    key.alter[static_cast<std::size_t>(kSharpOrder[static_cast<std::size_t>(6 - i)])] = -1;
  }
  return key;
}

std::optional<int> KeySignature::fifths() const {
  const int count = static_cast<int>(std::count_if(alter.begin(), alter.end(), [](int a) { return a != 0; }));
  for (const int guess : {count, -count}) {
    if (from_fifths(guess) == *this) return guess;
  }
  return std::nullopt;
}

std::string KeySignature::to_string() const {
  std::string sharps;
  std::string flats;
  for (std::size_t i = 0; i < 7; ++i) {
    if (alter[static_cast<std::size_t>(kSharpOrder[i])] > 0) sharps += letter_of_step(kSharpOrder[i]);
    if (alter[static_cast<std::size_t>(kSharpOrder[6 - i])] < 0) flats += letter_of_step(kSharpOrder[6 - i]);
  }
  return (sharps.empty() ? "" : "x" + sharps) + (flats.empty() ? "" : "b" + flats);
}

std::string Key::to_string() const {
  std::string out(1, letter_of_step(step));
  out.append(static_cast<std::size_t>(alter < 0 ? -alter : alter), alter < 0 ? 'b' : '#');
  return out + " " + std::string(kModeNames[static_cast<std::size_t>(mode)]);
}

std::optional<Key> Key::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Key key;
  const int step = step_of_letter(text.front());
  if (step < 0) return std::nullopt;
  key.step = static_cast<std::int8_t>(step);
  const bool small = text.front() >= 'a';
  std::size_t at = 1;
  for (; at < text.size() && std::string_view("#xb|").find(text[at]) != std::string_view::npos; ++at) {
    if (text[at] == '|') continue;
    key.alter = static_cast<std::int8_t>(key.alter + (text[at] == 'b' ? -1 : 1));
  }
  if (key.alter < -2 || key.alter > 2) return std::nullopt;
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string mode = lower(text.substr(at));
  if (mode.empty()) {
    key.mode = small ? Mode::minor : Mode::major;
    return key;
  }
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (kModeNames[i] == mode) {
      key.mode = static_cast<Mode>(i);
      return key;
    }
  }
  return std::nullopt;
}

KeySignature Key::signature() const {
  return KeySignature::from_fifths(kStepFifths[static_cast<std::size_t>(step)] + 7 * alter +
                                   kModeFifths[static_cast<std::size_t>(mode)]);
}

std::string TimeSignature::to_string() const {
  if (!symbol.empty()) return symbol;
  if (beats == 0) return "";
  return std::to_string(beats) + "/" + std::to_string(unit);
}

}  // namespace rondo
