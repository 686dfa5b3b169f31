#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.h"
#include "report/figures.h"
#include "study/study.h"

namespace rondo::report {
namespace {

constexpr double kFigureWidth = 504;  // seven inches
constexpr double kMedianColumn = 34;
constexpr double kGroupColumn = 54;
constexpr double kNames = 68;
constexpr double kPlotLeft = 268;
constexpr double kPlotRow = 22;
constexpr double kSmall = 7;
/// The number of candidates shown after the last group, as on the page of the tables.
constexpr std::size_t kBeyondBorder = 3;

constexpr Colour kVote{0.8, 0.1, 0.1};
constexpr Colour kMean{0.1, 0.2, 0.75};
constexpr Colour kBoxFill{0.93, 0.93, 0.93};
constexpr Colour kLightSquare{0.9, 0.9, 0.9};
constexpr Colour kDarkSquare{0.25, 0.25, 0.25};

std::string names_of(const study::MelodyCopy& melody) {
  const auto piece = study::piece_of(melody);
  if (!piece) return {};
  const Metadata& about = piece->metadata;
  return about.composer.empty() || about.title.empty() ? about.composer + about.title
                                                       : about.composer + ": " + about.title;
}

void draw_box(VectorImage& image, const study::Figures& figures, const Axis& x, double y) {
  const auto add = [&](auto shape) { image.shapes.emplace_back(std::move(shape)); };
  constexpr double kHalf = 5;
  const auto whisker = [&](double from, double to) {
    add(straight({x.at(from), y}, {x.at(to), y}, 0.7));
    add(straight({x.at(to), y - 3}, {x.at(to), y + 3}, 0.7));
  };
  if (figures.q1 && figures.p10) whisker(*figures.q1, *figures.p10);
  if (figures.q3 && figures.p90) whisker(*figures.q3, *figures.p90);
  if (figures.q1 && figures.q3) {
    add(area(x.at(*figures.q1), y - kHalf, std::max(x.at(*figures.q3), x.at(*figures.q1) + 0.5), y + kHalf, kBoxFill,
             0.7));
  }
  if (figures.mean && figures.deviation) {
    const double low = x.at(std::max(x.low, *figures.mean - *figures.deviation));
    const double high = x.at(std::min(x.high, *figures.mean + *figures.deviation));
    add(straight({low, y}, {high, y}, 0.7, kMean, {2, 1.5}));
  }
  if (figures.mean) add(straight({x.at(*figures.mean), y - 8}, {x.at(*figures.mean), y + 8}, 0.9, kMean));
  std::vector<double> ranks = figures.ranks;
  std::sort(ranks.begin(), ranks.end());
  // Equal votes are stacked, from the middle outwards.
  for (std::size_t i = 0, same = 0; i < ranks.size(); ++i) {
    same = i > 0 && ranks[i] == ranks[i - 1] ? same + 1 : 0;
    const double step = std::min(1.6, 14.0 / static_cast<double>(ranks.size()));
    const std::size_t steps = (same + 1) / 2;
    const double off = step * static_cast<double>(steps) * (same % 2 == 0 ? 1 : -1);
    add(Disc{.centre = {x.at(ranks[i]), y + off}, .radius = 0.8, .fill = kVote});
  }
  if (figures.median) add(Disc{.centre = {x.at(*figures.median), y}, .radius = 2.2, .fill = {0, 0, 0}});
}

/// A square for each candidate above: filled dark to the height of p. Returns the height of the row of squares.
double draw_tests(VectorImage& image, const std::vector<statistics::PValue>& p, double left, double right, double top) {
  if (p.empty()) return 0;
  const double size = std::min(7.0, (right - left) / static_cast<double>(p.size()) - 0.6);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = left + static_cast<double>(i) * (size + 0.6);
    const double value = std::clamp(p[i].value(), 0.0, 1.0);
    image.shapes.emplace_back(area(x, top, x + size, top + size, kLightSquare));
    if (value > 0) image.shapes.emplace_back(area(x, top, x + size, top + size * value, kDarkSquare));
  }
  return size;
}

std::size_t shown_rows(const std::vector<std::size_t>& groups, bool complete) {
  if (complete || groups.empty() || groups.back() == 0) return groups.size();
  const auto last = std::find(groups.begin(), groups.end(), groups.back());
  return std::min(groups.size(), static_cast<std::size_t>(last - groups.begin()) + kBeyondBorder);
}

std::string number_text(double value) { return fmt::format("{:g}", std::round(value * 100) / 100); }

Figure query_figure(const study::Study& study, const study::QueryAnalysis& about, std::size_t number,
                    const study::GroupingOptions& options, const study::VoteOptions& votes, bool complete) {
  const study::Query& query = study.queries[number];
  Figure figure{fmt::format("query-{:02}", number + 1), {.width = kFigureWidth, .title = query.label}};
  VectorImage& image = figure.image;
  const auto say = [&](double x, double y, std::string text, double size, bool bold = false,
                       Anchor anchor = Anchor::start) {
    image.shapes.emplace_back(
        Words{.at = {x, y}, .text = std::move(text), .size = size, .anchor = anchor, .bold = bold});
  };
  const std::vector<std::size_t> groups = study::group(about.p, options);
  const std::size_t rows = shown_rows(groups, complete);
  double highest = 2;
  for (std::size_t i = 0; i < rows; ++i) {
    for (const double rank : about.judged[i].figures.ranks) highest = std::max(highest, rank);
  }
  const Axis x{1, highest, kPlotLeft, kFigureWidth - 12};
  say(10, 16, fmt::format("{}{}", study.settings.simulated ? "Simulated votes. " : "", query.label), 10, true);
  say(10, 28,
      fmt::format("Query {}, {} rankings; rule {}, two-sided p below {}; {}; at least {} vote{} per candidate",
                  query.melody.id, about.answers, to_string(options.rule), options.threshold,
                  votes.unfinished ? "unfinished rankings are counted" : "finished rankings only", votes.minimum_votes,
                  votes.minimum_votes == 1 ? "" : "s"),
      kSmall);
  const double head = 42;
  say(kMedianColumn, head, "median", kSmall, false, Anchor::end);
  say(kGroupColumn, head, "group", kSmall, false, Anchor::end);
  say(kNames, head, "id, composer, title", kSmall);
  for (const double tick : round_ticks(1, highest, 8)) {
    say(x.at(tick), head, tick_text(tick), kSmall, false, Anchor::middle);
  }
  double y = head + 4;
  image.shapes.emplace_back(straight({10, y}, {kFigureWidth - 10, y}, 0.8));
  for (std::size_t i = 0; i < rows; ++i) {
    const study::Judged& one = about.judged[i];
    const study::MelodyCopy& melody = query.candidates[one.candidate].melody;
    if (i > 0 && groups[i] != groups[i - 1]) image.shapes.emplace_back(straight({10, y}, {kFigureWidth - 10, y}, 1));
    const double middle = y + kPlotRow / 2;
    say(kMedianColumn, middle + 3, one.figures.median ? number_text(*one.figures.median) : "", 8, false, Anchor::end);
    say(kGroupColumn, middle + 3, std::to_string(groups[i] + 1), 8, false, Anchor::end);
    const double room = kPlotLeft - kNames - 12;
    say(kNames, middle - 1, fitted_text(melody.id, 8, room), 8);
    say(kNames, middle + 8, fitted_text(names_of(melody), kSmall, room), kSmall);
    draw_box(image, one.figures, x, middle);
    const double squares = draw_tests(image, about.p[i], kPlotLeft, kFigureWidth - 12, y + kPlotRow);
    y += kPlotRow + squares + 3;
  }
  image.shapes.emplace_back(straight({10, y}, {kFigureWidth - 10, y}, 0.8));
  if (rows < groups.size()) {
    say(10, y + 11,
        fmt::format("{} of {} candidates; below the last border their order is not known", rows, groups.size()),
        kSmall);
  }
  image.height = y + 18;
  return figure;
}

}  // namespace

std::vector<Figure> study_figures(const study::Study& study, const study::Analysis& analysis,
                                  const study::GroupingOptions& options, bool complete) {
  std::vector<Figure> out;
  for (std::size_t i = 0; i < study.queries.size(); ++i) {
    out.push_back(query_figure(study, analysis.queries[i], i, options, analysis.votes, complete));
  }
  return out;
}

}  // namespace rondo::report
