#pragma once

#include <set>
#include <string>
#include <string_view>

#include "concordances/write.h"

namespace rondo::concordances {

/// A composer's name such that the same one compares equal: its words in one order, without years of birth and death.
/// Empty for whoever is not known (Anonymus; Traditional), which is an attribution as well: that a melody without a
/// name here has one elsewhere is a find.
[[nodiscard]] std::string attribution_of(std::string_view composer);

/// What is told of the sources of a group as a whole.
struct GroupFacts {
  std::set<std::string> libraries;
  std::set<std::string> composers;  ///< attributions
  std::set<int> centuries;

  [[nodiscard]] bool across_libraries() const { return libraries.size() > 1; }
  [[nodiscard]] bool across_centuries() const { return centuries.size() > 1; }
  [[nodiscard]] bool different_composers() const { return composers.size() > 1; }
};
[[nodiscard]] GroupFacts facts_of(const Shown& shown, const Group& group);

/// A group by itself, as a result with no other: its melodies, its pairs and itself, renumbered.
struct LoneGroup {
  Concordances found;
  Grouping grouping;
};
[[nodiscard]] LoneGroup alone(const Concordances& found, const Group& group);

}  // namespace rondo::concordances
