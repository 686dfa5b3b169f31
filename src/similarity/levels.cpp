#include "similarity/levels.h"

#include <algorithm>
#include <cstdlib>

namespace rondo {
namespace {

/// Where twice the log2 of a ratio rounds up: 2^(1/4), 2^(3/4) ... 2^(13/4). As constants, because power functions of
/// different libraries may differ in the last digit.
constexpr std::array kRoundsUp = {1.189207115002721, 1.681792830507429, 2.378414230005442, 3.363585661014858,
                                  4.756828460010884, 6.727171322029716, 9.513656920021768};

/// -7 to 7.
int half_octaves(std::int64_t before, std::int64_t now) {
  const auto shorter = static_cast<double>(std::min(before, now));
  const double ratio = static_cast<double>(std::max(before, now)) / shorter;
  const auto steps = static_cast<int>(std::upper_bound(kRoundsUp.begin(), kRoundsUp.end(), ratio) - kRoundsUp.begin());
  return now < before ? -steps : steps;
}

int interval_class(int size) { return size == 0 ? 0 : size <= 2 ? 1 : size <= 4 ? 2 : size <= 7 ? 3 : 4; }

std::int64_t time_of(const Line& line, std::size_t note, bool last) {
  const std::int64_t time = last ? line.duration[note] : line.onset[note + 1] - line.onset[note];
  return std::max<std::int64_t>(1, time);
}

/// The symbol of the step to a note.
std::uint16_t symbol_of(const Line& line, std::size_t note, bool last, Feature feature, Level level) {
  // 8 bits for the interval, 4 for the ratio, each shifted to be positive.
  int symbol = 0;
  if (feature != Feature::times) symbol += (interval_symbol(line.pitch[note] - line.pitch[note - 1], level) + 128) << 4;
  if (feature != Feature::intervals) {
    symbol += ratio_symbol(time_of(line, note - 1, false), time_of(line, note, last), level) + 8;
  }
  return static_cast<std::uint16_t>(symbol);
}

}  // namespace

int interval_symbol(int semitones, Level level) {
  const int size = std::min(std::abs(semitones), 127);
  const int symbol = level == Level::fine ? size : level == Level::medium ? interval_class(size) : std::min(size, 1);
  return semitones < 0 ? -symbol : symbol;
}

int ratio_symbol(std::int64_t before, std::int64_t now, Level level) {
  switch (level) {
    case Level::fine: return half_octaves(before, now);
    case Level::medium: return now / 2 >= before ? 1 : before / 2 >= now ? -1 : 0;
    case Level::coarse: return now > before ? 1 : now < before ? -1 : 0;
  }
  return 0;
}

void level_symbols(const Line& line, Feature feature, Level level, std::vector<std::uint16_t>& out) {
  out.clear();
  for (std::size_t i = 1; i < line.size(); ++i) out.push_back(symbol_of(line, i, i + 1 == line.size(), feature, level));
}

}  // namespace rondo
