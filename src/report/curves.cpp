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

/// To draw, six decimals are more than a screen can show, and they keep the page small.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

ordered_json points_json(const ev::Points& points) {
  ordered_json out = ordered_json::array();
  for (const ev::Point& point : points) out.push_back({rounded(point.x), rounded(point.y)});
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
      // Twice the area of the triangle of the three; and the line must go on, not turn back.
      const double area = (here.x - before.x) * (after.y - before.y) - (after.x - before.x) * (here.y - before.y);
      const double onward = (here.x - before.x) * (after.x - here.x) + (here.y - before.y) * (after.y - here.y);
      if (std::abs(area) < kSame && onward >= 0) continue;
    }
    out.push_back(points[i]);
  }
  return out;
}

ordered_json curves_json(const EvaluationReport& report) {
  ordered_json out = ordered_json::array();
  for (const std::string_view name : kShown) {
    const ev::CurveKind* kind = ev::find_curve(name);
    if (kind == nullptr) continue;
    ordered_json entry = {{"name", kind->name}, {"title", kind->title}, {"x", kind->x_label}, {"y", kind->y_label}};
    ordered_json systems = ordered_json::array();
    for (const SystemResult& system : report.systems) {
      auto set = ev::draw(*kind, system.judged);
      if (!set) {
        entry["undefined"] = set.error().message;
        break;
      }
      ordered_json queries = ordered_json::array();
      for (std::size_t q = 0; q < std::min(report.detailed_queries, set->queries.size()); ++q) {
        queries.push_back(points_json(without_straight_points(set->queries[q].points)));
      }
      systems.push_back({{"mean", points_json(set->mean)}, {"queries", std::move(queries)}});
    }
    if (!entry.contains("undefined")) entry["systems"] = std::move(systems);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace rondo::report
