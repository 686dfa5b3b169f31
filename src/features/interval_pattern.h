#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// A sequence of intervals to look for, as a musician, a programmer or a player writes it:
///
///     fifth up, third down, unison, sixth up     of any quality; 5th, 3rd; also "minor third up", "octave down"
///     +7 -4 0 +9                                 semitones
///     steps +4 -2 0 +5                           steps of the staff: a third is 2
///     G4 D5 B4 B4 G5                             notes: the semitones between them, from any note
///
/// Commas and blanks separate; upper and lower case are the same.
class IntervalPattern {
 public:
  /// Errors: `interval-word` with the word that is not understood, `interval-empty`, `interval-quality`.
  [[nodiscard]] static Result<IntervalPattern> parse(std::string_view text);

  /// How often it occurs in a melody given by its interval texts (see interval_text), occurrences that overlap
  /// included. The two texts are of one melody.
  [[nodiscard]] std::size_t count(std::string_view diatonic, std::string_view chromatic) const;
  [[nodiscard]] bool occurs(std::string_view diatonic, std::string_view chromatic) const;

  [[nodiscard]] std::size_t length() const { return intervals_.size(); }

 private:
  struct Interval {
    std::optional<std::int16_t> steps;
    std::optional<std::int16_t> semitones;
  };

  [[nodiscard]] static Result<std::vector<Interval>> parse_notes(std::span<const std::string> words);
  [[nodiscard]] static Result<std::vector<Interval>> parse_numbers(std::span<const std::string> words, bool steps);
  [[nodiscard]] static Result<std::vector<Interval>> parse_names(std::span<const std::string> words);
  void compile();
  [[nodiscard]] std::size_t count_mixed(std::string_view diatonic, std::string_view chromatic, bool first) const;
  [[nodiscard]] std::size_t count_up_to(std::string_view diatonic, std::string_view chromatic, bool first) const;

  std::vector<Interval> intervals_;
  // Where only one of the two texts matters, what to find in it.
  std::string diatonic_needle_;
  std::string chromatic_needle_;
};

}  // namespace rondo
