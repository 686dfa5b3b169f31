#pragma once

#include <array>

#include "similarity/systems/orio.h"

/// What Orio needs of the beginnings of melodies, of all lengths at once.
namespace rondo::orio {

/// Sums of squares of weights in a byte: the mean over the n-grams, in sixteenths of an octave above the least that it
/// can be. No weight is below 1024, and an n-gram that occurs several times counts more than once each.
class SquareCodes {
 public:
  static constexpr std::uint8_t kMost = 255;  ///< so much or more
  SquareCodes();
  /// The code of a sum over so many n-grams, repeated ones included.
  [[nodiscard]] std::uint8_t of(double square, std::size_t grams) const;
  /// The least mean that has this code. The mean is less than kStep times this, unless the code is kMost.
  [[nodiscard]] double least(std::uint8_t code) const { return least_[code]; }
  static constexpr double kStep = 1.0442737824274138;  ///< 2^(1/16)

 private:
  std::array<double, 256> least_{};
};

/// How many n-grams a melody of so many notes has.
[[nodiscard]] std::size_t grams_in(std::size_t notes);

/// Makes the codes of beginnings, in time that grows with the number of notes.
class BeginningCoder {
 public:
  explicit BeginningCoder(const Parts& parts);
  /// Sets `out`, one code for each note of a melody.
  void code(const Line& line, std::vector<EndCode>& out);

 private:
  void add_squares(const GramWeights& weights, std::size_t part, const Line& line, std::vector<EndCode>& out);

  std::vector<GramWeights> weights_;
  SquareCodes codes_;
  std::array<std::vector<std::uint16_t>, kLevels.size()> times_;
  std::vector<std::uint16_t> symbols_;
  std::vector<std::uint16_t> last_;
  GramTable<std::uint32_t> counts_;
};

}  // namespace rondo::orio
