#pragma once

#include <string>
#include <vector>

#include "study/studies.h"
#include "unit/store/store_support.h"

namespace rondo::study::test {

using rondo::test::must;

inline Participant participant(std::int64_t number) {
  Participant one;
  one.number = number;
  one.label = "p" + std::to_string(number);
  one.origin = "invited";
  return one;
}

/// Two queries with `candidates` candidates each, of the melodies of the store's tests.
inline Study small_study(int candidates = 4) {
  Study study;
  study.settings.name = "castle";
  study.settings.title = "The castle";
  study.settings.seed = 7;
  study.settings.created = "2026-01-01T00:00:00.000Z";
  int number = 0;
  for (int q = 0; q < 2; ++q) {
    Query query;
    query.label = "Query " + std::to_string(q);
    query.melody = must(copy_of(rondo::test::sample(number++), 0));
    for (int i = 0; i < candidates; ++i) {
      Candidate candidate;
      candidate.code = "c" + std::to_string(q) + std::to_string(i);
      candidate.melody = must(copy_of(rondo::test::sample(number++), 0));
      query.candidates.push_back(std::move(candidate));
    }
    study.queries.push_back(std::move(query));
  }
  return study;
}

/// Somebody who ranked these candidates of the first query, by index.
inline Participant voter(std::int64_t number, const Study& study, const std::vector<std::size_t>& order) {
  Participant one = participant(number);
  Answer answer;
  answer.version = 1;
  answer.done = true;
  answer.saved = "2026-01-02T00:00:00.000Z";
  for (const std::size_t index : order) answer.ranking.push_back({study.queries[0].candidates[index].code});
  one.answers.push_back(std::move(answer));
  return one;
}

}  // namespace rondo::study::test
