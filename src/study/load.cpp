#include "study/load.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/json.h"
#include "study/checksum.h"
#include "study/json.h"
#include "study/rows.h"

namespace rondo::study {
namespace {

/// Studies of this name, or all for an empty name; no study has an empty name.
constexpr const char* kStudies =
    "SELECT key, name, title, instructions, consent, ties, plant_query, simulated, state, seed, created,"
    " open_link IS NOT NULL, changes FROM study WHERE ?1 = '' OR name = ?1 ORDER BY name";

StudyRow row_of(const Statement& row) {
  StudyRow out;
  out.key = row.integer(0);
  Settings& settings = out.settings;
  settings.name = text_at(row, 1);
  settings.title = text_at(row, 2);
  settings.instructions = text_at(row, 3);
  settings.consent = text_at(row, 4);
  settings.ties = row.integer(5) != 0;
  settings.plant_query = row.integer(6) != 0;
  settings.simulated = row.integer(7) != 0;
  settings.state = state_of(row.bytes(8)).value_or(State::draft);
  settings.seed = static_cast<std::uint64_t>(row.integer(9));
  settings.created = text_at(row, 10);
  out.open_link = row.integer(11) != 0;
  out.changes = row.integer(12);
  return out;
}

Failure damaged(std::string_view what) {
  return fail("store-corrupt", fmt::format("the file of the studies is damaged: {}", what));
}

Result<std::vector<Folded>> stored_folded(std::string_view text) {
  const Json json = json_or_null<Json>(text);
  if (!json.is_array()) return damaged("folded candidates");
  std::vector<Folded> out;
  for (const Json& one : json) {
    if (!one.is_object()) return damaged("folded candidates");
    out.push_back({one.value("id", std::string()), one.value("relation", std::string())});
  }
  return out;
}

using Places = std::unordered_map<std::int64_t, std::size_t>;  // key of a row: index in a list

Result<void> load_answers(Database& database, std::int64_t study, const Places& people, const Places& queries,
                          std::vector<Participant>& participants) {
  return each_row(
      database,
      "SELECT a.participant, a.query, a.version, a.ranking, a.done, a.saved FROM answer a"
      " JOIN participant p ON p.key = a.participant JOIN query q ON q.key = a.query WHERE p.study = ?1"
      " ORDER BY p.number, q.number",
      [&](const Statement& row) -> Result<void> {
        auto ranking = stored_ranking(row.bytes(3));
        if (!ranking) return fail(std::move(ranking.error()));
        participants[people.at(row.integer(0))].answers.push_back(
            {queries.at(row.integer(1)), row.integer(2), std::move(*ranking), row.integer(4) != 0, text_at(row, 5)});
        return {};
      },
      study);
}

Result<void> load_moves(Database& database, std::int64_t study, const Places& people, const Places& queries,
                        std::vector<Participant>& participants) {
  return each_row(
      database,
      "SELECT m.participant, m.query, m.save, m.version, m.ranking, m.done, m.at FROM move m"
      " JOIN participant p ON p.key = m.participant WHERE p.study = ?1 ORDER BY m.key",
      [&](const Statement& row) -> Result<void> {
        auto ranking = stored_ranking(row.bytes(4));
        if (!ranking) return fail(std::move(ranking.error()));
        participants[people.at(row.integer(0))].moves.push_back({queries.at(row.integer(1)), text_at(row, 2),
                                                                 row.integer(3), std::move(*ranking),
                                                                 row.integer(5) != 0, text_at(row, 6)});
        return {};
      },
      study);
}

Result<Places> load_participants(Database& database, std::int64_t study, std::vector<Participant>& participants) {
  Places people;
  auto done = each_row(
      database,
      "SELECT key, number, label, origin, joined, last_seen, consented, background, excluded FROM participant"
      " WHERE study = ?1 ORDER BY number",
      [&](const Statement& row) -> Result<void> {
        people.emplace(row.integer(0), participants.size());
        Participant one;
        one.number = row.integer(1);
        one.label = text_at(row, 2);
        one.origin = text_at(row, 3);
        one.joined = text_at(row, 4);
        one.last_seen = text_at(row, 5);
        one.consented = text_at(row, 6);
        auto background = stored_background(row.bytes(7));
        if (!background) return fail(std::move(background.error()));
        one.background = std::move(*background);
        one.excluded = text_at(row, 8);
        participants.push_back(std::move(one));
        return {};
      },
      study);
  if (!done) return fail(std::move(done.error()));
  return people;
}

}  // namespace

Result<Ranking> stored_ranking(std::string_view text) {
  auto ranking = ranking_from(json_or_null<Json>(text));
  if (!ranking) return damaged("a ranking");
  return ranking;
}

Result<std::optional<Background>> stored_background(std::string_view text) {
  if (text.empty()) return std::optional<Background>();
  auto background = background_from(json_or_null<Json>(text));
  if (!background) return damaged("a participant's background");
  return std::optional<Background>(std::move(*background));
}

Result<std::vector<StudyRow>> study_rows(Database& database) {
  std::vector<StudyRow> out;
  auto done = each_row(
      database, kStudies,
      [&](const Statement& row) -> Result<void> {
        out.push_back(row_of(row));
        return {};
      },
      std::string_view());
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<StudyRow> study_row(Database& database, std::string_view name) {
  StudyRow out;
  auto done = each_row(
      database, kStudies,
      [&](const Statement& row) -> Result<void> {
        out = row_of(row);
        return {};
      },
      name);
  if (!done) return fail(std::move(done.error()));
  if (out.key != 0 && !name.empty()) return out;
  return fail("study-missing", fmt::format("there is no study '{}'", name), {}, "'rondo study status' lists them");
}

Result<std::vector<std::int64_t>> query_keys(Database& database, std::int64_t study) {
  std::vector<std::int64_t> keys;
  auto done = each_row(
      database, "SELECT key FROM query WHERE study = ?1 ORDER BY number",
      [&](const Statement& row) -> Result<void> {
        keys.push_back(row.integer(0));
        return {};
      },
      study);
  if (!done) return fail(std::move(done.error()));
  return keys;
}

Result<Query> load_query(Database& database, std::int64_t key) {
  if (auto sound = verify_query(database, key); !sound) return fail(std::move(sound.error()));
  Query query;
  auto found = one_row(
      database, "SELECT label, candidate_set, id, melody FROM query WHERE key = ?1",
      [&](const Statement& row) -> Result<void> {
        query.label = text_at(row, 0);
        query.candidate_set = text_at(row, 1);
        query.melody = {text_at(row, 2), text_at(row, 3)};
        return {};
      },
      key);
  if (!found) return fail(std::move(found.error()));
  if (!*found) return damaged("a query is missing");
  auto done = each_row(
      database, "SELECT code, planted, id, melody, folded FROM candidate WHERE query = ?1 ORDER BY number",
      [&](const Statement& row) -> Result<void> {
        auto folded = stored_folded(row.bytes(4));
        if (!folded) return fail(std::move(folded.error()));
        query.candidates.push_back(
            {text_at(row, 0), {text_at(row, 2), text_at(row, 3)}, row.integer(1) != 0, std::move(*folded)});
        return {};
      },
      key);
  if (!done) return fail(std::move(done.error()));
  return query;
}

Result<Study> load_study(Database& database, std::string_view name, bool with_moves) {
  // A consistent state, even if somebody votes meanwhile.
  auto transaction = Transaction::begin(database, Transaction::Kind::read);
  if (!transaction) return fail(std::move(transaction.error()));
  auto row = study_row(database, name);
  if (!row) return fail(std::move(row.error()));
  if (auto sound = verify_study(database, row->key); !sound) return fail(std::move(sound.error()));
  Study study;
  study.settings = std::move(row->settings);
  auto keys = query_keys(database, row->key);
  if (!keys) return fail(std::move(keys.error()));
  Places queries;
  for (const std::int64_t key : *keys) {
    queries.emplace(key, study.queries.size());
    auto query = load_query(database, key);
    if (!query) return fail(std::move(query.error()));
    study.queries.push_back(std::move(*query));
  }
  auto withdrawn = one_row(
      database, "SELECT withdrawn FROM study WHERE key = ?1",
      [&](const Statement& found) -> Result<void> {
        study.withdrawn = static_cast<std::size_t>(found.integer(0));
        return {};
      },
      row->key);
  if (!withdrawn) return fail(std::move(withdrawn.error()));
  auto people = load_participants(database, row->key, study.participants);
  if (!people) return fail(std::move(people.error()));
  auto done = load_answers(database, row->key, *people, queries, study.participants);
  if (done && with_moves) done = load_moves(database, row->key, *people, queries, study.participants);
  if (!done) return fail(std::move(done.error()));
  return study;
}

}  // namespace rondo::study
