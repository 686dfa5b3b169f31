#include "study/picks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "study/rows.h"

namespace rondo::study {
namespace {

constexpr std::array<std::string_view, 3> kPickWords = {"undecided", "keep", "drop"};

constexpr std::string_view kPickColumns = "candidate_set, query, id, pick, at";

}  // namespace

std::string_view to_string(Pick pick) { return kPickWords[static_cast<std::size_t>(pick)]; }

std::optional<Pick> pick_of(std::string_view word) {
  const auto* const at = std::find(kPickWords.begin(), kPickWords.end(), word);
  if (at == kPickWords.end()) return std::nullopt;
  return static_cast<Pick>(at - kPickWords.begin());
}

bool can_be_picked(const CandidateSet& set, const rondo::Candidate& candidate) {
  return candidate.status == rondo::Candidate::Status::chosen && candidate.id != set.recipe.query;
}

Result<Picks> load_picks(Studies& studies, const CandidateSet& set) {
  Picks out;
  auto done = each_row(
      studies.database(),
      fmt::format("SELECT id, pick, checksum = row_checksum({}) FROM pick WHERE candidate_set = ?1 AND query = ?2",
                  kPickColumns)
          .c_str(),
      [&](const Statement& row) -> Result<void> {
        const auto pick = pick_of(row.bytes(1));
        if (row.integer(2) == 0 || !pick) {
          return fail("store-corrupt", fmt::format("the picks of the set '{}' do not fit their checksums", set.name));
        }
        out.emplace(row.bytes(0), *pick);
        return {};
      },
      set.name, set.recipe.query);
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<void> save_picks(Studies& studies, const CandidateSet& set, const std::vector<std::string>& ids, Pick pick) {
  for (const std::string& id : ids) {
    const auto at = std::find_if(set.candidates.begin(), set.candidates.end(),
                                 [&](const rondo::Candidate& one) { return one.id == id; });
    if (at == set.candidates.end()) {
      return fail("pick-candidate", fmt::format("'{}' is not a candidate of the set '{}'", id, set.name));
    }
    if (!can_be_picked(set, *at)) {
      const bool query = id == set.recipe.query;
      return fail("pick-candidate",
                  query ? fmt::format("'{}' is the query of the set '{}'", id, set.name)
                        : fmt::format("'{}' was {} when the set was made", id, to_string(at->status)),
                  {}, query ? "whether the query is shown among its candidates is an option of the study" : "");
    }
  }
  Database& database = studies.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  for (const std::string& id : ids) {
    auto done = database.run("DELETE FROM pick WHERE candidate_set = ?1 AND query = ?2 AND id = ?3", set.name,
                             set.recipe.query, id);
    if (done && pick != Pick::undecided) {
      done = database.run(
          "INSERT INTO pick (candidate_set, query, id, pick, at)"
          " VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
          set.name, set.recipe.query, id, to_string(pick));
    }
    if (!done) return done;
  }
  return transaction->commit();
}

PickCounts count_picks(const CandidateSet& set, const Picks& picks) {
  PickCounts out;
  for (const rondo::Candidate& one : set.candidates) {
    if (!can_be_picked(set, one)) continue;
    const auto at = picks.find(one.id);
    const Pick pick = at == picks.end() ? Pick::undecided : at->second;
    ++(pick == Pick::keep ? out.keep : pick == Pick::drop ? out.drop : out.undecided);
  }
  return out;
}

void apply_picks(CandidateSet& set, const Picks& picks) {
  const auto dropped = [&](const std::string& id) {
    const auto at = picks.find(id);
    return at != picks.end() && at->second == Pick::drop && id != set.recipe.query;
  };
  for (rondo::Candidate& one : set.candidates) {
    const bool folded = one.status == rondo::Candidate::Status::folded;
    if (dropped(folded ? one.folded_into : one.id)) {
      one.status = rondo::Candidate::Status::excluded;
      one.folded_into.clear();
      one.relation.clear();
    }
  }
}

}  // namespace rondo::study
