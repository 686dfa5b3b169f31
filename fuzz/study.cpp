// Feeds arbitrary bytes to what reads studies, votes and rankings, and checks what must hold: an error has a code, what
// was read is written and read again as the same, and every rule makes a truth of it.

#include "base/json.h"
#include "broken.h"
#include "study/json.h"
#include "study/results.h"
#include "study/votes.h"

namespace {

using namespace rondo::study;

void check_error(const rondo::Error& error) {
  if (error.code.empty()) broken("an error without a code", error.message);
}

void check_study(const Study& study) {
  const Analysis analysis = analyse(study);
  for (const Rule rule : kRules) {
    if (!results_json(study, analysis, {rule, 0.25})) broken("no results", to_json(study));
    (void)truth_of(study, analysis, {rule, 0.25});
  }
}

void fuzz_study(std::string_view bytes) {
  auto study = study_from_json(bytes);
  if (!study) return check_error(study.error());
  const std::string text = to_json(*study);
  auto again = study_from_json(text);
  if (!again) broken("what was written cannot be read", again.error().to_string() + "\n" + text);
  if (to_json(*again) != text) broken("what was written reads as another study", text);
  check_study(*study);
}

void fuzz_votes(std::string_view bytes) {
  auto votes = read_votes(bytes);
  if (!votes) return check_error(votes.error());
  auto study = study_of(*votes);
  if (!study) return check_error(study.error());
  if (study->participants.size() < 50) check_study(*study);
}

void fuzz_ranking(std::string_view bytes) {
  auto ranking = ranking_from(rondo::json_or_null<Json>(bytes));
  if (!ranking) return check_error(ranking.error());
  Query query;
  query.candidates = {{"a", {}, false, {}}, {"b", {}, false, {}}};
  if (auto fine = check(*ranking, query, true); !fine) return check_error(fine.error());
  if (ranked_count(*ranking) > 2) broken("more were ranked than there are", std::string(bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RONDO_FUZZ_TARGET(bytes);
  (void)fuzz_study;
  (void)fuzz_votes;
  (void)fuzz_ranking;
  return 0;
}
