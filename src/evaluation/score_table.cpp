#include <fmt/format.h>

#include <cmath>
#include <set>

#include "columns.h"
#include "evaluation/compare.h"

namespace rondo::evaluation {
namespace {

/// The fields of one line of a comma-separated file (RFC 4180, without line ends inside quotes).
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

class TableReader {
 public:
  TableReader(ByteSource& source, std::string file, std::string measure)
      : lines_(source, kMaxLine), file_(std::move(file)) {
    table_.measure = std::move(measure);
  }

  Result<ScoreTable> read() {
    std::string_view line;
    while (true) {
      auto more = lines_.next(line);
      if (!more) return fail(std::move(more.error()));
      if (!*more) break;
      if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
      if (line.empty()) continue;
      const std::vector<std::string> fields = csv_fields(line);
      if (auto done = table_.systems.empty() ? header(fields) : row(fields); !done)
        return fail(std::move(done.error()));
    }
    if (table_.queries.empty()) return error("table-empty", "there is no line of figures in it");
    return std::move(table_);
  }

 private:
  static constexpr std::size_t kMaxLine = std::size_t{64} * 1024;

  [[nodiscard]] Failure error(std::string code, std::string message) const {
    return fail(std::move(code), std::move(message),
                Place{file_, {}, {}, static_cast<std::uint32_t>(lines_.number()), 0},
                "the first line is 'query,SYSTEM,SYSTEM...', every other a query and its figures");
  }

  Result<void> header(const std::vector<std::string>& fields) {
    if (fields.size() < 2) return error("table-columns", "there is no system in the first line");
    table_.systems.assign(fields.begin() + 1, fields.end());
    table_.values.resize(table_.systems.size());
    return {};
  }

  Result<void> row(const std::vector<std::string>& fields) {
    if (fields.size() != table_.systems.size() + 1) {
      return error("table-columns",
                   fmt::format("there are {} fields, the first line has {}", fields.size(), table_.systems.size() + 1));
    }
    if (fields[0] == "all" || fields[0] == "Average") return {};
    if (!seen_.insert(fields[0]).second) {
      return error("table-duplicate", fmt::format("query {} occurs twice", in_quotes(fields[0])));
    }
    for (std::size_t s = 0; s < table_.values.size(); ++s) {
      const auto value = parse_number<double>(fields[s + 1]);
      if (!value || !std::isfinite(*value))
        return error("table-number", fmt::format("{} is not a number", in_quotes(fields[s + 1])));
      table_.values[s].push_back(*value);
    }
    table_.queries.push_back(fields[0]);
    return {};
  }

  LineReader lines_;
  std::string file_;
  ScoreTable table_;
  std::set<std::string> seen_;
};

}  // namespace

Result<ScoreTable> read_score_table(ByteSource& source, const std::string& file, std::string measure) {
  return TableReader(source, file, std::move(measure)).read();
}

}  // namespace rondo::evaluation
