#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "evaluation/curves.h"
#include "report/axis.h"
#include "report/figures.h"

namespace rondo::report {
namespace {

namespace ev = rondo::evaluation;

// Colours that colour-blind readers can distinguish (Okabe and Ito 2002); dashes and marks for printing in grey.
constexpr std::array kLineColours = {Colour{0, 0.447, 0.698},   Colour{0.835, 0.369, 0},  Colour{0, 0.620, 0.451},
                                     Colour{0.8, 0.475, 0.655}, Colour{0.35, 0.35, 0.35}, Colour{0.902, 0.624, 0}};
constexpr std::array<std::array<double, 4>, 5> kDashes = {
    {{0, 0, 0, 0}, {5, 2.5, 5, 2.5}, {1.2, 2, 1.2, 2}, {6, 2, 1.2, 2}, {9, 3, 9, 3}}};
constexpr int kMarks = 6;
constexpr double kMarkSize = 2.6;
constexpr double kLabel = 8;

std::vector<double> dash_of(std::size_t system) {
  const auto& dash = kDashes[system % kDashes.size()];
  return dash[0] == 0 ? std::vector<double>{} : std::vector<double>(dash.begin(), dash.end());
}

/// The mark of a system: a different shape for each of six, hollow for the next six.
void draw_mark(VectorImage& image, std::size_t system, Position at) {
  const Colour colour = kLineColours[system % kLineColours.size()];
  const bool solid = system / kMarks % 2 == 0;
  const Colour fill = solid ? colour : Colour{1, 1, 1};
  const double s = kMarkSize;
  const auto polygon = [&](std::vector<Position> points) {
    for (Position& point : points) point = {at.x + s * point.x, at.y + s * point.y};
    image.shapes.emplace_back(
        Polyline{.points = std::move(points), .width = 0.8, .stroke = colour, .filled = true, .fill = fill});
  };
  const auto cross = [&](Position a, Position b) {
    image.shapes.emplace_back(
        straight({at.x + s * a.x, at.y + s * a.y}, {at.x + s * b.x, at.y + s * b.y}, solid ? 1.2 : 2, colour));
  };
  switch (system % kMarks) {
    case 0:
      image.shapes.emplace_back(
          Disc{.centre = at, .radius = s, .width = 0.8, .stroke = colour, .filled = true, .fill = fill});
      break;
    case 1: polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}); break;
    case 2: polygon({{0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}}); break;
    case 3: polygon({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}); break;
    case 4:
      cross({-1, -1}, {1, 1});
      cross({-1, 1}, {1, -1});
      break;
    default: cross({-1.2, 0}, {1.2, 0}); cross({0, -1.2}, {0, 1.2});
  }
}

/// Linear interpolation of a curve with ascending x.
double height_at(const ev::Points& points, double x) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ev::Point& a = points[i - 1];
    const ev::Point& b = points[i];
    if (x <= b.x && b.x > a.x) return a.y + (b.y - a.y) * (std::max(x, a.x) - a.x) / (b.x - a.x);
  }
  return points.back().y;
}

void draw_frame(VectorImage& image, const Axis& x, const Axis& y, const std::string& x_label,
                const std::string& y_label) {
  for (const double tick : round_ticks(x.low, x.high, 5)) {
    image.shapes.emplace_back(straight({x.at(tick), y.from}, {x.at(tick), y.from + 3}, 0.6));
    image.shapes.emplace_back(
        Words{.at = {x.at(tick), y.from + 12}, .text = tick_text(tick), .size = kLabel, .anchor = Anchor::middle});
  }
  for (const double tick : round_ticks(y.low, y.high, 5)) {
    image.shapes.emplace_back(straight({x.from, y.at(tick)}, {x.to, y.at(tick)}, 0.4, kFaint));
    image.shapes.emplace_back(
        Words{.at = {x.from - 5, y.at(tick) + 3}, .text = tick_text(tick), .size = kLabel, .anchor = Anchor::end});
  }
  image.shapes.emplace_back(straight({x.from, y.from}, {x.to, y.from}, 0.8));
  image.shapes.emplace_back(straight({x.from, y.from}, {x.from, y.to}, 0.8));
  image.shapes.emplace_back(
      Words{.at = {(x.from + x.to) / 2, y.from + 26}, .text = x_label, .size = kLabel + 1, .anchor = Anchor::middle});
  image.shapes.emplace_back(Words{.at = {x.from - 34, (y.from + y.to) / 2},
                                  .text = y_label,
                                  .size = kLabel + 1,
                                  .anchor = Anchor::middle,
                                  .upwards = true});
}

/// Draws the legend in columns under the figure. Returns its height.
double draw_names(VectorImage& image, const std::vector<std::string>& names, double left, double top, double width) {
  constexpr double kSample = 26;
  constexpr double kRow = 13;
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, kLabel));
  const double column = kSample + 6 + std::min(widest, width - kSample - 6) + 12;
  const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(width / column));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double x = left + static_cast<double>(i % columns) * column;
    const std::size_t row = i / columns;
    const double y = top + static_cast<double>(row) * kRow;
    image.shapes.emplace_back(
        straight({x, y}, {x + kSample, y}, 1.2, kLineColours[i % kLineColours.size()], dash_of(i)));
    draw_mark(image, i, {x + kSample / 2, y});
    image.shapes.emplace_back(Words{
        .at = {x + kSample + 6, y + 3}, .text = fitted_text(names[i], kLabel, width - kSample - 6), .size = kLabel});
  }
  const std::size_t rows = (names.size() + columns - 1) / columns;
  return static_cast<double>(rows) * kRow;
}

Figure curve_figure(const ev::CurveKind& kind, const std::vector<std::string>& names,
                    const std::vector<ev::CurveSet>& sets) {
  constexpr double kWidth = 340;
  constexpr double kPlotHeight = 210;
  Figure figure{std::string(kind.name), {.width = kWidth, .title = std::string(kind.title)}};
  double right = 1;
  double top = 1;
  bool counted = false;  // positions or numbers of documents, not shares
  for (const ev::CurveSet& set : sets) {
    for (const ev::Point& point : set.mean) {
      counted |= point.x > 1 + 1e-9;
      right = std::max(right, point.x);
      top = std::max(top, point.y);
    }
  }
  const Axis x{counted ? 1.0 : 0.0, right, 48, kWidth - 10};
  const Axis y{0, top, 10 + kPlotHeight, 10};
  draw_frame(figure.image, x, y, std::string(kind.x_label), std::string(kind.y_label));
  constexpr int kMarksOnLine = 6;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const ev::Points& mean = sets[i].mean;
    if (mean.empty()) continue;
    Polyline line{.width = 1.2, .stroke = kLineColours[i % kLineColours.size()], .dash = dash_of(i)};
    for (const ev::Point& point : mean) line.points.push_back({x.at(point.x), y.at(point.y)});
    figure.image.shapes.emplace_back(std::move(line));
    // Marks are shifted from system to system, so that those of equal curves do not hide each other.
    const double shift = (static_cast<double>(i) + 0.5) / static_cast<double>(sets.size());
    for (int m = 0; m < kMarksOnLine; ++m) {
      const double at = mean.front().x + (mean.back().x - mean.front().x) * (m + shift) / kMarksOnLine;
      draw_mark(figure.image, i, {x.at(at), y.at(height_at(mean, at))});
    }
  }
  figure.image.height = y.from + 44 + draw_names(figure.image, names, x.from, y.from + 42, x.to - x.from);
  return figure;
}

std::string file_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    out += plain ? c : '_';
  }
  return out;
}

}  // namespace

Figure means_figure(const ev::Comparison& comparison) {
  constexpr double kWidth = 340;
  constexpr double kRow = 16;
  const std::size_t count = comparison.scores.systems.size();
  Figure figure{"means-" + file_part(comparison.scores.measure),
                {.width = kWidth,
                 .height = 12 + kRow * static_cast<double>(count) + 34,
                 .title = comparison.scores.measure + ": means with 95 % intervals"}};
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double one = comparison.means[a].estimate;
    const double two = comparison.means[b].estimate;
    return comparison.scores.higher_is_better ? one > two : one < two;
  });
  double low = 0;
  double high = 1e-9;
  double names = 0;
  for (std::size_t i = 0; i < count; ++i) {
    low = std::min(low, comparison.means[i].low);
    high = std::max(high, comparison.means[i].high);
    names = std::max(names, text_width(comparison.scores.systems[i], kLabel));
  }
  if (high <= 1 && low >= 0) high = 1;
  names = std::min(names, 130.0);
  const Axis x{low, high, 12 + names + 24, kWidth - 12};
  const double bottom = 8 + kRow * static_cast<double>(count);
  for (const double tick : round_ticks(low, high, 5)) {
    figure.image.shapes.emplace_back(straight({x.at(tick), 6}, {x.at(tick), bottom}, 0.4, kFaint));
    figure.image.shapes.emplace_back(
        Words{.at = {x.at(tick), bottom + 12}, .text = tick_text(tick), .size = kLabel, .anchor = Anchor::middle});
  }
  figure.image.shapes.emplace_back(straight({x.from, bottom}, {x.to, bottom}, 0.8));
  figure.image.shapes.emplace_back(Words{.at = {(x.from + x.to) / 2, bottom + 26},
                                         .text = comparison.scores.measure,
                                         .size = kLabel + 1,
                                         .anchor = Anchor::middle});
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t i = order[row];
    const auto& mean = comparison.means[i];
    const double y = 8 + kRow * (static_cast<double>(row) + 0.5);
    const ev::SystemTest* test = comparison.test_of(i);
    figure.image.shapes.emplace_back(Words{.at = {x.from - 24, y + 3},
                                           .text = fitted_text(comparison.scores.systems[i], kLabel, names),
                                           .size = kLabel,
                                           .anchor = Anchor::end,
                                           .bold = i == comparison.baseline && test == nullptr});
    if (test != nullptr) {
      figure.image.shapes.emplace_back(Words{.at = {x.from - 20, y + 4}, .text = test->mark, .size = kLabel});
    }
    figure.image.shapes.emplace_back(straight({x.at(mean.low), y}, {x.at(mean.high), y}, 1));
    for (const double end : {mean.low, mean.high}) {
      figure.image.shapes.emplace_back(straight({x.at(end), y - 3}, {x.at(end), y + 3}, 1));
    }
    figure.image.shapes.emplace_back(Disc{.centre = {x.at(mean.estimate), y}, .radius = 2.6, .fill = kInk});
  }
  return figure;
}

Result<std::vector<Figure>> evaluation_figures(std::span<const SystemResult> systems,
                                               const ev::CompareOptions& options) {
  std::vector<Figure> out;
  std::vector<std::string> names;
  std::vector<ev::Evaluation> evaluations;
  for (const SystemResult& one : systems) {
    names.push_back(one.evaluation.run);
    evaluations.push_back(one.evaluation);
  }
  for (const ev::CurveKind& kind : ev::all_curves()) {
    std::vector<ev::CurveSet> sets;
    for (const SystemResult& one : systems) {
      auto set = ev::draw(kind, one.judged);
      if (!set) break;  // not defined on this truth
      sets.push_back(std::move(*set));
    }
    if (sets.size() == systems.size() && !sets.empty()) out.push_back(curve_figure(kind, names, sets));
  }
  const std::size_t measures = evaluations.empty() ? 0 : evaluations.front().measures.size();
  for (std::size_t m = 0; m < measures; ++m) {
    auto scores = ev::score_table(evaluations, m);
    if (!scores) return fail(std::move(scores.error()));
    auto comparison = ev::compare(std::move(*scores), options);
    // As in the report, a measure that is undefined on this truth has no figure.
    if (!comparison && comparison.error().code == "compare-undefined") continue;
    if (!comparison) return fail(std::move(comparison.error()));
    out.push_back(means_figure(*comparison));
  }
  return out;
}

}  // namespace rondo::report
