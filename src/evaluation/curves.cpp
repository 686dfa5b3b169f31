#include "evaluation/curves.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "measures/parts.h"

namespace rondo::evaluation {
namespace {

constexpr std::size_t kGrid = 100;

/// (x of the rank, y of the hits so far) at every rank, from (0, 0).
template <typename X, typename Y>
Points by_rank(const JudgedList& list, const X& x, const Y& y) {
  Points points{{0, 0}};
  points.reserve(list.retrieved() + 1);
  std::size_t hits = 0;
  for (std::size_t rank = 1; rank <= list.retrieved(); ++rank) {
    if (list.groups[rank - 1] > 0) ++hits;
    points.push_back({x(rank, hits), y(hits)});
  }
  return points;
}

/// y at x by linear interpolation of a curve with ascending x; constant before the first and after the last point.
double height_at(const Points& points, double x) {
  const auto after =
      std::lower_bound(points.begin(), points.end(), x, [](const Point& p, double at) { return p.x < at; });
  if (after == points.end()) return points.empty() ? 0 : points.back().y;
  if (after == points.begin() || after->x == x) return after->y;
  const Point& before = *(after - 1);
  return before.y + (x - before.x) / (after->x - before.x) * (after->y - before.y);
}

/// The mean of the curves' heights on an even grid over [0, the largest x of any].
Points mean_on_grid(std::span<const JudgedList> /*lists*/, std::span<const Curve> curves) {
  double end = 0;
  for (const Curve& curve : curves) {
    if (!curve.points.empty()) end = std::max(end, curve.points.back().x);
  }
  Points mean;
  for (std::size_t i = 0; i <= kGrid; ++i) {
    const double x = end * static_cast<double>(i) / kGrid;
    double sum = 0;
    for (const Curve& curve : curves) sum += height_at(curve.points, x);
    mean.push_back({x, sum / static_cast<double>(curves.size())});
  }
  return mean;
}

Points mean_interpolated(std::span<const JudgedList> lists, std::span<const Curve> /*curves*/) {
  Points mean(11);
  for (const JudgedList& list : lists) {
    const Points points = interpolated_precision(list);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = {points[i].x, mean[i].y + points[i].y};
  }
  for (Point& point : mean) point.y /= static_cast<double>(lists.size());
  return mean;
}

/// At each position the mean of those curves that reach it.
Points mean_by_position(std::span<const JudgedList> /*lists*/, std::span<const Curve> curves) {
  Points mean;
  for (std::size_t i = 0;; ++i) {
    double sum = 0;
    double count = 0;
    for (const Curve& curve : curves) {
      if (i >= curve.points.size()) continue;
      sum += curve.points[i].y;
      ++count;
    }
    if (count == 0) return mean;
    mean.push_back({static_cast<double>(i + 1), sum / count});
  }
}

constexpr std::array kKinds{
    CurveKind{"precision-recall", "Precision and recall", "recall", "precision",
              [](const JudgedList& list) { return std::optional(precision_recall(list)); }, mean_interpolated},
    CurveKind{"precision-recall-11", "Precision and recall, interpolated at 11 points", "recall", "precision",
              [](const JudgedList& list) { return std::optional(interpolated_precision(list)); }, mean_interpolated},
    CurveKind{"roc", "Receiver operating characteristic", "fallout", "recall", roc, mean_on_grid},
    CurveKind{"lift", "Lift", "share of the collection read", "relevant documents found", lift, mean_on_grid},
    CurveKind{"normalized-lift", "Normalized lift", "share of the answer read", "share of relevant documents found",
              [](const JudgedList& list) { return std::optional(normalized_lift(list)); }, mean_on_grid},
    CurveKind{"dynamic-recall", "Dynamic recall", "position", "dynamic recall",
              [](const JudgedList& list) { return std::optional(dynamic_recall_curve(list)); }, mean_by_position},
};

}  // namespace

std::vector<double> dynamic_recalls(const JudgedList& list, std::size_t k) {
  const std::size_t length = k == 0 ? list.relevant : k;
  std::vector<double> recalls;
  recalls.reserve(length);
  std::vector<std::size_t> waiting(list.group_sizes.size(), 0);  // found before their group has begun
  std::size_t begun = 0;                                         // groups that have begun
  std::size_t begun_size = 0;
  std::size_t counted = 0;
  auto hit = list.hits.begin();
  for (std::size_t i = 1; i <= length; ++i) {
    while (begun < list.group_sizes.size() && begun_size < i) {
      begun_size += list.group_sizes[begun];
      counted += waiting[begun];
      ++begun;
    }
    if (hit != list.hits.end() && hit->rank == i) {
      ++(hit->group <= begun ? counted : waiting[hit->group - 1]);
      ++hit;
    }
    recalls.push_back(ratio(counted, i));
  }
  return recalls;
}

Points precision_recall(const JudgedList& list) {
  Points points;
  for (std::size_t i = 0; i < list.hits.size(); ++i) {
    points.push_back({ratio(i + 1, list.relevant), ratio(i + 1, list.hits[i].rank)});
  }
  return points;
}

Points interpolated_precision(const JudgedList& list) {
  Points points(11);
  double best = 0;
  std::size_t hit = list.hits.size();
  for (std::size_t level = points.size(); level-- > 0;) {
    // Recall of at least level / 10 needs this many hits; in integers, so that 0.3 of 10 is exactly 3.
    const std::size_t needed = std::max<std::size_t>(1, (level * list.relevant + 9) / 10);
    for (; hit >= needed; --hit) best = std::max(best, ratio(hit, list.hits[hit - 1].rank));
    points[level] = {static_cast<double>(level) / 10, best};
  }
  return points;
}

std::optional<Points> roc(const JudgedList& list) {
  if (list.collection_size == 0) return std::nullopt;
  const std::size_t nonrelevant = list.collection_size - std::min(list.relevant, list.collection_size);
  return by_rank(
      list, [&](std::size_t rank, std::size_t hits) { return ratio(rank - hits, nonrelevant); },
      [&](std::size_t hits) { return ratio(hits, list.relevant); });
}

std::optional<Points> lift(const JudgedList& list) {
  if (list.collection_size == 0) return std::nullopt;
  return by_rank(
      list, [&](std::size_t rank, std::size_t) { return ratio(rank, list.collection_size); },
      [](std::size_t hits) { return static_cast<double>(hits); });
}

Points normalized_lift(const JudgedList& list) {
  if (list.retrieved() == 0) return {{0, 0}, {1, 0}};
  return by_rank(
      list, [&](std::size_t rank, std::size_t) { return ratio(rank, list.retrieved()); },
      [&](std::size_t hits) { return ratio(hits, list.relevant); });
}

Points dynamic_recall_curve(const JudgedList& list) {
  Points points;
  for (const double recall : dynamic_recalls(list)) {
    points.push_back({static_cast<double>(points.size() + 1), recall});
  }
  return points;
}

std::span<const CurveKind> all_curves() { return kKinds; }

const CurveKind* find_curve(std::string_view name) {
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const CurveKind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : found;
}

Result<CurveSet> draw(const CurveKind& kind, const JudgedRun& run) {
  CurveSet set;
  set.kind = &kind;
  for (const JudgedList& list : run.lists) {
    auto points = kind.points(list);
    if (!points) {
      return fail("curve-collection-size", "the " + std::string(kind.name) + " curve needs the collection's size", {},
                  "say how many documents can be retrieved");
    }
    set.queries.push_back({list.query, std::move(*points)});
  }
  if (!set.queries.empty()) set.mean = kind.mean(run.lists, set.queries);
  return set;
}

}  // namespace rondo::evaluation
