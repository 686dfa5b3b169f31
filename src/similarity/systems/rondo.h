#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

/// Rondo's own system: the best explanation of the query's notes by those of a document. Whole numbers of 16 bits are
/// enough for melodies of usual length, so that a search in vector lanes gives the very scores of the definition.
/// docs/rondo-system.md explains it.
namespace rondo::explained {

/// What a pair of equal notes is worth. Everything else is a whole number of this part of it.
inline constexpr std::int32_t kOne = 256;
/// Steps of an octave in which lengths of notes are compared, and how far apart two lengths can be.
inline constexpr std::int32_t kLengthSteps = 16;
inline constexpr std::int32_t kMostLength = 4 * kLengthSteps;
/// Places go from 0 at the first onset to this at the last.
inline constexpr std::int32_t kLastPlace = 16384;
/// What Settings::place is counted in: parts of kOne, so that a product with a place is rounded once.
inline constexpr std::int32_t kPlaceParts = 4;
/// No interval begins at the last note.
inline constexpr std::int16_t kNoInterval = 1000;
/// Of longer melodies the rest is not compared: explaining takes a cell for every two notes.
inline constexpr std::size_t kLongest = 2000;

/// The parameters of the row, in parts of kOne unless said otherwise.
struct Settings {
  std::int32_t near = 0;          ///< a pair of notes a whole tone, a third or an octave apart
  std::int32_t far = 0;           ///< any other pair of notes of different pitch
  double length = 0;              ///< cost of an octave (a factor of two) between the lengths; share of kOne
  double change = 0;              ///< cost of an octave between the changes of length; share of kOne
  double place = 0;               ///< cost of the greatest difference of places; share of kOne
  std::int32_t interval = 0;      ///< cost where the next interval differs
  std::int32_t open = 0;          ///< cost of a gap
  std::int32_t extend = 0;        ///< cost of each note in a gap
  double long_notes = 0;          ///< by how much dearer a note in a gap is that is twice as long
  std::int32_t unexplained = 0;   ///< cost of a query note before or behind all that is aligned
  std::int32_t overhang = 0;      ///< cost of such a note of the document
  std::int32_t most_overhang = 0; ///< but all at one end cost no more
};

/// What of a melody is compared. Columns.
struct Features {
  std::vector<std::int16_t> pitch;   ///< MIDI number
  std::vector<std::int16_t> next;    ///< interval to the next note in semitones, or kNoInterval
  std::vector<std::int16_t> length;  ///< log2 of the inter-onset interval, less the mean, in kLengthSteps
  std::vector<std::int16_t> change;  ///< the same less that of the note before; 0 at the first
  std::vector<std::int16_t> place;   ///< 0..kLastPlace
  bool rhythm = false;               ///< not all inter-onset intervals are equal
  [[nodiscard]] std::size_t size() const { return pitch.size(); }
};

/// `pitch`, `onset` and `duration` are equally long and not empty; onsets ascend.
void make_features(std::span<const std::int16_t> pitch, std::span<const std::int64_t> onset,
                   std::span<const std::int64_t> duration, Features& out);

/// Costs that depend on the query alone, by numbers that are looked up.
class Costs {
 public:
  /// `rhythm`: whether the query has one; all that has to do with time costs nothing otherwise.
  Costs(const Settings& settings, bool rhythm);

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] bool rhythm() const { return rhythm_; }
  /// Of a pair of notes so many semitones apart.
  [[nodiscard]] std::int32_t pitch(std::int32_t apart) const;
  [[nodiscard]] std::int32_t length(std::int32_t apart) const { return length_[static_cast<std::size_t>(apart)]; }
  [[nodiscard]] std::int32_t change(std::int32_t apart) const { return change_[static_cast<std::size_t>(apart)]; }
  /// The factor by which places that lie apart cost, less the more the lengths of the melodies differ.
  [[nodiscard]] std::int32_t place_factor(std::size_t query, std::size_t document) const;
  [[nodiscard]] static std::int32_t place(std::int32_t factor, std::int32_t apart) { return (factor * apart) >> 16; }
  /// Of a note of this length in a gap.
  [[nodiscard]] std::int32_t gap(std::int32_t length) const {
    return gap_[static_cast<std::size_t>(length + kMostLength)];
  }
  [[nodiscard]] std::int32_t unexplained(std::size_t notes) const {
    return settings_.unexplained * static_cast<std::int32_t>(notes);
  }
  [[nodiscard]] std::int32_t overhang(std::size_t notes) const;
  /// No alignment in which at most `equal` of `notes` query notes meet their equal scores more than this.
  [[nodiscard]] std::int32_t at_most(std::size_t equal, std::size_t notes) const;

 private:
  Settings settings_;
  bool rhythm_;
  std::int32_t best_other_ = 0;  ///< what a query note that meets no equal can add
  std::vector<std::int32_t> length_;
  std::vector<std::int32_t> change_;
  std::vector<std::int32_t> gap_;
};

/// For each transposition of the query, as many of its notes as can be found in the document in their order, at equal
/// pitch: the longest common subsequence. Sixty-four notes of the query at a time.
class CommonNotes {
 public:
  explicit CommonNotes(std::span<const std::int16_t> query);
  struct Found {
    std::int32_t transposition = 0;  ///< added to the query
    std::uint32_t notes = 0;
  };
  /// Those with at least one common note; most notes first, then the lower transposition.
  void find(std::span<const std::int16_t> document, std::vector<Found>& out) const;

 private:
  std::size_t notes_ = 0;
  std::size_t words_ = 0;
  std::int32_t low_ = 0;
  std::int32_t high_ = 0;
  std::vector<std::uint64_t> where_;  ///< by pitch above the lowest: which notes have it
};

/// The score before it is divided: the best alignment in one transposition.
[[nodiscard]] std::int32_t align(const Costs& costs, const Features& query, const Features& document,
                                 std::int32_t transposition);

/// What the system was made with; nothing for other systems.
[[nodiscard]] std::optional<Settings> settings_of(const System& system);

}  // namespace rondo::explained
