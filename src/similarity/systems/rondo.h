#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/common_order.h"

/// Rondo's own system: the best explanation of the query's notes by those of a document, docs/rondo-system.md. All
/// numbers are integers and, for melodies of usual length, fit 16 bits, so that a SIMD search computes exactly the
/// scores of this definition.
namespace rondo::explained {

/// The value of a pair of equal notes of average length; totals are in units of 1 / kOne of it.
inline constexpr std::int32_t kOne = 256;
/// The finer unit of the terms of a pair.
inline constexpr std::int32_t kFine = 4 * kOne;
/// Weight 1 of a note, such that kFine times a weight, divided by 2^15, is kOne.
inline constexpr std::int32_t kWeight = (kOne << 15) / kFine;
/// Lengths are compared in this part of an octave (a factor of two), up to two octaves from the average.
inline constexpr std::int32_t kLengthSteps = 8;
inline constexpr std::int32_t kMostLength = 2 * kLengthSteps;
/// Positions range from 0 at the first onset to this at the last.
inline constexpr std::int32_t kLastPlace = 16384;
/// Melodies are aligned in this many transpositions: those in which most notes of the query are found in order.
inline constexpr std::size_t kTranspositions = 2;
/// Minimal number of notes: all single notes are alike.
inline constexpr std::size_t kShortest = 2;
/// Of longer melodies the rest is not compared: explaining needs a cell for every pair of notes.
inline constexpr std::size_t kLongest = 2000;

/// The parameters in whole numbers.
struct Settings {
  std::int32_t near = 0;      ///< fine: value of a pair two to four semitones apart
  std::int32_t far = 0;       ///< fine: value of another pair of different pitch
  std::int32_t length = 0;    ///< fine: cost of a step between lengths
  std::int32_t change = 0;    ///< fine: cost of a step between changes of length
  double place = 0;           ///< cost of the greatest difference of positions
  std::int32_t interval = 0;  ///< fine: cost where the next intervals differ
  double weight = 0;          ///< how much more a pair counts if the query's note is twice as long
  double gap = 0;             ///< cost of a note that is left out
  double long_notes = 0;      ///< how much more that costs if the note is twice as long
  std::int32_t overhang = 0;  ///< maximal cost of the document's notes before or after all pairs
  double beyond = 1;          ///< cost of a query note before or after the whole document, as a factor of that of a gap
};
[[nodiscard]] Settings settings_of(const RondoPlan& plan);
/// Whether the numbers of a plan are in the ranges for which bounds, SIMD kernels and GPUs are exact: what the
/// parameters of the system allow, and more. A user-defined system may have others; only the definition scores it.
[[nodiscard]] bool in_supported_range(const RondoPlan& plan);

/// The compared features of a melody, in columns.
struct Features {
  std::vector<std::int16_t> pitch;   ///< MIDI number
  std::vector<std::int16_t> next;    ///< interval to the next note in semitones; 0 (unused) at the last
  std::vector<std::int16_t> length;  ///< log2 of the inter-onset interval relative to the average, in steps
  std::vector<std::int16_t> change;  ///< the same relative to the note before; 0 at the first
  std::vector<std::int16_t> place;   ///< 0..kLastPlace
  bool rhythm = false;               ///< not all inter-onset intervals are equal
  [[nodiscard]] std::size_t size() const { return pitch.size(); }
};

/// Precondition: `pitch`, `onset` and `duration` have the same size and are not empty; onsets ascend, durations are
/// positive.
void make_features(std::span<const std::int16_t> pitch, std::span<const std::int64_t> onset,
                   std::span<const std::int64_t> duration, Features& out);

/// The costs for one query; they depend on whether it has a rhythm.
class Costs {
 public:
  Costs(const Settings& settings, bool rhythm);

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] bool rhythm() const { return rhythm_; }
  [[nodiscard]] std::int32_t pitch(std::int32_t apart) const {
    const std::int32_t distance = apart < 0 ? -apart : apart;
    if (distance == 0) return kFine;
    return distance >= 2 && distance <= 4 ? settings_.near : settings_.far;
  }
  /// The factor for the difference of two positions, times 2^16: smaller the more the numbers of notes differ.
  [[nodiscard]] std::int32_t place_factor(std::size_t query, std::size_t document) const;
  /// The weight of a query note, in units of 1 / kWeight.
  [[nodiscard]] std::int32_t weight(std::int32_t length) const { return weight_[index(length)]; }
  /// The value of a pair, from the fine sum of its terms and the weight of its query note.
  [[nodiscard]] static std::int32_t weighted(std::int32_t fine, std::int32_t weight) {
    return (fine * weight + (1 << 14)) >> 15;
  }
  [[nodiscard]] std::int32_t gap(std::int32_t length) const { return gap_[index(length)]; }
  /// The cost of a query note before the document's first note or after its last.
  [[nodiscard]] std::int32_t beyond(std::int32_t length) const { return beyond_[index(length)]; }
  /// The total of the query aligned with itself.
  [[nodiscard]] std::int32_t perfect(const Features& query) const;

 private:
  static std::size_t index(std::int32_t length) { return static_cast<std::size_t>(length + kMostLength); }
  Settings settings_;
  bool rhythm_;
  std::array<std::int32_t, 2 * kMostLength + 1> weight_{};
  std::array<std::int32_t, 2 * kMostLength + 1> gap_{};
  std::array<std::int32_t, 2 * kMostLength + 1> beyond_{};
};

/// For each transposition of the query, the length of its longest common subsequence with the document, by pitch.
class CommonNotes {
 public:
  explicit CommonNotes(std::span<const std::int16_t> query);
  struct Found {
    std::int32_t transposition = 0;  ///< added to the query
    std::uint32_t notes = 0;
  };
  /// The transpositions with a common note, sorted by the number of common notes (descending), then ascending.
  void find(std::span<const std::int16_t> document, std::vector<Found>& out) const;
  /// The length in one transposition.
  [[nodiscard]] std::uint32_t in(std::span<const std::int16_t> document, std::int32_t transposition) const {
    LongCommonOrder order(notes_);
    return in(document, transposition, order);
  }

 private:
  [[nodiscard]] std::uint32_t in(std::span<const std::int16_t> document, std::int32_t transposition,
                                 LongCommonOrder& order) const;

  std::size_t notes_ = 0;
  std::size_t words_ = 0;
  std::int32_t low_ = 0;
  std::int32_t high_ = 0;
  std::vector<std::uint64_t> where_;  ///< by pitch above the lowest: bitmap of the notes that have it
};

/// The total of the best alignment in one transposition. The scalar reference of kernels/explained_align.h. `table`, if
/// not null, gets all cells: a row of document.size() + 1 for no note of the query, for the first one, and so on.
[[nodiscard]] std::int32_t align(const Costs& costs, const Features& query, const Features& document,
                                 std::int32_t transposition, std::vector<std::int32_t>* table = nullptr);

}  // namespace rondo::explained
