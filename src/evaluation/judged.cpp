#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "columns.h"
#include "rondo/evaluation/evaluate.h"

namespace rondo::evaluation {
namespace {

using Judgements = std::unordered_map<std::string_view, std::int32_t>;

void fill_judgements(const QueryTruth& truth, Judgements& judgements) {
  judgements.clear();
  judgements.reserve(truth.relevant_count() + truth.not_relevant.size());
  std::int32_t group = 0;
  for (const auto& documents : truth.groups) {
    ++group;
    for (const std::string& document : documents) judgements.emplace(document, group);
  }
  for (const std::string& document : truth.not_relevant) judgements.emplace(document, kNotRelevant);
}

/// A list filled from the truth, without an answer yet.
JudgedList expectation(const Truth& truth, const QueryTruth& query) {
  JudgedList list;
  list.query = query.query;
  for (std::size_t g = 0; g < query.groups.size(); ++g) {
    list.group_sizes.push_back(query.groups[g].size());
    list.gains.push_back(query.gain_of(g));
  }
  list.relevant = query.relevant_count();
  list.collection_size = truth.collection_size;
  list.nonrelevant = query.not_relevant.size();
  if (truth.complete) {
    const bool known = truth.collection_size >= list.relevant;
    list.nonrelevant = known && truth.collection_size != 0 ? truth.collection_size - list.relevant : kAllOthers;
  }
  return list;
}

void fill_answer(const Truth& truth, const RankedList& answer, const Judgements& judgements, JudgedList& list) {
  const std::vector<std::string_view> documents = measured_documents(truth, answer);
  list.groups.reserve(documents.size());
  std::size_t nonrelevant = 0;
  for (const std::string_view document : documents) {
    const auto known = judgements.find(document);
    const std::int32_t unnamed = truth.complete ? kNotRelevant : kUnjudged;
    const std::int32_t group = known != judgements.end() ? known->second : unnamed;
    list.groups.push_back(group);
    if (group > 0) {
      list.hits.push_back({list.groups.size(), static_cast<std::size_t>(group), nonrelevant});
    } else if (group == kNotRelevant) {
      ++nonrelevant;
    }
  }
}

Place place_of(const Run& run, std::uint32_t line) {
  Place place;
  place.file = run.file;
  place.line = line;
  return place;
}

/// 'query "a"', or '3 queries ("a", "b", ...)'.
std::string some_queries(const std::vector<std::string>& queries) {
  if (queries.size() == 1) return "query " + in_quotes(queries.front());
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, queries.size()); ++i) {
    names += (i == 0 ? "" : ", ") + in_quotes(queries[i]);
  }
  return fmt::format("{} queries ({}{})", queries.size(), names, queries.size() > kNamed ? ", ..." : "");
}

/// Everything relevant or retrieved is in the collection.
Result<void> check_size(const Run& run, const JudgedList& list) {
  const std::size_t needed = list.relevant + list.retrieved() - list.hits.size();
  if (list.collection_size == 0 || needed <= list.collection_size) return {};
  return fail("evaluation-collection-size",
              fmt::format("query {} involves {} documents, more than the {} the collection is said to have",
                          in_quotes(list.query), needed, list.collection_size),
              place_of(run, 0), "give the number of documents that can be retrieved");
}

}  // namespace

std::size_t JudgedList::hits_within(std::size_t depth) const {
  if (depth == 0) return hits.size();
  const auto end = std::upper_bound(hits.begin(), hits.end(), depth,
                                    [](std::size_t rank, const Hit& hit) { return rank < hit.rank; });
  return static_cast<std::size_t>(end - hits.begin());
}

std::vector<std::string_view> measured_documents(const Truth& truth, const RankedList& list) {
  std::vector<std::string_view> documents;
  documents.reserve(list.documents.size());
  for (const RankedDocument& document : list.documents) {
    if (truth.query_excluded && document.id == list.query) continue;
    documents.push_back(document.id);
  }
  return documents;
}

Result<JudgedRun> judge(const Truth& truth, const Run& run) {
  std::unordered_map<std::string_view, const RankedList*> answers;
  for (const RankedList& list : run.lists) answers.emplace(list.query, &list);

  JudgedRun judged;
  judged.name = run.tag.empty() ? run.file : run.tag;
  Judgements judgements;
  for (const QueryTruth& query : truth.queries) {
    JudgedList& list = judged.lists.emplace_back(expectation(truth, query));
    const auto answer = answers.find(query.query);
    if (answer == answers.end()) {
      list.missing = true;
      judged.missing.push_back(query.query);
      continue;
    }
    fill_judgements(query, judgements);
    fill_answer(truth, *answer->second, judgements, list);
    answers.erase(answer);
    if (auto fine = check_size(run, list); !fine) return fail(std::move(fine.error()));
  }
  if (judged.missing.size() == truth.queries.size()) {
    return fail("evaluation-no-common-query", "no query of the truth occurs in run " + in_quotes(judged.name),
                place_of(run, 0), "check that run and truth belong together and name their queries alike");
  }
  std::uint32_t first_unknown = 0;
  for (const RankedList& list : run.lists) {
    if (!answers.contains(list.query)) continue;
    if (judged.unknown.empty()) first_unknown = list.line;
    judged.unknown.push_back(list.query);
  }
  if (!judged.missing.empty()) {
    judged.warnings.push_back({"evaluation-missing-query",
                               fmt::format("run {} does not answer {}, which count{} as zero", in_quotes(judged.name),
                                           some_queries(judged.missing), judged.missing.size() == 1 ? "s" : ""),
                               place_of(run, 0), ""});
  }
  if (!judged.unknown.empty()) {
    judged.warnings.push_back({"evaluation-unknown-query",
                               fmt::format("{} {} not in the truth and left out", some_queries(judged.unknown),
                                           judged.unknown.size() == 1 ? "is" : "are"),
                               place_of(run, first_unknown), ""});
  }
  return judged;
}

}  // namespace rondo::evaluation
