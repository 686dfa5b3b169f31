#include "bench/bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"

namespace rondo::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> names;
  bench::Options bench;
  std::string format = "table";
};

std::string number(double value) {
  return value >= 1000 ? grouped(static_cast<std::uint64_t>(value + 0.5)) : fmt::format("{:.4g}", value);
}

std::string verdict(const bench::Measurement& m) {
  if (m.target == 0) return "";
  const bool met = m.at_least ? m.value >= m.target : m.value <= m.target;
  return fmt::format("{} {} {}", met ? "met:" : "MISSED:", m.at_least ? "at least" : "at most", number(m.target));
}

std::string with_unit(const bench::Measurement& m) {
  return m.unit.empty() ? number(m.value) : fmt::format("{} {}", number(m.value), m.unit);
}

/// What was measured of several things alike, "thing: what", is a table with a row for each thing.
class Comparison {
 public:
  /// False: it stands by itself.
  bool take(const bench::Measurement& m) {
    const std::size_t colon = m.what.find(": ");
    if (colon == std::string::npos) return false;
    const std::string thing = m.what.substr(0, colon);
    const std::string what = m.what.substr(colon + 2);
    if (std::find(columns_.begin(), columns_.end(), what) == columns_.end()) columns_.push_back(what);
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& one) { return one.thing == thing; });
    if (row == rows_.end()) row = rows_.insert(rows_.end(), Row{thing, {}, {}});
    row->cells[what] = with_unit(m);
    if (row->target.empty()) row->target = verdict(m);
    return true;
  }

  void print() const {
    if (rows_.empty()) return;
    const bool targets = std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return !row.target.empty(); });
    print_to(stdout, "| |");
    for (const std::string& column : columns_) print_to(stdout, " {} |", column);
    print_to(stdout, "{}\n| --- |", targets ? " target |" : "");
    for (std::size_t i = 0; i < columns_.size(); ++i) print_to(stdout, " ---: |");
    print_to(stdout, "{}\n", targets ? " --- |" : "");
    for (const Row& row : rows_) {
      print_to(stdout, "| {} |", row.thing);
      for (const std::string& column : columns_) {
        const auto cell = row.cells.find(column);
        print_to(stdout, " {} |", cell == row.cells.end() ? "" : cell->second);
      }
      print_to(stdout, "{}\n", targets ? fmt::format(" {} |", row.target) : "");
    }
    print_to(stdout, "\n");
  }

 private:
  struct Row {
    std::string thing;
    std::map<std::string, std::string> cells;  ///< by column
    std::string target;
  };
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

void print_markdown(const bench::Benchmark& benchmark, std::uint64_t count,
                    const std::vector<bench::Measurement>& all) {
  print_to(stdout, "### {}: {}\n\n`rondo bench {} --count {}`\n\n", benchmark.name, benchmark.what, benchmark.name,
           count);
  Comparison comparison;
  bool begun = false;
  for (const bench::Measurement& m : all) {
    if (comparison.take(m)) continue;
    if (!std::exchange(begun, true)) print_to(stdout, "| measured | value | target |\n| --- | ---: | --- |\n");
    print_to(stdout, "| {} | {} | {} |\n", m.what, with_unit(m), verdict(m));
  }
  if (begun) print_to(stdout, "\n");
  comparison.print();
}

/// As a table for a terminal, as Markdown for docs/benchmarks.md, or as JSON.
void print(const bench::Benchmark& benchmark, std::uint64_t count, const std::vector<bench::Measurement>& all,
           const std::string& format) {
  if (format == "json") {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& m : all)
      rows.push_back({{"what", m.what}, {"value", m.value}, {"unit", m.unit}, {"target", m.target}});
    const nlohmann::ordered_json out = {
        {"benchmark", benchmark.name}, {"count", count}, {"machine", bench::machine()}, {"rows", rows}};
    print_to(stdout, "{}\n", out.dump());
    return;
  }
  if (format == "markdown") return print_markdown(benchmark, count, all);
  print_to(stdout, "{}: {}, {} of them\n", benchmark.name, benchmark.what, grouped(count));
  Table table({{"measured", Table::Align::left, true}, {"value", Table::Align::right}, {"unit"}, {"target"}});
  for (const auto& m : all) table.row({m.what, number(m.value), m.unit, verdict(m)});
  table.print(stdout);
  print_to(stdout, "\n");
}

int run(const BenchArguments& options) {
  std::vector<const bench::Benchmark*> chosen;
  for (const bench::Benchmark& benchmark : bench::benchmarks()) {
    const bool named = std::find(options.names.begin(), options.names.end(), benchmark.name) != options.names.end();
    if (options.names.empty() || named) chosen.push_back(&benchmark);
  }
  if (options.format != "json")
    print_to(stdout, "{}{}\n\n", options.format == "markdown" ? "Machine: " : "", bench::machine());
  for (const bench::Benchmark* benchmark : chosen) {
    bench::Options one = options.bench;
    if (one.count == 0) one.count = benchmark->count;
    auto measured = benchmark->run(one);
    if (!measured) return report(measured.error());
    print(*benchmark, one.count, *measured, options.format);
    std::fflush(stdout);
  }
  return kSuccess;
}

}  // namespace

Action define_bench(CLI::App& app) {
  auto options = std::make_shared<BenchArguments>();
  std::vector<std::string> names;
  std::string list = "which; all if none is named:";
  for (const bench::Benchmark& benchmark : bench::benchmarks()) {
    names.emplace_back(benchmark.name);
    list += fmt::format(" {} ({});", benchmark.name, benchmark.what);
  }
  list.pop_back();
  app.add_option("names", options->names, list)->check(CLI::IsMember(names));
  app.add_option("--system", options->bench.systems, "only these retrieval systems, with commas between")
      ->delimiter(',');
  app.add_option("--more", options->bench.more, "a file or folder of real melodies to add, where a benchmark can");
  app.add_option("--count", options->bench.count, "size of the material; default: the benchmark's own")
      ->check(whole(1, kMostPieces));
  app.add_option("--seconds", options->bench.seconds, "how long 'serve' is under load; default: 600")
      ->check(within(1, 86'400));
  app.add_option("--seed", options->bench.seed, "seed of the generated melodies")
      ->check(whole(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  app.add_option("--folder", options->bench.folder, "folder for large temporary files")->capture_default_str();
  app.add_option("--format", options->format, "table, markdown or json")
      ->check(CLI::IsMember({"table", "markdown", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
