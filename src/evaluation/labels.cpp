#include "evaluation/labels.h"

#include <unordered_map>
#include <unordered_set>

#include "columns.h"

namespace rondo::evaluation {

Result<LabelTruth> truth_from_labels(std::span<const LabelledDocument> documents) {
  constexpr std::size_t kMaxPairs = 50'000'000;
  std::unordered_set<std::string_view> ids;
  std::unordered_map<std::string_view, std::vector<std::size_t>> families;
  LabelTruth out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!ids.insert(documents[i].id).second) {
      return fail("truth-duplicate", "document " + in_quotes(documents[i].id) + " occurs twice");
    }
    if (documents[i].label.empty()) {
      ++out.unlabelled;
    } else {
      families[documents[i].label].push_back(i);
    }
  }
  std::size_t pairs = 0;
  for (const auto& [label, members] : families) {
    pairs += members.size() * (members.size() - 1);
    if (members.size() == 1) ++out.alone;
    if (members.size() > kMaxPairs || pairs > kMaxPairs) {
      return fail("truth-too-large", "label " + in_quotes(label) + " makes the truth larger than 50 million pairs", {},
                  "choose a field that parts the collection into smaller families");
    }
  }
  if (pairs == 0) {
    return fail("truth-empty", "no two documents share a label", {}, "choose another field");
  }
  out.truth.complete = true;
  out.truth.query_excluded = true;
  out.truth.collection_size = documents.size() - 1;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (documents[i].label.empty()) continue;
    const std::vector<std::size_t>& members = families.at(documents[i].label);
    if (members.size() < 2) continue;
    QueryTruth query;
    query.query = documents[i].id;
    query.groups.resize(1);
    for (const std::size_t member : members) {
      if (member != i) query.groups.front().push_back(documents[member].id);
    }
    out.truth.queries.push_back(std::move(query));
  }
  return out;
}

}  // namespace rondo::evaluation
