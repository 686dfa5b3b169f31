#include "rondo/evaluation/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/streams.h"
#include "columns.h"
#include "truth_json.h"

namespace rondo::evaluation {
namespace {

/// One line of a truth: value is a group or a grade.
struct Judgement {
  std::string document;
  std::int64_t value = 0;
  std::uint32_t line = 0;
};

class TruthBuilder {
 public:
  explicit TruthBuilder(const TruthOptions& options) : options_(options) {}

  Result<void> add(const ColumnReader& columns);
  Result<Truth> finish(Diagnostics& warnings);

 private:
  Result<QueryTruth> build(const std::string& query, std::vector<Judgement>& judgements, Diagnostics& warnings) const;

  const TruthOptions& options_;
  std::vector<std::pair<std::string, std::vector<Judgement>>> queries_;
  std::unordered_map<std::string, std::size_t> index_;
};

Result<void> TruthBuilder::add(const ColumnReader& columns) {
  const bool qrels = options_.lines == TruthForm::kQrels;
  const auto value = parse_number<std::int64_t>(columns[3]);
  constexpr std::int64_t kMost = 1'000'000;
  if (!value || *value > kMost || (*value < 0 && !qrels)) {
    return fail(columns.error("group",
                              fmt::format("the {} {} is not a whole number from 0 to {}", qrels ? "grade" : "group",
                                          in_quotes(columns[3]), kMost),
                              qrels ? "" : "group 1 is the most similar, 0 means judged not relevant"));
  }
  const auto [it, fresh] = index_.try_emplace(std::string(columns[0]), queries_.size());
  if (fresh) queries_.emplace_back(it->first, std::vector<Judgement>{});
  queries_[it->second].second.push_back({std::string(columns[2]), *value, columns.line()});
  return {};
}

Result<QueryTruth> TruthBuilder::build(const std::string& query, std::vector<Judgement>& judgements,
                                       Diagnostics& warnings) const {
  const bool qrels = options_.lines == TruthForm::kQrels;
  const auto place = [&](std::uint32_t line) {
    Place where;
    where.file = options_.file;
    where.line = line;
    return where;
  };
  std::unordered_map<std::string_view, std::uint32_t> seen;
  // Grades are negated, so that the first key is always the best group.
  std::map<std::int64_t, std::vector<std::string>> groups;
  QueryTruth truth;
  truth.query = query;
  for (const Judgement& judgement : judgements) {
    const auto [it, fresh] = seen.try_emplace(judgement.document, judgement.line);
    if (!fresh) {
      return fail("truth-duplicate",
                  fmt::format("document {} is judged twice for query {}, first in line {}",
                              in_quotes(judgement.document), in_quotes(query), it->second),
                  place(judgement.line), "keep one of the lines");
    }
  }
  for (Judgement& judgement : judgements) {
    if (judgement.value < 0) continue;
    auto& pile = judgement.value == 0 ? truth.not_relevant : groups[qrels ? -judgement.value : judgement.value];
    pile.push_back(std::move(judgement.document));
  }
  if (!qrels && !groups.empty() && groups.rbegin()->first != static_cast<std::int64_t>(groups.size())) {
    warnings.push_back({"truth-gap",
                        fmt::format("the groups of query {} are not numbered 1 to {}; only their order counts",
                                    in_quotes(query), groups.size()),
                        place(judgements.front().line), ""});
  }
  // If 1 is the only grade, it carries no more information than a single group.
  const bool graded = qrels && !(groups.size() == 1 && groups.begin()->first == -1);
  for (auto& [key, documents] : groups) {
    truth.groups.push_back(std::move(documents));
    if (graded) truth.gains.push_back(static_cast<double>(-key));
  }
  return truth;
}

Result<Truth> TruthBuilder::finish(Diagnostics& warnings) {
  Truth truth;
  for (auto& [query, judgements] : queries_) {
    auto built = build(query, judgements, warnings);
    if (!built) return fail(std::move(built.error()));
    truth.queries.push_back(std::move(*built));
  }
  return truth;
}

Result<Truth> read_lines(ByteSource& source, const TruthOptions& options, Diagnostics& warnings) {
  ColumnReader columns(source, options.file, "truth", 4, "query 0 document group");
  TruthBuilder builder(options);
  for (;;) {
    auto more = columns.next();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return builder.finish(warnings);
    if (auto added = builder.add(columns); !added) return fail(std::move(added.error()));
  }
}

/// JSON if the first non-blank byte opens an object; so the first query id of a line format cannot begin with a brace.
bool looks_like_json(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && head[at] == '{';
}

/// Forwards the bytes of a source that it does not own.
class Borrowed final : public ByteSource {
 public:
  explicit Borrowed(ByteSource& inner) : inner_(inner) {}
  Result<std::size_t> read(std::span<char> into) override { return inner_.read(into); }

 private:
  ByteSource& inner_;
};

void write_line(std::string& out, const std::string& query, const std::string& document, std::int64_t value) {
  fmt::format_to(std::back_inserter(out), "{} 0 {} {}\n", query, document, value);
}

}  // namespace

std::size_t QueryTruth::relevant_count() const {
  std::size_t count = 0;
  for (const auto& group : groups) count += group.size();
  return count;
}

double QueryTruth::gain_of(std::size_t group) const {
  return gains.empty() ? static_cast<double>(groups.size() - group) : gains[group];
}

Result<Truth> read_truth(ByteSource& source, const TruthOptions& options, Diagnostics& warnings) {
  PeekedSource peeked(std::make_unique<Borrowed>(source));
  auto head = peeked.head(4096);
  if (!head) return fail(std::move(head.error()));
  auto truth = looks_like_json(*head) ? read_truth_json(peeked, options.file) : read_lines(peeked, options, warnings);
  if (!truth) return truth;
  Place place;
  place.file = options.file;
  if (truth->queries.empty()) {
    return fail("truth-empty", "the truth has no queries", place, "write lines of query 0 document group, or JSON");
  }
  for (const QueryTruth& query : truth->queries) {
    if (query.relevant_count() != 0) continue;
    warnings.push_back({"truth-no-relevant", "query " + in_quotes(query.query) + " has no relevant document", place,
                        "measures that divide by their number are 0 for it"});
  }
  return truth;
}

Result<std::string> write_truth(const Truth& truth, TruthForm form) {
  if (form == TruthForm::kJson) return write_truth_json(truth);
  std::string out;
  for (const QueryTruth& query : truth.queries) {
    for (std::size_t g = 0; g < query.groups.size(); ++g) {
      auto value = static_cast<std::int64_t>(g + 1);
      if (form == TruthForm::kQrels) {
        const double gain = query.gain_of(g);
        if (!(gain >= 1 && gain <= 1e6 && std::floor(gain) == gain)) {
          return fail("truth-grade",
                      fmt::format("gain {} of query {} cannot be a TREC grade", gain, in_quotes(query.query)), {},
                      "grades are whole numbers from 1 up; write JSON");
        }
        value = static_cast<std::int64_t>(gain);
      }
      for (const std::string& document : query.groups[g]) write_line(out, query.query, document, value);
    }
    for (const std::string& document : query.not_relevant) write_line(out, query.query, document, 0);
  }
  return guarded(std::move(out));
}

}  // namespace rondo::evaluation
