#include "rondo/melody/pitch.h"

#include <array>
#include <charconv>

namespace rondo {
namespace {

struct Spelling {
  std::int8_t step;
  std::int8_t alter;
};

constexpr std::array<Spelling, 12> kSharps = {
    {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {3, 0}, {3, 1}, {4, 0}, {4, 1}, {5, 0}, {5, 1}, {6, 0}}};
constexpr std::array<Spelling, 12> kFlats = {
    {{0, 0}, {1, -1}, {1, 0}, {2, -1}, {2, 0}, {3, 0}, {4, -1}, {4, 0}, {5, -1}, {5, 0}, {6, -1}, {6, 0}}};
constexpr std::array<Spelling, 12> kMixed = {
    {{0, 0}, {0, 1}, {1, 0}, {2, -1}, {2, 0}, {3, 0}, {3, 1}, {4, 0}, {4, 1}, {5, 0}, {6, -1}, {6, 0}}};

}  // namespace

Pitch Pitch::from_midi(int midi, int fifths) {
  const auto& table = fifths > 0 ? kSharps : fifths < 0 ? kFlats : kMixed;
  const int chroma = ((midi % 12) + 12) % 12;
  const Spelling s = table[static_cast<std::size_t>(chroma)];
  return Pitch{s.step, s.alter, static_cast<std::int8_t>((midi - chroma) / 12 - 1)};
}

std::optional<Pitch> Pitch::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const int step = step_of_letter(text.front());
  if (step < 0) return std::nullopt;
  std::size_t at = 1;
  int alter = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '#') {
      ++alter;
    } else if (text[at] == 'x') {
      alter += 2;
    } else if (text[at] == 'b') {
      --alter;
    } else {
      break;
    }
  }
  int octave = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + at, end, octave);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  if (alter < -kMaxAlter || alter > kMaxAlter || octave < -2 || octave > 11) return std::nullopt;
  return Pitch{static_cast<std::int8_t>(step), static_cast<std::int8_t>(alter), static_cast<std::int8_t>(octave)};
}

std::string Pitch::to_string() const {
  std::string out(1, letter_of_step(step));
  out.append(static_cast<std::size_t>(alter < 0 ? -alter : alter), alter < 0 ? 'b' : '#');
  return out + std::to_string(octave);
}

}  // namespace rondo
