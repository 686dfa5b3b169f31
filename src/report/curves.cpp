#include "report/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace rondo::report {
namespace {

using nlohmann::ordered_json;
namespace ev = rondo::evaluation;

// precision-recall-11 is left out: its mean is the mean of precision-recall, and single queries are drawn as they are.
constexpr std::array<std::string_view, 5> kShown{"precision-recall", "dynamic-recall", "normalized-lift", "roc",
                                                 "lift"};

/// Six decimals are more than a screen can show, and keep the page small.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

ordered_json points_json(const ev::Points& points) {
  ordered_json out = ordered_json::array();
  for (const ev::Point& point : points) out.push_back({rounded(point.x), rounded(point.y)});
  return out;
}

/// One kind of curve for all systems, or why there is none.
struct Drawing {
  const ev::CurveKind* kind = nullptr;
  std::vector<ev::CurveSet> systems;
  std::string undefined;
};

Drawing draw_all(const ev::CurveKind& kind, std::span<const SystemResult> systems) {
  Drawing drawing{&kind, {}, {}};
  for (const SystemResult& system : systems) {
    auto set = ev::draw(kind, system.judged);
    if (!set) return {&kind, {}, set.error().message};
    for (ev::Curve& curve : set->queries) curve.points = without_straight_points(curve.points);
    drawing.systems.push_back(std::move(*set));
  }
  return drawing;
}

/// How many queries, from the first on, have at most `most` points in total; at least one.
std::size_t queries_within(std::span<const Drawing> drawings, std::size_t queries, std::size_t most) {
  std::size_t points = 0;
  for (std::size_t q = 0; q < queries; ++q) {
    for (const Drawing& drawing : drawings) {
      for (const ev::CurveSet& set : drawing.systems) points += set.queries[q].points.size();
    }
    if (points > most) return std::max<std::size_t>(1, q);
  }
  return queries;
}

ordered_json drawing_json(const Drawing& drawing, std::size_t queries) {
  const ev::CurveKind& kind = *drawing.kind;
  ordered_json out = {{"name", kind.name}, {"title", kind.title}, {"x", kind.x_label}, {"y", kind.y_label}};
  if (!drawing.undefined.empty()) {
    out["undefined"] = drawing.undefined;
    return out;
  }
  out["systems"] = ordered_json::array();
  for (const ev::CurveSet& set : drawing.systems) {
    ordered_json lines = ordered_json::array();
    for (std::size_t q = 0; q < queries; ++q) lines.push_back(points_json(set.queries[q].points));
    out["systems"].push_back({{"mean", points_json(set.mean)}, {"queries", std::move(lines)}});
  }
  return out;
}

}  // namespace

ev::Points without_straight_points(const ev::Points& points) {
  constexpr double kSame = 1e-12;
  ev::Points out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && i + 1 < points.size()) {
      const ev::Point& before = out.back();
      const ev::Point& here = points[i];
      const ev::Point& after = points[i + 1];
      // Twice the area of the triangle of the three points; and the line must not turn back.
      const double area = (here.x - before.x) * (after.y - before.y) - (after.x - before.x) * (here.y - before.y);
      const double onward = (here.x - before.x) * (after.x - here.x) + (here.y - before.y) * (after.y - here.y);
      if (std::abs(area) < kSame && onward >= 0) continue;
    }
    out.push_back(points[i]);
  }
  return out;
}

ordered_json curves_json(const EvaluationReport& report, std::size_t& drawn) {
  std::vector<Drawing> drawings;
  for (const std::string_view name : kShown) {
    if (const ev::CurveKind* kind = ev::find_curve(name)) drawings.push_back(draw_all(*kind, report.systems));
  }
  drawn = queries_within(drawings, report.truth->queries.size(), report.most_points);
  ordered_json out = ordered_json::array();
  for (const Drawing& drawing : drawings) out.push_back(drawing_json(drawing, drawn));
  return out;
}

}  // namespace rondo::report
