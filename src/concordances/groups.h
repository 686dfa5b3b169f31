#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "concordances/concordances.h"

namespace rondo::concordances {

/// Melodies that are one tune.
struct Group {
  std::vector<std::uint32_t> members;   ///< into Concordances::melodies, ascending; at least two
  std::vector<std::uint32_t> pairs;     ///< into Concordances::pairs: the evidence, ascending
  std::uint32_t centre = 0;             ///< the member whose scores with the others have the greatest sum
  double mean = 0;                      ///< score over all pairs of members, those that were not found counted as 0
  std::optional<double> probability{};  ///< the same of probabilities, where they are known
};

struct Grouping {
  std::vector<Group> groups;  ///< the largest first, then by their first member
  /// Pairs that lie in no group: parts of each other, phrases in common, what was cut.
  std::vector<std::uint32_t> links;
};

/// Groups are joined, the most alike first, as long as the average score of all pairs between them, those that were not
/// found counted as 0, is at least this part of the threshold: average linkage. So a melody must resemble the group,
/// not only one member of it. Measured in docs/concordances.md.
inline constexpr double kCoherence = 0.2;
/// Pairs of which only one melody explains the other, and those with no more than a phrase in common, do not join
/// groups. The same for every order of the input.
[[nodiscard]] Grouping make_groups(const Concordances& found, double least_score, double coherence = kCoherence);
/// The same as the options of the run ask for: where a least probability was given, probabilities take the place of
/// scores.
[[nodiscard]] Grouping make_groups(const Concordances& found, const Options& options);
/// Whatever is connected by a chain of pairs: what the other is measured against.
[[nodiscard]] Grouping single_linkage(const Concordances& found);

/// How well groups agree with labels, over the same things.
struct Agreement {
  double precision = 0;     ///< of the pairs in one group, the part with one label
  double recall = 0;        ///< of the pairs with one label, the part in one group
  double homogeneity = 0;   ///< 1: no group has two labels
  double completeness = 0;  ///< 1: no label is in two groups
  double v = 0;             ///< the harmonic mean of these two (A. Rosenberg, J. Hirschberg: V-Measure, 2007)
};
/// By thing: its group and its label; equally long. What is in no group has a number of its own.
[[nodiscard]] Agreement agreement(const std::vector<std::uint32_t>& group, const std::vector<std::string>& label);

}  // namespace rondo::concordances
