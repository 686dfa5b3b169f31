#pragma once

#include <cstdint>
#include <string_view>

#include "rondo/base/result.h"
#include "statistics/p_value.h"

namespace rondo::statistics {

/// The alternative hypothesis. `kGreater`: the first sample tends to be larger than the second (or the differences to
/// be positive); `kLess` the other way round.
enum class Alternative : std::uint8_t { kTwoSided, kLess, kGreater };

/// How a p-value was found: from the complete distribution, from the normal approximation, or from a random sample of
/// the distribution.
enum class Method : std::uint8_t { kExact, kNormal, kMonteCarlo };

/// How a rank test computes p. `kAuto` is exact up to `max_work`.
enum class Choice : std::uint8_t { kAuto, kExact, kNormal };

struct TestResult {
  double statistic = 0;
  double p = 1;
  /// The same, for comparison with a threshold: exact if the arrangements were counted.
  PValue p_value{1.0};
  Alternative alternative = Alternative::kTwoSided;
  Method method = Method::kExact;
  bool ties = false;

  void set_p(PValue value) {
    p = value.value();
    p_value = std::move(value);
  }
};

struct RankTestOptions {
  Alternative alternative = Alternative::kTwoSided;
  Choice choice = Choice::kAuto;
  /// The exact distribution is affordable when it takes no more than this many additions (about 0.1 s).
  double max_work = 4e8;
};

/// "two-sided", "less", "greater".
[[nodiscard]] std::string_view to_string(Alternative alternative);
/// "exact", "normal", "monte-carlo".
[[nodiscard]] std::string_view to_string(Method method);

}  // namespace rondo::statistics
