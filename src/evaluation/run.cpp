#include "rondo/evaluation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <unordered_map>

#include "columns.h"
#include "evaluation/falling_scores.h"

namespace rondo::evaluation {
namespace {

/// Collects the lines of a run and sorts them.
class RunBuilder {
 public:
  explicit RunBuilder(const RunOptions& options) : options_(options) { run_.file = options.file; }

  Result<void> add(const ColumnReader& columns);
  Result<Run> finish(Diagnostics& warnings);

 private:
  static constexpr std::int64_t kNoRank = -1;

  /// Further columns of the lines of one query, one entry per document.
  struct Details {
    std::vector<std::uint32_t> lines;
    std::vector<std::int64_t> ranks;
    std::vector<double> keys;  ///< sort keys: scores, for trec_eval's order in single precision
  };

  /// The result of comparing the rank column of a query with its scores.
  struct RankCheck {
    bool contradicts = false;  ///< a document with a lower score has a lower rank
    bool usable = false;       ///< all ranks are known, and no two are equal among equal scores
  };

  std::size_t list_of(std::string_view query, std::uint32_t line);
  [[nodiscard]] std::optional<Error> first_duplicate() const;
  void order(std::size_t at);
  [[nodiscard]] RankCheck check_ranks(std::size_t at, const std::vector<std::size_t>& by_score) const;
  void warn(Diagnostics& warnings) const;
  [[nodiscard]] std::string of_queries(std::size_t count) const {
    return fmt::format("in {} of {} queries", count, run_.lists.size());
  }
  [[nodiscard]] Place place(std::uint32_t line) const {
    Place where;
    where.file = options_.file;
    where.line = line;
    return where;
  }

  const RunOptions& options_;
  Run run_;
  std::vector<Details> details_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t current_ = 0;
  // Number of queries with equal scores that were ordered by rank, by id; with ranks that contradict the scores.
  std::size_t tied_by_rank_ = 0;
  std::size_t tied_by_id_ = 0;
  std::size_t contradictory_ = 0;
  std::uint32_t first_without_rank_ = 0;
  std::size_t without_rank_ = 0;
  std::uint32_t other_tag_line_ = 0;
};

std::size_t RunBuilder::list_of(std::string_view query, std::uint32_t line) {
  // Fast path: lines of one query are usually adjacent.
  if (!run_.lists.empty() && run_.lists[current_].query == query) return current_;
  const auto [it, fresh] = index_.try_emplace(std::string(query), run_.lists.size());
  if (fresh) {
    run_.lists.push_back({std::string(query), {}, line});
    details_.emplace_back();
  }
  return current_ = it->second;
}

/// Values beyond the range of a double are infinite; nullopt for text that is not a number.
std::optional<double> parse_score(std::string_view text) {
  if (const auto score = parse_number<double>(text)) {
    if (std::isnan(*score)) return std::nullopt;
    return score;
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  double unused = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), unused);
  if (problem != std::errc::result_out_of_range || end != text.data() + text.size()) return std::nullopt;
  return std::strtod(std::string(text).c_str(), nullptr);  // infinite, or too small to tell from 0
}

Result<void> RunBuilder::add(const ColumnReader& columns) {
  const auto score = parse_score(columns[4]);
  if (!score) return fail(columns.error("score", "the score " + in_quotes(columns[4]) + " is not a number"));
  const std::uint32_t line = columns.line();
  const auto rank = parse_number<std::int64_t>(columns[3]);
  const bool has_rank = rank && *rank >= 0;
  if (!has_rank && without_rank_++ == 0) first_without_rank_ = line;
  const std::size_t at = list_of(columns[0], line);
  run_.lists[at].documents.push_back({std::string(columns[2]), *score});
  details_[at].lines.push_back(line);
  details_[at].ranks.push_back(has_rank ? *rank : kNoRank);
  details_[at].keys.push_back(options_.ties == Ties::kTrecEval ? static_cast<double>(static_cast<float>(*score))
                                                               : *score);
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
      const std::uint32_t line = details_[i].lines[d];
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

RunBuilder::RankCheck RunBuilder::check_ranks(std::size_t at, const std::vector<std::size_t>& by_score) const {
  const std::vector<std::int64_t>& ranks = details_[at].ranks;
  const std::vector<double>& keys = details_[at].keys;
  RankCheck check{false, true};
  std::int64_t highest_before = kNoRank;  // of all documents with a better score
  for (std::size_t begin = 0; begin < by_score.size();) {
    std::vector<std::int64_t> tied;
    std::size_t end = begin;
    for (; end < by_score.size() && keys[by_score[end]] == keys[by_score[begin]]; ++end) {
      tied.push_back(ranks[by_score[end]]);
    }
    std::sort(tied.begin(), tied.end());
    if (tied.front() == kNoRank) return {false, false};
    check.contradicts = check.contradicts || tied.front() < highest_before;
    const bool repeated = std::adjacent_find(tied.begin(), tied.end()) != tied.end();
    check.usable = check.usable && !check.contradicts && !repeated;
    highest_before = std::max(highest_before, tied.back());
    begin = end;
  }
  return check;
}

void RunBuilder::order(std::size_t at) {
  RankedList& list = run_.lists[at];
  const std::vector<RankedDocument>& documents = list.documents;
  const std::vector<double>& keys = details_[at].keys;
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto falling = [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; };
  if (!std::is_sorted(order.begin(), order.end(), falling)) std::stable_sort(order.begin(), order.end(), falling);
  const RankCheck ranks = check_ranks(at, order);
  if (ranks.contradicts) ++contradictory_;

  const bool by_rank = options_.ties == Ties::kByRank && ranks.usable;
  bool tied = false;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && keys[order[end]] == keys[order[begin]]) ++end;
    if (end - begin > 1 && options_.ties != Ties::kAsWritten) {
      tied = true;
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end),
                [&](std::size_t a, std::size_t b) {
                  return by_rank ? details_[at].ranks[a] < details_[at].ranks[b] : documents[a].id > documents[b].id;
                });
    }
    begin = end;
  }
  if (tied) ++(by_rank ? tied_by_rank_ : tied_by_id_);
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<RankedDocument> sorted;
  sorted.reserve(documents.size());
  for (const std::size_t i : order) sorted.push_back(std::move(list.documents[i]));
  list.documents = std::move(sorted);
}

void RunBuilder::warn(Diagnostics& warnings) const {
  if (without_rank_ != 0) {
    warnings.push_back({"run-rank",
                        fmt::format("{} of the ranks are not whole numbers from 0 up and are not used", without_rank_),
                        place(first_without_rank_), "scores decide the order"});
  }
  if (contradictory_ != 0) {
    warnings.push_back({"run-rank-order",
                        fmt::format("ranks contradict scores {}; the scores were used", of_queries(contradictory_)),
                        place(0), "higher scores mean better documents; if yours are distances, negate them"});
  }
  if (tied_by_rank_ != 0) {
    warnings.push_back(
        {"run-ties", fmt::format("documents with equal scores were ordered by rank {}", of_queries(tied_by_rank_)),
         place(0), "trec_eval orders them by id; write scores without ties to have one order everywhere"});
  }
  if (tied_by_id_ != 0) {
    warnings.push_back(
        {"run-ties",
         fmt::format("documents with equal scores were ordered by id, the last first, {}", of_queries(tied_by_id_)),
         place(0), "as trec_eval does; write scores without ties to have one order everywhere"});
  }
  if (other_tag_line_ != 0) {
    warnings.push_back({"run-tags", "the run has more than one tag; it is called " + in_quotes(run_.tag),
                        place(other_tag_line_), "write one file per system"});
  }
}

Result<Run> RunBuilder::finish(Diagnostics& warnings) {
  if (run_.lists.empty()) {
    return fail("run-empty", "the run has no lines", place(0), "write query Q0 document rank score tag");
  }
  if (auto duplicate = first_duplicate()) return fail(std::move(*duplicate));
  for (std::size_t at = 0; at < run_.lists.size(); ++at) order(at);
  warn(warnings);
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
    FallingScores scores;
    for (const RankedDocument& document : list.documents) {
      fmt::format_to(std::back_inserter(out), "{} Q0 {} {} {} {}\n", list.query, document.id, ++rank,
                     scores.next(document.score), run.tag.empty() ? "run" : run.tag);
    }
  }
  return guarded(fmt::to_string(out));
}

}  // namespace rondo::evaluation
