#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rondo {

/// Inner metric analysis: the metric weight of each note, derived from the onsets alone, without bar lines.
///
/// A local metre is a set of three or more equally distant onsets that is part of no other such set. An onset gets the
/// sum of k^2 over the local metres it belongs to, k being the number of their steps.
/// Source: A. Fleischer (Volk), G. Mazzola, T. Noll: Zur Konzeption der Software RUBATO, 2000, with the usual values
/// of the two parameters (least steps 2, power 2).
///
/// `onsets` ascend; equal ones (a grace note and its main note) are one onset. The weights are divided by the largest;
/// all are zero if there is no local metre. The work grows with the cube, so a long melody is taken in stretches of
/// kMetricStretch onsets.
[[nodiscard]] std::vector<double> metric_weights(std::span<const std::int64_t> onsets);

inline constexpr std::size_t kMetricStretch = 200;

}  // namespace rondo
