#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "rondo/similarity/line.h"
#include "rondo/store/collection.h"
#include "search/index/layout.h"

namespace rondo::index {

/// Values that recur, by number in the order of their first appearance.
template <typename Value>
class Interner {
 public:
  std::uint32_t number(const Value& value) {
    const auto [found, is_new] = numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (is_new) {
      values_.push_back(value);
      uses_.push_back(0);
    }
    ++uses_[found->second];
    return found->second;
  }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::uint64_t>& uses() const { return uses_; }

 private:
  std::map<Value, std::uint32_t> numbers_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> uses_;
};

/// Whether a line tells all that a voice sounds: each note but graces and those of no duration, with its own pitch and
/// at its own times.
[[nodiscard]] bool has_every_note(const Line& line, const Voice& voice);

/// Makes a segment: takes lines in any order, keeps them compactly, writes the bytes at the end. For a million
/// incipits it needs about 300 MB, and a gigabyte while it writes.
class SegmentBuilder {
 public:
  /// A line to be found under this voice. `whole`: it has every note of the voice (see has_every_note). Errors:
  /// `index-too-large`.
  [[nodiscard]] Result<void> add(VoiceKey voice, PieceKey piece, std::uint32_t number, const Line& line, bool whole);
  [[nodiscard]] std::size_t size() const { return documents_.size(); }

  /// The segment's bytes, once and at the end. `id_order` gives each piece its place among all ids, in byte order;
  /// `progress` hears of documents done.
  [[nodiscard]] std::string finish(const std::unordered_map<std::int64_t, std::uint32_t>& id_order,
                                   const std::function<void(std::size_t)>& progress = {});

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
