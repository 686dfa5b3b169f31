#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// What a system made of the melodies altered for one requirement.
struct RequirementFigures {
  std::string system{};
  std::string requirement{};
  std::uint32_t trials = 0;
  double unaltered = 0;  ///< mean reciprocal rank of the melodies as they are
  double altered = 0;    ///< the same once they are altered
  double first = 0;      ///< share of the altered melodies that come first
  double rank = 0;       ///< mean rank of the altered melodies; one not found counts as kNotFound

  /// What is left of the mean reciprocal rank. Measured against the melodies as they are: a system that cannot tell
  /// two waltzes apart is not to blame here.
  [[nodiscard]] double kept() const { return unaltered > 0 ? altered / unaltered : 0; }
  friend bool operator==(const RequirementFigures&, const RequirementFigures&) = default;
};

/// Answers further down than this are not looked at; they add nothing to a mean reciprocal rank.
inline constexpr std::uint32_t kRanksLookedAt = 100;
inline constexpr std::uint32_t kNotFound = kRanksLookedAt + 1;

enum class Verdict : std::uint8_t { meets, partly, fails };
/// From this share of the mean reciprocal rank on, a requirement is met, or met in part.
inline constexpr double kMeets = 0.95;
inline constexpr double kPartly = 0.50;
[[nodiscard]] Verdict verdict(const RequirementFigures& figures);
/// "meets", "partly", "not".
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// One line for each, after a head; numbers with as many digits as `rounded` keeps.
[[nodiscard]] std::string write_figures(std::span<const RequirementFigures> all);
/// Reads that. Errors: `figures-malformed` with the line.
[[nodiscard]] Result<std::vector<RequirementFigures>> read_figures(std::string_view text);
/// As they are after being written and read again.
[[nodiscard]] RequirementFigures rounded(RequirementFigures figures);

/// Those measured on data/demo when the program was built (data/requirements.tsv), in the order of that file.
[[nodiscard]] std::span<const RequirementFigures> recorded_figures();
/// The recorded ones of a system, in the order of the requirements; fewer or none if it is newer than the file.
[[nodiscard]] std::vector<RequirementFigures> recorded_figures(std::string_view system);

}  // namespace rondo
