#include "search/filter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rondo {
namespace {

Place at_line(const std::string& file, std::uint32_t line) {
  Place place;
  place.file = file;
  place.line = line;
  return place;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Reads "word: rest" lines; what begins with a blank goes on from the line before.
class FilterReader {
 public:
  explicit FilterReader(const std::string& file) : file_(file) {}

  Result<Filter> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      if (auto done = line(text.substr(0, end)); !done) return fail(std::move(done.error()));
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    return finish();
  }

 private:
  Result<void> line(std::string_view raw) {
    const std::string_view content = trimmed(raw);
    if (content.empty() || content.front() == '#') return {};
    if (raw.front() == ' ' || raw.front() == '\t') return go_on(content);
    const std::size_t colon = content.find(':');
    const std::string_view word = colon == std::string_view::npos ? content : trimmed(content.substr(0, colon));
    if (colon == std::string_view::npos) return unknown(word);
    return entry(word, std::string(trimmed(content.substr(colon + 1))));
  }

  Result<void> go_on(std::string_view content) {
    if (open_ == nullptr) return fail("filter-line", "this line goes on from nothing", at_line(file_, line_));
    if (!open_->empty()) *open_ += '\n';
    *open_ += content;
    return {};
  }

  Result<void> entry(std::string_view word, std::string rest) {
    if (word == "step") {
      filter_.steps.push_back({std::move(rest), {}, false, line_});
      open_ = nullptr;
      return {};
    }
    if (word == "keep" || word == "drop") return condition(word == "drop", std::move(rest));
    if (word != "like" && word != "order") return unknown(word);
    std::string& value = word == "like" ? filter_.like : filter_.order;
    if (!value.empty())
      return fail("filter-line", "there are two lines '" + std::string(word) + "'", at_line(file_, line_));
    value = std::move(rest);
    open_ = word == "order" ? &value : nullptr;
    return {};
  }

  Result<void> condition(bool drop, std::string expression) {
    // A step without a name goes by its condition.
    const bool named = !filter_.steps.empty() && filter_.steps.back().expression.empty();
    if (!named) filter_.steps.push_back({expression, {}, false, line_});
    FilterStep& step = filter_.steps.back();
    step.expression = std::move(expression);
    step.drop = drop;
    step.line = line_;
    open_ = &step.expression;
    return {};
  }

  [[nodiscard]] Failure unknown(std::string_view word) const {
    return fail("filter-line", "'" + std::string(word) + "' is not understood", at_line(file_, line_),
                "a line begins with step:, keep:, drop:, like:, order: or #");
  }

  Result<Filter> finish() {
    if (filter_.steps.empty()) return fail("filter-empty", "there are no steps in it", at_line(file_, 0));
    for (const FilterStep& step : filter_.steps) {
      auto done = check_expression(step.expression);
      if (done) continue;
      done.error().message = "step '" + step.name + "': " + done.error().message;
      done.error().place = at_line(file_, step.line);
      return fail(std::move(done.error()));
    }
    return std::move(filter_);
  }

  const std::string& file_;
  Filter filter_;
  std::uint32_t line_ = 0;
  std::string* open_ = nullptr;  ///< what a line that goes on belongs to; gone when steps are added
};

Result<void> sort_by(UserSql& sql, const std::string& expression, std::vector<SelectedMelody>& melodies) {
  auto values = sql.values(expression, melodies);
  if (!values) return fail(std::move(values.error()));
  std::vector<std::size_t> order(melodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // What has no value comes last.
  const auto less = [&](std::size_t a, std::size_t b) {
    const double x = (*values)[a];
    const double y = (*values)[b];
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    return x < y;
  };
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<SelectedMelody> sorted;
  sorted.reserve(melodies.size());
  for (const std::size_t i : order) sorted.push_back(melodies[i]);
  melodies = std::move(sorted);
  return {};
}

}  // namespace

Result<Filter> parse_filter(std::string_view text, const std::string& file) { return FilterReader(file).read(text); }

Result<Funnel> run_filter(UserSql& sql, const Filter& filter) {
  Funnel funnel;
  auto total = sql.size();
  if (!total) return fail(std::move(total.error()));
  funnel.total = *total;
  for (const FilterStep& step : filter.steps) {
    const bool first = funnel.steps.empty();
    const std::uint64_t before = first ? funnel.total : funnel.survivors.size();
    // Checked on its own, so that what is put around it means what it says.
    Result<std::vector<SelectedMelody>> left;
    if (auto fine = check_expression(step.expression); !fine) {
      left = fail(std::move(fine.error()));
    } else {
      const std::string condition = step.drop ? "(" + step.expression + "\n) IS NOT TRUE" : step.expression;
      left = first ? sql.where(condition) : sql.where(condition, funnel.survivors);
    }
    if (!left) {
      left.error().message = "step '" + step.name + "': " + left.error().message;
      left.error().place.line = step.line;
      return fail(std::move(left.error()));
    }
    funnel.survivors = std::move(*left);
    funnel.steps.push_back({step.name, before, funnel.survivors.size()});
  }
  if (!filter.order.empty()) {
    if (auto done = sort_by(sql, filter.order, funnel.survivors); !done) {
      done.error().message = "order: " + done.error().message;
      return fail(std::move(done.error()));
    }
  }
  return funnel;
}

}  // namespace rondo
