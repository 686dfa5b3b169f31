#pragma once

#include <cmath>
#include <string>
#include <unordered_map>

#include "search/fast/orio_reader.h"
#include "similarity/systems/orio_beginnings.h"

namespace rondo::fast {

/// Cosines of a query and beginnings of documents of one length: bounds for all of them, from what is kept of the
/// beginnings of every length, and exact ones of a few.
class OpeningCosines {
 public:
  /// Beginnings longer than this are compared by the parts: so all sums are exact in doubles, as with `kMostPairs`.
  static constexpr std::size_t kLongest = 1000;

  OpeningCosines(const orio::Parts& parts, const DigestReader& reader, std::size_t notes)
      : reader_(reader), grams_(static_cast<double>(orio::grams_in(notes))) {
    for (const NgramCosine* part : parts) weights_.emplace_back(*part);
    for (std::size_t code = 0; code < inverse_.size(); ++code) {
      inverse_[code] = 1 / std::sqrt(codes_.least(static_cast<std::uint8_t>(code)));
    }
    for (std::size_t i = 0; i < scale_.size(); ++i) scale_[i] = kAbove / std::sqrt(reader.squares()[i] * grams_);
  }

  /// The least that a cosine can be with so high an upper bound.
  [[nodiscard]] static double least(double bound) { return bound * kBelow; }

  /// Upper bounds of all parts; 0 is exact. `steps` are those of the beginning, all but the first note's. False: they
  /// are not known.
  [[nodiscard]] bool bound(std::span<const orio::StepCode> steps, const orio::EndCode& end, Cosines& out) const {
    if (end.time == orio::EndCode::kUnknown) return false;
    out = reader_.products(steps, end.time);
    bool known = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      known &= end.square[i] != orio::SquareCodes::kMost;
      out[i] = std::min(1.0, out[i] * scale_[i] * inverse_[end.square[i]]);
    }
    return known;
  }

  /// The cosine of one part. Kept, for at the coarser levels many beginnings are the same.
  [[nodiscard]] double exact(std::size_t part, std::span<const orio::StepCode> steps, const orio::EndCode& end) {
    const NgramCosine& system = weights_[part].system();
    symbols_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      unsigned symbol = 0;
      if (system.feature() != Feature::times) symbol += orio::interval_symbol_of(steps[i].interval, system.level());
      if (system.feature() != Feature::intervals) {
        symbol += orio::time_symbol_of(i + 1 < steps.size() ? steps[i].time : end.time, system.level());
      }
      symbols_.push_back(static_cast<char16_t>(symbol));
    }
    const auto [found, is_new] = known_[part].try_emplace(symbols_, 0.0);
    if (is_new) {
      const double product = reader_.products(steps, end.time)[part];
      if (product > 0) {
        text_.assign(symbols_.begin(), symbols_.end());
        found->second = NgramCosine::cosine(product, reader_.squares()[part], weights_[part].square_of(text_));
      }
    }
    return found->second;
  }

 private:
  // Far more than what rounding can add to a bound.
  static constexpr double kAbove = 1 + 1e-9;
  static constexpr double kBelow = 0.97857206208770013 * (1 - 1e-8);  ///< 2^(-1/32)
  static_assert(kBelow * kBelow * orio::SquareCodes::kStep < 1);

  const DigestReader& reader_;
  double grams_;
  std::vector<GramWeights> weights_;
  orio::SquareCodes codes_;
  std::array<double, 256> inverse_{};
  Cosines scale_{};
  std::array<std::unordered_map<std::u16string, double>, orio::kParts> known_;
  std::u16string symbols_;
  std::vector<std::uint16_t> text_;
};

}  // namespace rondo::fast
