#pragma once

#include "evaluation/falling_scores.h"
#include "server/router.h"
#include "server/search.h"

namespace rondo::server {

/// The formats of a list of hits.
enum class Form : std::uint8_t { json, csv, jsonl, trec };

[[nodiscard]] std::string_view type_of(Form form);

/// The requested format: from `format=` or, without it, the Accept header. Errors `argument-format`, `not-acceptable`.
[[nodiscard]] Result<Form> form_of(const Call& call, const std::vector<Form>& offered);

/// For formats that have hits only: says in the header Rondo-Counts what became of the melodies of the search.
void set_counts(const SearchResult& result, Response& response);

/// The data of a line of a list.
struct ListEntry {
  std::size_t rank = 0;  ///< from 1
  const Found& found;
  std::string_view id;
  const Metadata& metadata;
  std::string_view pae;
  const std::vector<std::string>& duplicates;
};

/// Writes hits one by one, for one query.
class Listing {
 public:
  Listing(Form form, const SearchRequest& request, std::string_view system);
  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string line(const ListEntry& entry);

 private:
  Form form_;
  std::string query_;
  std::string system_;
  evaluation::FallingScores scores_;  // of a run, in which every score is lower than the one before
};

}  // namespace rondo::server
