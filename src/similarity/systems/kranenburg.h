#pragma once

#include <array>
#include <memory>

#include "rondo/similarity/system.h"

/// Van Kranenburg's alignment of folk songs, which rates pairs of notes by one or several features. Source: P. van
/// Kranenburg: A computational approach to content-based retrieval of folk song melodies, 2010.
namespace rondo::kranenburg {

/// The features that are rated, as in KranenburgPlan.
struct Raters {
  bool band = false;
  bool phrase = false;
  bool metre = false;
};

inline constexpr std::array kParameters = {
    Parameter{"gap", "cost of the first note of a gap", 0.6, 0, 10},
    Parameter{"extend", "cost of each further note; 0.2 is the affine variant", 0.6, 0, 10},
};

/// Ratings and costs are integers in units of 1 / kOne, so that equal alignments have equal scores whatever the order
/// of their steps. Divisible by 23, the width of the pitch band.
inline constexpr std::int64_t kOne = 23'000'000;

struct Settings {
  Raters raters{};
  std::int64_t gap = 0;
  std::int64_t extend = 0;
};

[[nodiscard]] Settings settings_of(const KranenburgPlan& plan);
[[nodiscard]] std::unique_ptr<System> make_system(Raters raters, const Parameters& parameters);

inline constexpr std::string_view kReference =
    "P. van Kranenburg: A computational approach to content-based retrieval of folk song melodies, 2010; P. van "
    "Kranenburg, A. Volk, F. Wiering: A comparison between global and local features for computational "
    "classification of folk song melodies, 2013";

}  // namespace rondo::kranenburg
