#include "similarity/systems/orio_beginnings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rondo::orio {
namespace {

/// The n-grams that end with a symbol, for a text that is read symbol by symbol.
class EndingGrams {
 public:
  static constexpr std::size_t kLengths = NgramCosine::kMost + 1 - NgramCosine::kLeast;

  void read(std::uint16_t symbol) {
    text_ = text_ << kSymbolBits | symbol;
    ++size_;
  }
  /// visit(gram) for each that ends with `symbol`, if it comes next.
  template <typename Visit>
  void each(std::uint16_t symbol, const Visit& visit) const {
    const std::uint64_t text = text_ << kSymbolBits | symbol;
    for (std::size_t n = NgramCosine::kLeast; n <= NgramCosine::kMost && n <= size_ + 1; ++n) {
      const std::uint64_t first = std::uint64_t{1} << (n * kSymbolBits);
      visit(first | (text & (first - 1)));
    }
  }

 private:
  std::uint64_t text_ = 0;
  std::size_t size_ = 0;
};

/// How many notes a beginning has at least whose symbols may be others than those of the whole melody: times that are
/// not positive are taken for one tick, and a beginning may have longer ticks (keep_opening). SIZE_MAX: none.
std::size_t first_with_other_ticks(const Line& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line.onset[i + 1] <= line.onset[i]) return i + 2;
  }
  return SIZE_MAX;
}

}  // namespace

SquareCodes::SquareCodes() {
  constexpr double kLeastSquare = 1024.0 * 1024.0;
  for (std::size_t code = 0; code < least_.size(); ++code) {
    least_[code] = kLeastSquare * std::exp2(static_cast<double>(code) / 16);
  }
}

std::uint8_t SquareCodes::of(double square, std::size_t grams) const {
  const double mean = square / static_cast<double>(grams);
  const auto above = std::upper_bound(least_.begin() + 1, least_.end(), mean);
  return static_cast<std::uint8_t>(above - least_.begin() - 1);
}

std::size_t grams_in(std::size_t notes) {
  std::size_t grams = 0;
  for (std::size_t n = NgramCosine::kLeast; n <= NgramCosine::kMost; ++n) grams += notes > n ? notes - n : 0;
  return grams;
}

BeginningCoder::BeginningCoder(const Parts& parts) {
  for (const NgramCosine* part : parts) weights_.emplace_back(*part);
}

void BeginningCoder::code(const Line& line, std::vector<EndCode>& out) {
  out.assign(line.size(), EndCode{});
  for (std::size_t l = 0; l < kLevels.size(); ++l) last_symbols(line, Feature::times, kLevels[l], times_[l]);
  const std::size_t uncertain = first_with_other_ticks(line);
  std::int64_t step = line.ticks_per_whole;
  for (const std::int64_t bar : line.bars) step = std::gcd(step, bar);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (step != 1) step = std::gcd(std::gcd(step, line.onset[i]), line.duration[i]);
    if (i == 0 || (i + 1 >= uncertain && step != 1)) continue;
    out[i].time = time_code_of(times_[0][i - 1], times_[1][i - 1], times_[2][i - 1]);
  }
  for (std::size_t part = 0; part < weights_.size(); ++part) add_squares(weights_[part], part, line, out);
}

void BeginningCoder::add_squares(const GramWeights& weights, std::size_t part, const Line& line,
                                 std::vector<EndCode>& out) {
  const NgramCosine& system = weights.system();
  level_symbols(line, system.feature(), system.level(), symbols_);
  last_symbols(line, system.feature(), system.level(), last_);
  // All weights are looked up far from each other.
  for (EndingGrams ending; const std::uint16_t symbol : symbols_) {
    ending.each(symbol, [&](NgramCosine::Gram gram) { system.fetch(gram); });
    ending.read(symbol);
  }
  counts_.reset(EndingGrams::kLengths * symbols_.size());
  EndingGrams ending;
  double square = 0;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    // From c to c + 1 times, the square of the weight grows by 2 c + 1 squares of the idf.
    const auto growth = [&](std::uint16_t symbol) {
      double sum = 0;
      ending.each(symbol, [&](NgramCosine::Gram gram) {
        const double idf = weights.of(gram);
        sum += (2 * static_cast<double>(counts_.get(gram)) + 1) * idf * idf;
      });
      return sum;
    };
    const double last = growth(last_[i]);
    if (const std::size_t grams = grams_in(i + 2); grams > 0) out[i + 1].square[part] = codes_.of(square + last, grams);
    square += last_[i] == symbols_[i] ? last : growth(symbols_[i]);
    ending.each(symbols_[i], [&](NgramCosine::Gram gram) { ++counts_[gram]; });
    ending.read(symbols_[i]);
  }
}

}  // namespace rondo::orio
