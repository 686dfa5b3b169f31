#include "rondo/evaluation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "columns.h"

namespace rondo::evaluation {
namespace {

/// Collects the lines of a run and puts them in order.
class RunBuilder {
 public:
  explicit RunBuilder(const RunOptions& options) : options_(options) { run_.file = options.file; }

  Result<void> add(const ColumnReader& columns);
  Result<Run> finish(Diagnostics& warnings);

 private:
  /// What is remembered of the lines of one query besides the documents themselves.
  struct Trail {
    std::vector<std::uint32_t> lines;
    std::int64_t rank = 0;
  };

  std::size_t list_of(std::string_view query, std::uint32_t line);
  [[nodiscard]] std::optional<Error> first_duplicate() const;
  void order(RankedList& list);
  [[nodiscard]] Place place(std::uint32_t line) const {
    Place where;
    where.file = options_.file;
    where.line = line;
    return where;
  }

  const RunOptions& options_;
  Run run_;
  std::vector<Trail> trails_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t current_ = 0;
  std::size_t reordered_ = 0;
  std::uint32_t other_tag_line_ = 0;
};

std::size_t RunBuilder::list_of(std::string_view query, std::uint32_t line) {
  // Lines of one query usually follow each other.
  if (!run_.lists.empty() && run_.lists[current_].query == query) return current_;
  const auto [it, fresh] = index_.try_emplace(std::string(query), run_.lists.size());
  if (fresh) {
    run_.lists.push_back({std::string(query), {}, line});
    trails_.emplace_back();
  }
  return current_ = it->second;
}

Result<void> RunBuilder::add(const ColumnReader& columns) {
  const std::string_view query = columns[0];
  const auto rank = parse_number<std::int64_t>(columns[3]);
  if (!rank || *rank < 0) {
    return fail(columns.error("rank", "the rank " + in_quotes(columns[3]) + " is not a whole number from 0 up"));
  }
  const auto score = parse_number<double>(columns[4]);
  if (!score || !std::isfinite(*score)) {
    return fail(columns.error("score", "the score " + in_quotes(columns[4]) + " is not a number"));
  }
  const std::uint32_t line = columns.line();
  const std::size_t at = list_of(query, line);
  RankedList& list = run_.lists[at];
  Trail& trail = trails_[at];
  if (!list.documents.empty()) {
    if (*rank <= trail.rank) {
      return fail(columns.error("rank-order",
                                fmt::format("rank {} of query {} comes after rank {} (line {})", *rank,
                                            in_quotes(query), trail.rank, trail.lines.back()),
                                "write each query's documents from the best rank to the worst"));
    }
    if (*score > list.documents.back().score) {
      return fail(columns.error("score-order",
                                fmt::format("rank {} of query {} has a higher score than rank {} (line {})", *rank,
                                            in_quotes(query), trail.rank, trail.lines.back()),
                                "higher scores mean better documents; if yours are distances, negate them"));
    }
  }
  list.documents.push_back({std::string(columns[2]), *score});
  trail.lines.push_back(line);
  trail.rank = *rank;
  if (run_.tag.empty()) {
    run_.tag = columns[5];
  } else if (other_tag_line_ == 0 && run_.tag != columns[5]) {
    other_tag_line_ = line;
  }
  return {};
}

std::optional<Error> RunBuilder::first_duplicate() const {
  std::optional<Error> first;
  std::unordered_map<std::string_view, std::uint32_t> seen;
  for (std::size_t i = 0; i < run_.lists.size(); ++i) {
    const RankedList& list = run_.lists[i];
    seen.clear();
    seen.reserve(list.documents.size());
    for (std::size_t d = 0; d < list.documents.size(); ++d) {
      const std::uint32_t line = trails_[i].lines[d];
      const auto [it, fresh] = seen.try_emplace(list.documents[d].id, line);
      if (fresh) continue;
      if (!first || line < first->place.line) {
        first = Error{"run-duplicate",
                      fmt::format("document {} occurs twice for query {}, first in line {}",
                                  in_quotes(list.documents[d].id), in_quotes(list.query), it->second),
                      place(line), "a document can be found only once for a query; remove one of the lines"};
      }
      break;
    }
  }
  return first;
}

void RunBuilder::order(RankedList& list) {
  const auto by_score = [](const RankedDocument& a, const RankedDocument& b) {
    return a.score != b.score ? a.score > b.score : a.id > b.id;
  };
  if (std::is_sorted(list.documents.begin(), list.documents.end(), by_score)) return;
  std::sort(list.documents.begin(), list.documents.end(), by_score);
  ++reordered_;
}

Result<Run> RunBuilder::finish(Diagnostics& warnings) {
  if (run_.lists.empty()) {
    return fail("run-empty", "the run has no lines", place(0), "write query Q0 document rank score tag");
  }
  if (auto duplicate = first_duplicate()) return fail(std::move(*duplicate));
  if (options_.ties == Ties::kTrecEval) {
    for (RankedList& list : run_.lists) order(list);
  }
  if (reordered_ != 0) {
    warnings.push_back({"run-ties",
                        fmt::format("documents with equal scores were put in order of their ids, the last first, in {} "
                                    "of {} queries",
                                    reordered_, run_.lists.size()),
                        place(0), "as trec_eval does; to keep the order of the ranks, choose ties as written"});
  }
  if (other_tag_line_ != 0) {
    warnings.push_back({"run-tags", "the run has more than one tag; it is called " + in_quotes(run_.tag),
                        place(other_tag_line_), "write one file per system"});
  }
  return std::move(run_);
}

}  // namespace

Result<Run> read_run(ByteSource& source, const RunOptions& options, Diagnostics& warnings) {
  ColumnReader columns(source, options.file, "run", 6, "query Q0 document rank score tag");
  RunBuilder builder(options);
  for (;;) {
    auto more = columns.next();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return builder.finish(warnings);
    if (auto added = builder.add(columns); !added) return fail(std::move(added.error()));
  }
}

std::string write_run(const Run& run) {
  fmt::memory_buffer out;
  for (const RankedList& list : run.lists) {
    std::size_t rank = 0;
    for (const RankedDocument& document : list.documents) {
      fmt::format_to(std::back_inserter(out), "{} Q0 {} {} {} {}\n", list.query, document.id, ++rank, document.score,
                     run.tag.empty() ? "run" : run.tag);
    }
  }
  return guarded(fmt::to_string(out));
}

}  // namespace rondo::evaluation
