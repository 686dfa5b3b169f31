#include "gpu/melody_columns.h"

#include <algorithm>

namespace rondo::gpu {
namespace {

/// Each melody begins at a multiple of four, so that four pitches are read at once.
constexpr std::size_t kNotesTogether = 4;

}  // namespace

bool MelodyColumns::fits(const explained::Features& features) {
  if (features.size() < explained::kShortest || features.size() > kMostNotes) return false;
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  return *high - *low <= kMostPitch;
}

void MelodyColumns::add(const explained::Features& features, const explained::Costs& even,
                        const explained::Costs& rhythmic) {
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  Melody melody{};
  melody.first_note = static_cast<std::uint32_t>(notes.size());
  melody.notes = static_cast<std::uint8_t>(features.size());
  melody.rhythm = features.rhythm ? 1 : 0;
  melody.range = static_cast<std::uint8_t>(*high - *low);
  melody.perfect = (features.rhythm ? rhythmic : even).perfect(features);
  for (std::size_t i = 0; i < features.size(); ++i) {
    Note note{};
    note.pitch = static_cast<std::uint8_t>(features.pitch[i] - *low);
    note.next = static_cast<std::int8_t>(features.next[i]);
    note.length = static_cast<std::int8_t>(features.length[i]);
    note.change = static_cast<std::int8_t>(features.change[i]);
    note.place = static_cast<std::uint16_t>(features.place[i]);
    note.gap = static_cast<std::int16_t>(rhythmic.gap(note.length));
    notes.push_back(note);
  }
  melodies.push_back(melody);
  fill_up();
}

void MelodyColumns::add_none() {
  Melody melody{};
  melody.first_note = static_cast<std::uint32_t>(notes.size());
  melodies.push_back(melody);
}

void MelodyColumns::add_from(const MelodyColumns& other, std::size_t number) {
  const auto from = other.notes_of(number);
  melodies.push_back(other.melodies[number]);
  melodies.back().first_note = static_cast<std::uint32_t>(notes.size());
  notes.insert(notes.end(), from.begin(), from.end());
  fill_up();
}

void MelodyColumns::fill_up() { notes.resize((notes.size() + kNotesTogether - 1) / kNotesTogether * kNotesTogether); }

}  // namespace rondo::gpu
