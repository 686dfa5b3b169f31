#pragma once

#include <string>
#include <vector>

#include "rondo/melody/fraction.h"

namespace rondo::mei {

/// One written value: a note of `dur` with dots, in a tuplet of `num` for `numbase` (1 and 1: none).
struct Value {
  std::string dur;
  int dots = 0;
  std::int64_t num = 1;
  std::int64_t numbase = 1;
  Fraction time;  ///< how long it sounds
};

enum class Spelling : std::uint8_t {
  tied,   ///< as a musician writes it: several values, tied
  single  ///< one value always, in whatever tuplet that needs
};

/// The values that make up exactly this time, which is positive.
[[nodiscard]] std::vector<Value> values_of(Fraction time, Spelling spelling);

/// Denominator a power of two.
[[nodiscard]] bool is_dyadic(Fraction time);

}  // namespace rondo::mei
