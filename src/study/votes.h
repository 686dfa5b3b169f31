#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/study.h"

namespace rondo::study {

/// One line of a table of votes. A line without a candidate means that the participant answered and ranked nothing.
struct Vote {
  std::string participant;
  std::string query;
  std::string candidate;
  double rank = 0;
  friend bool operator==(const Vote&, const Vote&) = default;
};

/// All votes, by participant, query and rank. A participant is identified by label, or by number if there is no label
/// or it is not unique.
[[nodiscard]] std::vector<Vote> votes_of(const Study& study);

/// CSV with the head `participant,query,candidate,rank`; queries and candidates by the ids of their melodies.
[[nodiscard]] std::string votes_csv(const Study& study);

/// Columns may be in any order; others are ignored. Errors `votes-columns`, `votes-rank`, `votes-many`, `csv-quote`.
[[nodiscard]] Result<std::vector<Vote>> read_votes(std::string_view csv);

/// Votes as answers to the queries of a study; participants in the order in which they first appear. Only the order of
/// ranks counts; equal ones are ties. Errors `votes-query`, `votes-candidate`, `votes-twice`, `ranking-ties`.
[[nodiscard]] Result<std::vector<Participant>> voters_of(const std::vector<Vote>& votes, const Study& study);

/// A study made from votes alone: the melodies are known only by their ids.
[[nodiscard]] Result<Study> study_of(const std::vector<Vote>& votes);

}  // namespace rondo::study
