#pragma once

#include <vector>

#include "gpu/card.h"
#include "similarity/systems/rondo.h"

namespace rondo::gpu {

/// Melodies as a card compares them, to be loaded.
struct MelodyColumns {
  std::vector<Melody> melodies;
  std::vector<Note> notes;

  /// Whether a card can compare it: it has enough notes for the system, few enough for a card, and they are not too far
  /// apart.
  [[nodiscard]] static bool fits(const explained::Features& features);
  /// Appends a melody that fits. `costs` are those of melodies with rhythm and without: as the query it is found by
  /// those that it is like, so it has them from its own rhythm.
  void add(const explained::Features& features, const explained::Costs& even, const explained::Costs& rhythmic);
  /// Appends a melody that takes no part.
  void add_none();
  /// Appends a melody of another one.
  void add_from(const MelodyColumns& other, std::size_t number);

  [[nodiscard]] MelodySpan span() const { return {melodies, notes}; }
  [[nodiscard]] std::span<const Note> notes_of(std::size_t number) const {
    return {notes.data() + melodies[number].first_note, melodies[number].notes};
  }

 private:
  void fill_up();
};

}  // namespace rondo::gpu
