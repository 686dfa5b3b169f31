#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/study.h"

namespace rondo::study {

/// One line of a table of votes. A line without a candidate says that somebody answered and ranked nothing.
struct Vote {
  std::string participant;
  std::string query;
  std::string candidate;
  double rank = 0;
  friend bool operator==(const Vote&, const Vote&) = default;
};

/// All votes, by participant, query and rank. A participant is named by label, or by number where there is none or it
/// is somebody else's too.
[[nodiscard]] std::vector<Vote> votes_of(const Study& study);

/// CSV with the head `participant,query,candidate,rank`; queries and candidates by the ids of their melodies.
[[nodiscard]] std::string votes_csv(const Study& study);

/// Columns in any order, others are passed over. Errors `votes-columns`, `votes-rank`, `votes-many`, `csv-quote`.
[[nodiscard]] Result<std::vector<Vote>> read_votes(std::string_view csv);

/// Votes as answers to the queries of a study; participants in the order in which they first appear. Of ranks only the
/// order counts; equal ones share a place. Errors `votes-query`, `votes-candidate`, `votes-twice`, `ranking-ties`.
[[nodiscard]] Result<std::vector<Participant>> voters_of(const std::vector<Vote>& votes, const Study& study);

/// A study made of nothing but votes: each id that occurs is a melody known by name only.
[[nodiscard]] Result<Study> study_of(const std::vector<Vote>& votes);

}  // namespace rondo::study
