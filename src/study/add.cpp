#include "study/add.h"

#include <fmt/format.h>

#include "study/json.h"
#include "study/load.h"
#include "study/rows.h"

namespace rondo::study {
namespace {

std::int64_t last_key(Database& database) { return sqlite3_last_insert_rowid(database.handle()); }

Result<void> add_candidate(Database& database, std::int64_t query, std::int64_t number, const Candidate& candidate) {
  const std::string folded = json_text(folded_json(candidate.folded));
  return database.run(
      "INSERT INTO candidate (query, number, code, planted, id, melody, folded) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      query, number, candidate.code, flag(candidate.planted), candidate.melody.id, candidate.melody.json, folded);
}

Result<std::vector<std::int64_t>> add_queries(Database& database, std::int64_t study,
                                              const std::vector<Query>& queries) {
  std::vector<std::int64_t> keys;
  for (const Query& query : queries) {
    const auto number = static_cast<std::int64_t>(keys.size()) + 1;
    auto done = database.run(
        "INSERT INTO query (study, number, label, candidate_set, id, melody) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", study,
        number, query.label, query.candidate_set, query.melody.id, query.melody.json);
    keys.push_back(last_key(database));
    std::int64_t position = 0;
    for (const Candidate& candidate : query.candidates) {
      if (done) done = add_candidate(database, keys.back(), ++position, candidate);
    }
    if (!done) return fail(std::move(done.error()));
  }
  return keys;
}

Result<void> write_answer(Database& database, std::int64_t participant, std::int64_t query, const Answer& answer) {
  const std::string ranking = json_text(ranking_json(answer.ranking));
  return database.run(
      "INSERT INTO answer (participant, query, version, ranking, done, saved) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
      " ON CONFLICT (participant, query) DO UPDATE SET version = excluded.version, ranking = excluded.ranking,"
      " done = excluded.done, saved = excluded.saved",
      participant, query, answer.version, ranking, flag(answer.done), answer.saved);
}

Result<void> write_record(Database& database, std::int64_t participant, std::int64_t query, const Move& move) {
  const std::string ranking = json_text(ranking_json(move.ranking));
  return database.run(
      "INSERT INTO move (participant, query, save, version, ranking, done, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      participant, query, move.save, move.version, ranking, flag(move.done), move.at);
}

Result<void> add_whole_participant(Database& database, std::int64_t study, const Participant& one,
                                   const std::vector<std::int64_t>& queries) {
  const std::string background = one.background ? json_text(background_json(one.background)) : std::string();
  auto done = database.run(
      "INSERT INTO participant (study, number, label, origin, joined, last_seen, consented, background, excluded)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      study, one.number, one.label, one.origin, one.joined, one.last_seen, one.consented, background, one.excluded);
  const std::int64_t key = last_key(database);
  for (const Answer& answer : one.answers) {
    if (done) done = write_answer(database, key, queries.at(answer.query), answer);
  }
  for (const Move& move : one.moves) {
    if (done) done = write_record(database, key, queries.at(move.query), move);
  }
  return done;
}

/// The key of the participant of imported votes; creates one if necessary.
Result<std::int64_t> voter_key(Database& database, std::int64_t study, const std::string& label) {
  std::int64_t key = 0;
  std::string origin;
  auto found = one_row(
      database, "SELECT key, origin FROM participant WHERE study = ?1 AND label = ?2 ORDER BY number LIMIT 1",
      [&](const Statement& row) -> Result<void> {
        key = row.integer(0);
        origin = text_at(row, 1);
        return {};
      },
      study, label);
  if (!found) return fail(std::move(found.error()));
  if (*found && origin != "import") {
    return fail("votes-participant", fmt::format("'{}' is a participant of this study already", label), {},
                "give those who voted elsewhere other names");
  }
  if (*found) return key;
  auto added = add_participant(database, study, label, "import", {});
  if (!added) return fail(std::move(added.error()));
  return added->key;
}

Result<void> add_voter(Database& database, std::int64_t study, const Participant& voter,
                       const std::vector<std::int64_t>& queries) {
  auto key = voter_key(database, study, voter.label);
  if (!key) return fail(std::move(key.error()));
  for (const Answer& answer : voter.answers) {
    const std::int64_t query = queries.at(answer.query);
    std::int64_t version = 0;
    auto before = one_row(
        database, "SELECT version FROM answer WHERE participant = ?1 AND query = ?2",
        [&](const Statement& row) -> Result<void> {
          version = row.integer(0);
          return {};
        },
        *key, query);
    if (!before) return fail(std::move(before.error()));
    const Move move{answer.query, fmt::format("import-{}", version + 1), version + 1, answer.ranking, answer.done,
                    utc_now()};
    if (auto done = write_move(database, *key, query, move); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> touch(Database& database, std::int64_t study) {
  return database.run("UPDATE study SET changes = changes + 1 WHERE key = ?1", study);
}

Result<void> write_move(Database& database, std::int64_t participant, std::int64_t query, const Move& move) {
  auto done = write_record(database, participant, query, move);
  if (done) {
    done = write_answer(database, participant, query, {move.query, move.version, move.ranking, move.done, move.at});
  }
  return done;
}

Result<NewParticipant> add_participant(Database& database, std::int64_t study, std::string_view label,
                                       std::string_view origin, const std::string& code_fingerprint) {
  if (auto fine = check_line("label", label); !fine) return fail(std::move(fine.error()));
  NewParticipant out;
  auto last = one_row(
      database, "SELECT coalesce(max(number), 0) FROM participant WHERE study = ?1",
      [&](const Statement& row) -> Result<void> {
        out.number = row.integer(0) + 1;
        return {};
      },
      study);
  if (!last) return fail(std::move(last.error()));
  if (out.number > static_cast<std::int64_t>(kMostParticipants)) {
    return fail("study-full", fmt::format("a study has {} participants at most", kMostParticipants));
  }
  auto done = code_fingerprint.empty()
                  ? database.run("INSERT INTO participant (study, number, label, origin) VALUES (?1, ?2, ?3, ?4)",
                                 study, out.number, label, origin)
                  : database.run(
                        "INSERT INTO participant (study, number, label, origin, code_hash)"
                        " VALUES (?1, ?2, ?3, ?4, ?5)",
                        study, out.number, label, origin, Blob{code_fingerprint});
  out.key = last_key(database);
  if (done) done = touch(database, study);
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<void> add_study(Database& database, const Study& study) {
  const Settings& settings = study.settings;
  if (auto fine = check(settings); !fine) return fine;
  auto known = one_row(
      database, "SELECT 1 FROM study WHERE name = ?1", [](const Statement&) -> Result<void> { return {}; },
      settings.name);
  if (!known) return fail(std::move(known.error()));
  if (*known) {
    return fail("study-exists", fmt::format("there is a study '{}' already", settings.name), {}, "choose another name");
  }
  auto done = database.run(
      "INSERT INTO study (name, title, instructions, consent, ties, plant_query, simulated, state, seed, created)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      settings.name, settings.title, settings.instructions, settings.consent, flag(settings.ties),
      flag(settings.plant_query), flag(settings.simulated), to_string(settings.state),
      static_cast<std::int64_t>(settings.seed), settings.created.empty() ? utc_now() : settings.created);
  if (!done) return done;
  const std::int64_t key = last_key(database);
  auto queries = add_queries(database, key, study.queries);
  if (!queries) return fail(std::move(queries.error()));
  for (const Participant& participant : study.participants) {
    done = add_whole_participant(database, key, participant, *queries);
    if (!done) return done;
  }
  return database.run("UPDATE study SET withdrawn = ?2 WHERE key = ?1", key,
                      static_cast<std::int64_t>(study.withdrawn));
}

Result<void> add_votes(Database& database, std::string_view name, const std::vector<Participant>& voters) {
  auto row = study_row(database, name);
  if (!row) return fail(std::move(row.error()));
  auto queries = query_keys(database, row->key);
  if (!queries) return fail(std::move(queries.error()));
  for (const Participant& voter : voters) {
    if (auto done = add_voter(database, row->key, voter, *queries); !done) return done;
  }
  return touch(database, row->key);
}

}  // namespace rondo::study
