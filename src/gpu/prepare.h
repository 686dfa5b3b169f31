#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpu/card.h"
#include "similarity/systems/rondo.h"

/// What the CPU makes of costs, melodies and queries before a card compares them.
namespace rondo::gpu {

/// Costs of queries without rhythm and with, of one plan (explained::in_supported_range).
[[nodiscard]] std::unique_ptr<CostTables> cost_tables(const explained::Costs& even, const explained::Costs& rhythmic);

/// Melodies as a card compares them, to be loaded.
struct MelodyColumns {
  std::vector<Melody> melodies;
  std::vector<Note> notes;

  /// Whether a card can compare it: it has enough notes for the system, few enough for a card, and a range that fits.
  [[nodiscard]] static bool fits(const explained::Features& features);
  /// Appends a melody that fits. The costs are those of queries without rhythm and with.
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

/// A melody as a query.
[[nodiscard]] Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number);
/// Units of gain that a melody needs, as the query, for a total (gain_bound.h); kNoGain: it cannot reach it.
[[nodiscard]] std::uint32_t least_gain(const CostTables& costs, bool rhythm, std::span<const Note> notes,
                                       std::int32_t total);

}  // namespace rondo::gpu
