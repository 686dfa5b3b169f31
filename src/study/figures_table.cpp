#include "study/figures_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "evaluation/render.h"
#include "rows.h"
#include "study/json.h"

namespace rondo::study {
namespace {

/// A candidate as the tables have it.
struct FigureRow {
  const Candidate& candidate;
  const Figures& figures;
  std::size_t group = 0;  ///< from 1
  const std::vector<statistics::PValue>& p;

  [[nodiscard]] std::string title() const {
    if (candidate.melody.json.empty()) return {};
    const auto piece = piece_of(candidate.melody);
    return piece ? piece->metadata.title : std::string();
  }
  [[nodiscard]] std::optional<double> largest_p() const {
    if (p.empty()) return std::nullopt;
    return std::max_element(p.begin(), p.end(), [](const auto& a, const auto& b) { return a.value() < b.value(); })
        ->value();
  }
};

template <typename Visit>
void each_figure(const Query& query, const QueryAnalysis& analysis, const GroupingOptions& options,
                 const Visit& visit) {
  const std::vector<std::size_t> groups = group(analysis.p, options);
  for (std::size_t i = 0; i < analysis.judged.size(); ++i) {
    const Judged& one = analysis.judged[i];
    visit(FigureRow{query.candidates[one.candidate], one.figures, groups[i] + 1, analysis.p[i]});
  }
}

std::string full(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : std::string(); }

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string short_p(const std::optional<double>& p) {
  if (!p) return "--";
  if (*p < 0.0001) return "${<}.0001$";
  const std::string text = fmt::format("{:.4f}", *p);
  return text.starts_with("0.") ? text.substr(1) : text;
}

}  // namespace

std::string figures_csv(const Study& study, const Analysis& analysis, const GroupingOptions& options) {
  std::string out = csv_line({"query", "candidate", "title", "group", "votes", "median", "mean", "deviation", "q1",
                              "q3", "p10", "p90", "largest_p", "p"});
  for (std::size_t q = 0; q < study.queries.size(); ++q) {
    each_figure(study.queries[q], analysis.queries[q], options, [&](const FigureRow& row) {
      std::string all;
      for (const statistics::PValue& p : row.p) all += fmt::format("{}{}", all.empty() ? "" : " ", p.value());
      const Figures& f = row.figures;
      out += csv_line({study.queries[q].melody.id, row.candidate.melody.id, row.title(), std::to_string(row.group),
                       std::to_string(f.votes()), full(f.median), full(f.mean), full(f.deviation), full(f.q1),
                       full(f.q3), full(f.p10), full(f.p90), full(row.largest_p()), all});
    });
  }
  return out;
}

std::string figures_json(const Study& study, const Analysis& analysis, const GroupingOptions& options) {
  Json queries = Json::array();
  for (std::size_t q = 0; q < study.queries.size(); ++q) {
    Json candidates = Json::array();
    each_figure(study.queries[q], analysis.queries[q], options, [&](const FigureRow& row) {
      Json p = Json::array();
      for (const statistics::PValue& one : row.p) p.push_back(one.value());
      const Figures& f = row.figures;
      candidates.push_back({{"id", row.candidate.melody.id},
                            {"title", row.title()},
                            {"group", row.group},
                            {"votes", f.votes()},
                            {"median", or_null(f.median)},
                            {"mean", or_null(f.mean)},
                            {"deviation", or_null(f.deviation)},
                            {"q1", or_null(f.q1)},
                            {"q3", or_null(f.q3)},
                            {"p10", or_null(f.p10)},
                            {"p90", or_null(f.p90)},
                            {"p", std::move(p)}});
    });
    queries.push_back({{"query", study.queries[q].melody.id},
                       {"votes", analysis.queries[q].answers},
                       {"candidates", std::move(candidates)}});
  }
  return json_text({{"study", study.settings.name},
                    {"rule", to_string(options.rule)},
                    {"threshold", options.threshold},
                    {"unfinished", analysis.votes.unfinished},
                    {"minimum_votes", analysis.votes.minimum_votes},
                    {"queries", std::move(queries)}}) +
         "\n";
}

std::string figures_latex(const Study& study, const Analysis& analysis, const GroupingOptions& options) {
  const auto two = [](const std::optional<double>& value) { return value ? fmt::format("{:g}", *value) : "--"; };
  std::string out = fmt::format(
      "% needs \\usepackage{{booktabs}}; rule {}, two-sided p below {}; p: the largest of the tests against all "
      "above\n",
      to_string(options.rule), options.threshold);
  for (std::size_t q = 0; q < study.queries.size(); ++q) {
    out += fmt::format(
        "\n% query {}, {} rankings\n\\begin{{tabular}}{{rllrrrr}}\n  \\toprule\n"
        "  median & id & title & votes & mean & quartiles & $p$ \\\\\n  \\midrule\n",
        study.queries[q].melody.id, analysis.queries[q].answers);
    std::size_t last = 0;
    each_figure(study.queries[q], analysis.queries[q], options, [&](const FigureRow& row) {
      if (last != 0 && row.group != last) out += "  \\midrule\n";
      last = row.group;
      const Figures& f = row.figures;
      out +=
          fmt::format("  {} & {} & {} & {} & {} & {}--{} & {} \\\\\n", two(f.median),
                      evaluation::latex_text(row.candidate.melody.id), evaluation::latex_text(row.title()), f.votes(),
                      f.mean ? fmt::format("{:.2f}", *f.mean) : "--", two(f.q1), two(f.q3), short_p(row.largest_p()));
    });
    out += "  \\bottomrule\n\\end{tabular}\n";
  }
  return out;
}

}  // namespace rondo::study
