#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

/// Rondo's own system: the best explanation of the query's notes by those of a document, docs/rondo-system.md. All
/// numbers are whole and, for melodies of usual length, fit into 16 bits, so that a search in vector lanes computes the
/// very scores of this definition.
namespace rondo::explained {

/// What a pair of equal notes of average length is worth; totals are whole numbers of this part of it.
inline constexpr std::int32_t kOne = 256;
/// What a pair is made of is counted more finely.
inline constexpr std::int32_t kFine = 4 * kOne;
/// Weight 1 of a note, such that kFine times a weight, divided by 2^15, is kOne.
inline constexpr std::int32_t kWeight = (kOne << 15) / kFine;
/// Lengths are compared in this part of an octave (a factor of two), up to two octaves from the average.
inline constexpr std::int32_t kLengthSteps = 8;
inline constexpr std::int32_t kMostLength = 2 * kLengthSteps;
/// Places go from 0 at the first onset to this at the last.
inline constexpr std::int32_t kLastPlace = 16384;
/// Melodies are aligned in so many transpositions: those in which most notes of the query are found in their order.
inline constexpr std::size_t kTranspositions = 2;
/// Notes a melody needs: a single one is like every other.
inline constexpr std::size_t kShortest = 2;
/// Of longer melodies the rest is not compared: explaining takes a cell for every two notes.
inline constexpr std::size_t kLongest = 2000;

/// The parameters in whole numbers.
struct Settings {
  std::int32_t near = 0;      ///< fine: worth of a pair two to four semitones apart
  std::int32_t far = 0;       ///< fine: worth of another pair of different pitch
  std::int32_t length = 0;    ///< fine: cost of a step between lengths
  std::int32_t change = 0;    ///< fine: cost of a step between changes of length
  double place = 0;           ///< cost of the greatest difference of places
  std::int32_t interval = 0;  ///< fine: cost where the next intervals differ
  double weight = 0;          ///< how much more a pair counts if the query's note is twice as long
  double gap = 0;             ///< cost of a note that is left out
  double long_notes = 0;      ///< how much more that costs if the note is twice as long
  std::int32_t overhang = 0;  ///< what the document's notes before or behind all pairs cost at most
  double beyond = 1;          ///< what part of a gap a query note before or behind the whole document costs
};
[[nodiscard]] Settings settings_of(const RondoPlan& plan);

/// What of a melody is compared. Columns.
struct Features {
  std::vector<std::int16_t> pitch;   ///< MIDI number
  std::vector<std::int16_t> next;    ///< interval to the next note in semitones; 0 at the last, where it counts not
  std::vector<std::int16_t> length;  ///< log2 of the inter-onset interval relative to the average, in steps
  std::vector<std::int16_t> change;  ///< the same relative to the note before; 0 at the first
  std::vector<std::int16_t> place;   ///< 0..kLastPlace
  bool rhythm = false;               ///< not all inter-onset intervals are equal
  [[nodiscard]] std::size_t size() const { return pitch.size(); }
};

/// A factor of two, in steps; at most kMostLength up or down. Both are positive.
[[nodiscard]] std::int16_t length_steps(std::int64_t length, std::int64_t relative_to);
/// `pitch`, `onset` and `duration` are equally long and not empty; onsets ascend.
void make_features(std::span<const std::int16_t> pitch, std::span<const std::int64_t> onset,
                   std::span<const std::int64_t> duration, Features& out);

/// What things cost for one query: whether it has a rhythm decides.
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
  /// By how much the difference of two places is multiplied, then divided by 2^16: less the more the numbers of notes
  /// differ.
  [[nodiscard]] std::int32_t place_factor(std::size_t query, std::size_t document) const;
  /// Of a note of the query, in parts of kWeight.
  [[nodiscard]] std::int32_t weight(std::int32_t length) const { return weight_[index(length)]; }
  /// What a pair adds, of the fine sum of its parts and the weight of its query note.
  [[nodiscard]] static std::int32_t weighted(std::int32_t fine, std::int32_t weight) {
    return (fine * weight + (1 << 14)) >> 15;
  }
  [[nodiscard]] std::int32_t gap(std::int32_t length) const { return gap_[index(length)]; }
  /// A note of the query that lies before the document's first or behind its last.
  [[nodiscard]] std::int32_t beyond(std::int32_t length) const { return beyond_[index(length)]; }
  /// The total of a query that is found note by note.
  [[nodiscard]] std::int32_t perfect(const Features& query) const;

 private:
  static std::size_t index(std::int32_t length) { return static_cast<std::size_t>(length + kMostLength); }
  Settings settings_;
  bool rhythm_;
  std::array<std::int32_t, 2 * kMostLength + 1> weight_{};
  std::array<std::int32_t, 2 * kMostLength + 1> gap_{};
  std::array<std::int32_t, 2 * kMostLength + 1> beyond_{};
};

/// For each transposition of the query, how many of its notes are found in the document in their order, at equal pitch:
/// the longest common subsequence.
class CommonNotes {
 public:
  explicit CommonNotes(std::span<const std::int16_t> query);
  struct Found {
    std::int32_t transposition = 0;  ///< added to the query
    std::uint32_t notes = 0;
  };
  /// The transpositions with a common note; most notes first, of equal ones the lower.
  void find(std::span<const std::int16_t> document, std::vector<Found>& out) const;

 private:
  std::size_t notes_ = 0;
  std::size_t words_ = 0;
  std::int32_t low_ = 0;
  std::int32_t high_ = 0;
  std::vector<std::uint64_t> where_;  ///< by pitch above the lowest: which notes have it
};

/// The total of the best alignment in one transposition. The scalar reference of kernels/explained_align.h.
[[nodiscard]] std::int32_t align(const Costs& costs, const Features& query, const Features& document,
                                 std::int32_t transposition);

}  // namespace rondo::explained
