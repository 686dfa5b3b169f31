#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/store/collection.h"
#include "search/index/layout.h"
#include "search/index/number_table.h"

namespace rondo::index {

/// Values that recur, by number in the order of their first appearance.
template <typename Value>
class Interner {
 public:
  std::uint32_t number(const Value& value) {
    std::uint64_t key = hash_of(value);
    // Hash collisions practically never occur; then the second value uses the next key.
    for (;; ++key) {
      std::uint32_t& number = numbers_[key];
      if (number == NumberTable::kNone) {
        number = static_cast<std::uint32_t>(values_.size());
        values_.push_back(value);
        uses_.push_back(0);
      } else if (values_[number] != value) {
        continue;
      }
      ++uses_[number];
      return number;
    }
  }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::uint64_t>& uses() const { return uses_; }

 private:
  NumberTable numbers_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> uses_;
};
[[nodiscard]] std::uint64_t hash_of(const PitchCode& value);
[[nodiscard]] std::uint64_t hash_of(const TimeCode& value);
[[nodiscard]] std::uint64_t hash_of(const StructureCode& value);
[[nodiscard]] std::uint64_t hash_of(const std::vector<Rational>& value);

/// The position of each piece in the byte order of all ids.
class IdOrder {
 public:
  /// Call with pieces in the order of their ids.
  void add(std::int64_t piece) { places_.emplace_back(piece, static_cast<std::uint32_t>(places_.size())); }
  /// Call after the last `add`, before `of`.
  void finish();
  /// 0 for a piece that was not added.
  [[nodiscard]] std::uint32_t of(std::int64_t piece) const;

 private:
  std::vector<std::pair<std::int64_t, std::uint32_t>> places_;
};

/// Whether a line represents a voice completely: every note except grace notes and those without duration, with its
/// exact pitch and times.
[[nodiscard]] bool has_every_note(const Line& line, const Voice& voice);

/// Builds a segment from lines in any order. For a million incipits it needs about 250 MB of memory, and twice as much
/// in `finish`.
class SegmentBuilder {
 public:
  /// Adds the line of this voice. `whole`: it has every note of the voice (see has_every_note). Errors:
  /// `index-too-large`.
  [[nodiscard]] Result<void> add(VoiceKey voice, PieceKey piece, std::uint32_t number, const Line& line, bool whole);
  [[nodiscard]] std::size_t size() const { return documents_.size(); }

  /// Returns the bytes of the segment; call once, last. `progress` receives the number of documents done.
  [[nodiscard]] std::string finish(const IdOrder& id_order, const std::function<void(std::size_t)>& progress = {});

 private:
  struct Document {
    std::int64_t voice;
    std::int64_t piece;
    std::uint64_t first_note;
    std::uint64_t first_structure;
    std::uint32_t structures;
    std::uint32_t notes;
    std::uint32_t grid;
    std::uint32_t bars;
    std::uint16_t number;
    bool whole;
  };

  std::vector<Document> documents_;
  std::vector<std::uint16_t> pitches_;  ///< numbers of pitch_values_
  std::vector<std::uint32_t> times_;    ///< numbers of time_values_
  std::vector<std::uint8_t> beats_;     ///< metric weights
  std::vector<std::uint16_t> chains_;   ///< numbers of structure_values_
  Interner<PitchCode> pitch_values_;
  Interner<TimeCode> time_values_;
  Interner<StructureCode> structure_values_;
  Interner<std::vector<Rational>> bar_values_;
};

}  // namespace rondo::index
