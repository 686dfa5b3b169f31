#pragma once

#include "evaluation/falling_scores.h"
#include "server/router.h"
#include "server/search.h"

namespace rondo::server {

/// The forms that a list of hits is written in.
enum class Form : std::uint8_t { json, csv, jsonl, trec };

[[nodiscard]] std::string_view type_of(Form form);

/// What was asked for, by `format=` or, without it, by the Accept header. Errors `argument-format`, `not-acceptable`.
[[nodiscard]] Result<Form> form_of(const Call& call, const std::vector<Form>& offered);

/// What a line of a list tells.
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
