#include "study/votes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/csv.h"
#include "study/figures.h"

namespace rondo::study {
namespace {

constexpr std::size_t kMostVotes = 5'000'000;

/// The name of each participant in the table.
std::vector<std::string> names_of(const std::vector<Participant>& participants) {
  std::unordered_map<std::string_view, int> uses;
  for (const Participant& one : participants) ++uses[one.label];
  std::vector<std::string> names;
  names.reserve(participants.size());
  for (const Participant& one : participants) {
    names.push_back(one.label.empty() || uses[one.label] > 1 ? std::to_string(one.number) : one.label);
  }
  return names;
}

void add_votes(const Query& query, const Answer& answer, const std::string& participant, std::vector<Vote>& votes) {
  if (answer.ranking.empty()) {
    votes.push_back({participant, query.melody.id, {}, 0});
    return;
  }
  std::unordered_map<std::string_view, std::string_view> ids;
  for (const Candidate& candidate : query.candidates) ids.emplace(candidate.code, candidate.melody.id);
  std::size_t before = 0;
  for (const std::vector<std::string>& tier : answer.ranking) {
    const double rank = static_cast<double>(before) + (static_cast<double>(tier.size()) + 1) / 2;
    for (const std::string& code : tier) {
      votes.push_back({participant, query.melody.id, std::string(ids[code]), rank});
    }
    before += tier.size();
  }
}

struct Columns {
  std::size_t participant = 0, query = 0, candidate = 0, rank = 0;
  [[nodiscard]] std::size_t last() const { return std::max({participant, query, candidate, rank}); }
};

Result<Columns> columns_of(const std::vector<std::string>& head) {
  Columns out;
  for (const auto& [name, column] : {std::pair("participant", &out.participant), std::pair("query", &out.query),
                                     std::pair("candidate", &out.candidate), std::pair("rank", &out.rank)}) {
    const auto found = std::find(head.begin(), head.end(), name);
    if (found == head.end()) {
      return fail("votes-columns", fmt::format("there is no column '{}'", name), {},
                  "the first line is: participant,query,candidate,rank");
    }
    *column = static_cast<std::size_t>(found - head.begin());
  }
  return out;
}

Place line_of(const CsvRecord& record) {
  Place place;
  place.line = record.line;
  return place;
}

Result<Vote> vote_in(const CsvRecord& record, const Columns& columns) {
  if (record.cells.size() <= columns.last()) {
    return fail("votes-columns", "the line has too few columns", line_of(record));
  }
  Vote vote{record.cells[columns.participant], record.cells[columns.query], record.cells[columns.candidate], 0};
  if (vote.participant.empty() || vote.query.empty()) {
    return fail("votes-columns", "participant and query must not be empty", line_of(record));
  }
  for (const std::string* text : {&vote.participant, &vote.query, &vote.candidate}) {
    if (auto fine = check_line("text", *text); !fine)
      return fail("votes-columns", fine.error().message, line_of(record));
  }
  const std::string& rank = record.cells[columns.rank];
  if (vote.candidate.empty() && rank.empty()) return vote;
  const auto read = std::from_chars(rank.data(), rank.data() + rank.size(), vote.rank);
  constexpr double kMost = 1e6;
  const bool fine =
      read.ec == std::errc{} && read.ptr == rank.data() + rank.size() && vote.rank > 0 && vote.rank < kMost;
  if (!fine || vote.candidate.empty()) {
    return fail("votes-rank", fmt::format("'{}' is not a rank of a candidate", rank), line_of(record),
                "a rank is a number above 0; leave out those that were not ranked");
  }
  return vote;
}

/// One person's votes on one query, best first; equal ranks are one tier.
Ranking ranking_of(std::vector<std::pair<double, std::string>> ranked) {
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Ranking ranking;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (i == 0 || ranked[i].first != ranked[i - 1].first) ranking.emplace_back();
    ranking.back().push_back(std::move(ranked[i].second));
  }
  return ranking;
}

/// Queries and their candidates by id.
class Index {
 public:
  explicit Index(const Study& study) {
    for (std::size_t i = 0; i < study.queries.size(); ++i) {
      queries_.emplace(study.queries[i].melody.id, i);
      auto& codes = codes_.emplace_back();
      for (const Candidate& candidate : study.queries[i].candidates) {
        codes.emplace(candidate.melody.id, candidate.code);
        // External voters may have seen one of the melodies that it represents.
        for (const Folded& folded : candidate.folded) codes.emplace(folded.id, candidate.code);
      }
    }
  }
  Result<std::size_t> query(const std::string& id) const {
    const auto found = queries_.find(id);
    if (found == queries_.end()) return fail("votes-query", fmt::format("the study has no query '{}'", id));
    return found->second;
  }
  Result<std::string> code(std::size_t query, const std::string& id) const {
    const auto found = codes_[query].find(id);
    if (found == codes_[query].end()) {
      return fail("votes-candidate", fmt::format("the query has no candidate '{}'", id));
    }
    return found->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> queries_;
  std::vector<std::unordered_map<std::string, std::string>> codes_;
};

}  // namespace

std::vector<Vote> votes_of(const Study& study) {
  std::vector<Vote> votes;
  const std::vector<std::string> names = names_of(study.participants);
  for (std::size_t i = 0; i < study.participants.size(); ++i) {
    for (const Answer& answer : study.participants[i].answers) {
      if (answer.given()) add_votes(study.queries[answer.query], answer, names[i], votes);
    }
  }
  return votes;
}

std::string votes_csv(const Study& study) {
  std::string out = csv_line({"participant", "query", "candidate", "rank"});
  for (const Vote& vote : votes_of(study)) {
    out += csv_line({vote.participant, vote.query, vote.candidate,
                     vote.candidate.empty() ? std::string() : fmt::format("{}", vote.rank)});
  }
  return out;
}

Result<std::vector<Vote>> read_votes(std::string_view csv) {
  auto records = parse_csv(csv);
  if (!records) return fail(std::move(records.error()));
  if (records->empty()) return fail("votes-columns", "the table is empty");
  if (records->size() > kMostVotes) return fail("votes-many", fmt::format("more than {} votes", kMostVotes));
  auto columns = columns_of(records->front().cells);
  if (!columns) return fail(std::move(columns.error()));
  std::vector<Vote> votes;
  for (std::size_t i = 1; i < records->size(); ++i) {
    auto vote = vote_in((*records)[i], *columns);
    if (!vote) return fail(std::move(vote.error()));
    votes.push_back(std::move(*vote));
  }
  return votes;
}

Result<std::vector<Participant>> voters_of(const std::vector<Vote>& votes, const Study& study) {
  const Index index(study);
  std::vector<Participant> voters;
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::map<std::size_t, std::vector<std::pair<double, std::string>>>> ranked;
  for (const Vote& vote : votes) {
    const auto [place, fresh] = places.try_emplace(vote.participant, voters.size());
    if (fresh) {
      Participant voter;
      voter.number = static_cast<std::int64_t>(voters.size()) + 1;
      voter.label = vote.participant;
      voter.origin = "import";
      voters.push_back(std::move(voter));
      ranked.emplace_back();
    }
    auto query = index.query(vote.query);
    if (!query) return fail(std::move(query.error()));
    auto& list = ranked[place->second][*query];
    if (vote.candidate.empty()) continue;
    auto code = index.code(*query, vote.candidate);
    if (!code) return fail(std::move(code.error()));
    const bool twice = std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.second == *code; });
    if (twice) {
      return fail("votes-twice",
                  fmt::format("'{}' ranked '{}' twice for '{}'", vote.participant, vote.candidate, vote.query));
    }
    list.emplace_back(vote.rank, std::move(*code));
  }
  for (std::size_t i = 0; i < voters.size(); ++i) {
    for (auto& [query, list] : ranked[i]) {
      Answer answer;
      answer.query = query;
      answer.version = 1;
      answer.done = true;
      answer.ranking = ranking_of(std::move(list));
      if (auto fine = check(answer.ranking, study.queries[query], study.settings.ties); !fine) {
        fine.error().message = fmt::format("votes of '{}': {}", voters[i].label, fine.error().message);
        return fail(std::move(fine.error()));
      }
      voters[i].answers.push_back(std::move(answer));
    }
  }
  return voters;
}

Result<Study> study_of(const std::vector<Vote>& votes) {
  Study study;
  study.settings.name = "votes";
  study.settings.ties = true;
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::unordered_set<std::string>> known;
  for (const Vote& vote : votes) {
    const auto [place, fresh] = places.try_emplace(vote.query, study.queries.size());
    if (fresh) {
      Query query;
      query.label = vote.query;
      query.melody.id = vote.query;
      study.queries.push_back(std::move(query));
      known.emplace_back();
    }
    if (vote.candidate.empty() || !known[place->second].insert(vote.candidate).second) continue;
    Candidate candidate;
    candidate.code = vote.candidate;
    candidate.melody.id = vote.candidate;
    candidate.planted = vote.candidate == vote.query;
    study.queries[place->second].candidates.push_back(std::move(candidate));
  }
  auto voters = voters_of(votes, study);
  if (!voters) return fail(std::move(voters.error()));
  study.participants = std::move(*voters);
  return study;
}

}  // namespace rondo::study
