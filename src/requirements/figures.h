#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "statistics/proportion.h"

namespace rondo {

/// What a system made of the melodies altered in one way.
struct RequirementFigures {
  std::string system{};
  std::string requirement{};
  std::string alteration{};
  std::uint32_t trials = 0;  ///< melodies
  std::uint32_t kept = 0;    ///< those found no lower once altered than as they are
  double unaltered = 0;      ///< mean reciprocal rank of the melodies as they are
  double altered = 0;        ///< the same once they are altered
  double first = 0;          ///< share of the altered melodies that come first
  double rank = 0;           ///< mean rank of the altered melodies; one not found counts as kNotFound

  /// The share that keeps its rank. Measured against the melodies as they are: a system that cannot tell two waltzes
  /// apart is not to blame here.
  [[nodiscard]] double share() const { return trials == 0 ? 0 : static_cast<double>(kept) / trials; }
  /// Wilson's 95 % interval of that share.
  [[nodiscard]] statistics::ShareInterval interval() const { return statistics::wilson_interval(kept, trials); }
  friend bool operator==(const RequirementFigures&, const RequirementFigures&) = default;
};

/// Answers further down than this are not looked at; they add nothing to a mean reciprocal rank.
inline constexpr std::uint32_t kRanksLookedAt = 100;
inline constexpr std::uint32_t kNotFound = kRanksLookedAt + 1;

/// A system meets an alteration where the whole interval lies at kMeets or above, does not where all of it lies below;
/// else there were too few melodies to tell.
enum class Verdict : std::uint8_t { meets, open, fails };
inline constexpr double kMeets = 0.90;
[[nodiscard]] Verdict verdict(const RequirementFigures& figures);
/// "meets", "open", "not".
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// One line for each, after a head; numbers with as many digits as `rounded` keeps.
[[nodiscard]] std::string write_figures(std::span<const RequirementFigures> all);
/// Reads that. Errors: `figures-malformed` with the line.
[[nodiscard]] Result<std::vector<RequirementFigures>> read_figures(std::string_view text);
/// As they are after being written and read again.
[[nodiscard]] RequirementFigures rounded(RequirementFigures figures);

/// How many of the recorded melodies are of data/demo; the others are generated.
inline constexpr std::uint32_t kDemoMelodies = 127;
/// Those measured on data/demo when the program was built (data/requirements.tsv), in the order of that file.
[[nodiscard]] std::span<const RequirementFigures> recorded_figures();
/// The recorded ones of a system, in the order of requirements and alterations; fewer or none if it is newer than the
/// file.
[[nodiscard]] std::vector<RequirementFigures> recorded_figures(std::string_view system);

}  // namespace rondo
