#include <fmt/format.h>

#include "evaluation/render.h"
#include "render_parts.h"

namespace rondo::evaluation {
namespace {

/// A p-value in math mode, because "<" needs it.
std::string p_latex(double p) {
  const std::string text = p_text(p);
  return text.starts_with('<') ? "${<}" + text.substr(1) + "$" : text;
}

std::string row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i == 0 ? "  " : " & ") + cells[i];
  return out + " \\\\\n";
}

std::string begin(std::size_t left, std::size_t numbers) {
  return fmt::format("\\begin{{tabular}}{{{}{}}}\n  \\toprule\n", std::string(left, 'l'), std::string(numbers, 'r'));
}

constexpr std::string_view kRule = "  \\midrule\n";
constexpr std::string_view kEnd = "  \\bottomrule\n\\end{tabular}\n";

std::string stars(std::string_view mark) { return mark.empty() ? "" : fmt::format("\\rlap{{$^{{{}}}$}}", mark); }

std::string value_latex(const Comparison& comparison, std::size_t s, std::size_t q, int digits) {
  std::string text = number(comparison.scores.values[s][q], digits);
  if (comparison.best_of_system[s][q]) text = fmt::format("\\textit{{{}}}", text);
  if (comparison.best_of_query[s][q]) text = fmt::format("\\textbf{{{}}}", text);
  return text;
}

std::string tests_latex(const Comparison& comparison, int digits) {
  const std::vector<std::string> systems = distinct(comparison.scores.systems);
  std::string out = begin(2, 6);
  out += row({"better", "other", "difference", "signed rank", "Holm", "randomization", "Holm", "Nemenyi"});
  out += kRule;
  for (const SystemTest& test : comparison.tests) {
    out += row({latex_text(systems[test.better]), latex_text(systems[test.other]),
                fmt::format("${:+.{}f}$", test.difference, digits), p_latex(test.signed_rank.p),
                p_latex(test.signed_rank_holm) + stars(test.mark), p_latex(test.randomization.p),
                p_latex(test.randomization_holm), p_latex(test.nemenyi)});
  }
  return out.append(kEnd);
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\textbackslash{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      case '<': out += "\\textless{}"; break;
      case '>': out += "\\textgreater{}"; break;
      case '|': out += "\\textbar{}"; break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      default: out += c;
    }
  }
  // LaTeX would read a bracket at the beginning of a row as an argument of the line break before it.
  return out.starts_with('[') || out.starts_with('*') ? "{}" + out : out;
}

std::string render_latex(std::span<const Evaluation> runs, const TableOptions& options) {
  if (runs.empty()) return {};
  std::vector<std::string> names;
  for (const Evaluation& run : runs) names.push_back(run.run);
  std::vector<std::string> cells{"measure"};
  for (const std::string& name : distinct(names)) cells.push_back(latex_text(name));
  std::string out = "% needs \\usepackage{booktabs}\n" + begin(1, runs.size()) + row(cells);
  out += kRule;
  for (std::size_t m = 0; m < runs.front().measures.size(); ++m) {
    cells = {latex_text(runs.front().measures[m].name())};
    for (const Evaluation& run : runs) cells.push_back(number(run.means[m], options.digits));
    out += row(cells);
  }
  return out.append(kEnd);
}

std::string render_latex(const Comparison& comparison, const TableOptions& options) {
  const ScoreTable& scores = comparison.scores;
  std::vector<std::string> cells{latex_text(scores.measure)};
  for (const std::string& system : distinct(scores.systems)) cells.push_back(latex_text(system));
  std::string out =
      "% needs \\usepackage{booktabs}; bold: best of the query, italics: best of the system\n"
      "% marks: signed rank test with Holm's correction, * p < .10, ** p < .05, *** p < .01\n";
  out += begin(1, scores.systems.size()) + row(cells);
  out += kRule;
  for (std::size_t q = 0; q < scores.queries.size(); ++q) {
    cells = {latex_text(scores.queries[q])};
    for (std::size_t s = 0; s < scores.systems.size(); ++s) {
      cells.push_back(value_latex(comparison, s, q, options.digits));
    }
    out += row(cells);
  }
  out += kRule;
  cells = {"mean"};
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    const SystemTest* test = comparison.test_of(s);
    cells.push_back(number(comparison.means[s].estimate, options.digits) + (test != nullptr ? stars(test->mark) : ""));
  }
  out += row(cells);
  out += kEnd;
  if (comparison.tests.empty()) return out;
  const statistics::FriedmanResult& friedman = comparison.friedman;
  return out +
         fmt::format("\n% Friedman: chi square {:.3f}, {} degrees of freedom, p {}\n", friedman.statistic,
                     friedman.degrees, p_text(friedman.p)) +
         tests_latex(comparison, options.digits);
}

}  // namespace rondo::evaluation
