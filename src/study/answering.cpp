#include "study/answering.h"

#include <fmt/format.h>

#include "study/add.h"
#include "study/json.h"
#include "study/load.h"
#include "study/order.h"
#include "study/rows.h"

namespace rondo::study {
namespace {

constexpr std::size_t kLongestSaveId = 100;

Result<void> check_open(const Settings& settings) {
  if (settings.state == State::open) return {};
  if (settings.state == State::draft) return fail("study-not-open", "this study has not begun yet");
  return fail("study-closed", "this study has ended; answers are no longer accepted");
}

Result<void> check_consent(bool consented) {
  if (consented) return {};
  return fail("consent-missing", "the participant has not agreed to take part yet");
}

struct Person {
  bool consented = false;
  std::optional<Background> background;
};

Result<Person> person_of(Database& database, const Seat& seat) {
  Person out;
  auto found = one_row(
      database, "SELECT consented, background FROM participant WHERE key = ?1",
      [&](const Statement& row) -> Result<void> {
        out.consented = !row.bytes(0).empty();
        auto background = stored_background(row.bytes(1));
        if (!background) return fail(std::move(background.error()));
        out.background = std::move(*background);
        return {};
      },
      seat.participant);
  if (!found) return fail(std::move(found.error()));
  return out;
}

Result<void> mark_seen(Database& database, const Seat& seat, const std::string& now) {
  auto done = database.run("UPDATE participant SET last_seen = ?2 WHERE key = ?1", seat.participant, now);
  return done ? touch(database, seat.study) : done;
}

/// Messages of the store are about collections and imports, which participants do not know.
Error reword_for_participant(Error error) {
  if (error.code != "disk-full") return error;
  error.message = "the server has no room left on its disk, so this change could not be saved";
  error.hint = "everything that was saved before is safe; tell the researcher, and try again later";
  return error;
}

Result<Voice> voice_of(const MelodyCopy& melody) {
  auto piece = piece_of(melody);
  if (!piece) return fail("study-melody", "a melody of this study cannot be read");  // participants must not see its id
  Voice voice = std::move(piece->voices.front());
  voice.name.clear();
  return voice;
}

/// The codes alone, to check a ranking against.
Result<Query> codes_of(Database& database, std::int64_t query) {
  Query out;
  auto done = each_row(
      database, "SELECT code FROM candidate WHERE query = ?1",
      [&](const Statement& row) -> Result<void> {
        out.candidates.push_back({text_at(row, 0), {}, false, {}});
        return {};
      },
      query);
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<void> check_save(const Answering::Save& save) {
  if (save.id.empty() || save.id.size() > kLongestSaveId) {
    return fail("save-malformed", fmt::format("a save needs a name of 1 to {} bytes", kLongestSaveId));
  }
  return {};
}

}  // namespace

Result<Answering::Overview> Answering::overview() {
  Database& database = studies_.database();
  auto row = study_row(database, seat_.name);
  if (!row) return fail(std::move(row.error()));
  auto person = person_of(database, seat_);
  if (!person) return fail(std::move(person.error()));
  Overview out;
  out.settings = std::move(row->settings);
  out.consented = person->consented;
  out.background = std::move(person->background);
  std::vector<Progress> queries;
  auto done = each_row(
      database,
      "SELECT (SELECT count(*) FROM candidate c WHERE c.query = q.key), a.ranking, a.done FROM query q"
      " LEFT JOIN answer a ON a.query = q.key AND a.participant = ?2 WHERE q.study = ?1 ORDER BY q.number",
      [&](const Statement& at) -> Result<void> {
        Progress progress{0, static_cast<std::size_t>(at.integer(0)), at.integer(2) != 0};
        if (!at.is_null(1)) {
          auto ranking = stored_ranking(at.bytes(1));
          if (!ranking) return fail(std::move(ranking.error()));
          progress.ranked = ranked_count(*ranking);
        }
        queries.push_back(progress);
        return {};
      },
      seat_.study, seat_.participant);
  if (!done) return fail(std::move(done.error()));
  for (const std::size_t index : query_order(out.settings.seed, seat_.number, queries.size())) {
    out.queries.push_back(queries[index]);
  }
  return out;
}

Result<void> Answering::consent() {
  Database& database = studies_.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto row = study_row(database, seat_.name);
  if (!row) return fail(std::move(row.error()));
  if (auto open = check_open(row->settings); !open) return open;
  const std::string now = utc_now();
  auto done = database.run(
      "UPDATE participant SET consented = CASE consented WHEN '' THEN ?2 ELSE consented END WHERE key = ?1",
      seat_.participant, now);
  if (done) done = mark_seen(database, seat_, now);
  if (done) done = transaction->commit();
  return done ? done : fail(reword_for_participant(std::move(done.error())));
}

Result<void> Answering::tell(const Background& background) {
  if (auto fine = check(background); !fine) return fine;
  Database& database = studies_.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto row = study_row(database, seat_.name);
  if (!row) return fail(std::move(row.error()));
  auto person = person_of(database, seat_);
  if (!person) return fail(std::move(person.error()));
  auto done = check_open(row->settings);
  if (done) done = check_consent(person->consented);
  if (!done) return done;
  const std::string text = json_text(background_json(background));
  done = database.run("UPDATE participant SET background = ?2 WHERE key = ?1", seat_.participant, text);
  if (done) done = mark_seen(database, seat_, utc_now());
  if (done) done = transaction->commit();
  return done ? done : fail(reword_for_participant(std::move(done.error())));
}

Result<Answering::Place> Answering::place_of(std::size_t number, std::uint64_t seed) {
  auto keys = query_keys(studies_.database(), seat_.study);
  if (!keys) return fail(std::move(keys.error()));
  if (number < 1 || number > keys->size()) {
    return fail("study-query-missing", fmt::format("this study has {} queries", keys->size()));
  }
  const std::size_t index = query_order(seed, seat_.number, keys->size())[number - 1];
  return Place{index, (*keys)[index]};
}

Result<Answer> Answering::answer_of(const Place& place) {
  Answer out;
  out.query = place.index;
  auto found = one_row(
      studies_.database(), "SELECT version, ranking, done, saved FROM answer WHERE participant = ?1 AND query = ?2",
      [&](const Statement& row) -> Result<void> {
        auto ranking = stored_ranking(row.bytes(1));
        if (!ranking) return fail(std::move(ranking.error()));
        out = {place.index, row.integer(0), std::move(*ranking), row.integer(2) != 0, text_at(row, 3)};
        return {};
      },
      seat_.participant, place.key);
  if (!found) return fail(std::move(found.error()));
  return out;
}

Result<std::optional<Answer>> Answering::saved_before(const Place& place, const std::string& save) {
  std::optional<Answer> out;
  auto done = each_row(
      studies_.database(),
      "SELECT version, ranking, done, at FROM move WHERE participant = ?1 AND query = ?2 AND save = ?3",
      [&](const Statement& row) -> Result<void> {
        auto ranking = stored_ranking(row.bytes(1));
        if (!ranking) return fail(std::move(ranking.error()));
        out = Answer{place.index, row.integer(0), std::move(*ranking), row.integer(2) != 0, text_at(row, 3)};
        return {};
      },
      seat_.participant, place.key, save);
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<Answering::Task> Answering::task(std::size_t number) {
  Database& database = studies_.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::read);
  if (!transaction) return fail(std::move(transaction.error()));
  auto row = study_row(database, seat_.name);
  if (!row) return fail(std::move(row.error()));
  auto person = person_of(database, seat_);
  if (!person) return fail(std::move(person.error()));
  if (auto fine = check_consent(person->consented); !fine) return fail(std::move(fine.error()));
  auto place = place_of(number, row->settings.seed);
  if (!place) return fail(std::move(place.error()));
  auto query = load_query(database, place->key);
  if (!query) return fail(std::move(query.error()));
  auto answer = answer_of(*place);
  if (!answer) return fail(std::move(answer.error()));
  Task task;
  task.ties = row->settings.ties;
  task.answer = std::move(*answer);
  auto voice = voice_of(query->melody);
  if (!voice) return fail(std::move(voice.error()));
  task.query = std::move(*voice);
  for (const std::size_t index :
       candidate_order(row->settings.seed, seat_.number, place->index, query->candidates.size())) {
    const Candidate& candidate = query->candidates[index];
    auto shown = voice_of(candidate.melody);
    if (!shown) return fail(std::move(shown.error()));
    task.candidates.push_back({candidate.code, std::move(*shown)});
  }
  return task;
}

Result<Answering::Outcome> Answering::save(std::size_t number, const Save& save) {
  if (auto fine = check_save(save); !fine) return fail(std::move(fine.error()));
  Database& database = studies_.database();
  const auto failed = [](Error error) { return fail(reword_for_participant(std::move(error))); };
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return failed(std::move(transaction.error()));
  auto row = study_row(database, seat_.name);
  if (!row) return failed(std::move(row.error()));
  auto place = place_of(number, row->settings.seed);
  if (!place) return failed(std::move(place.error()));
  // The response may have been lost: a repeated save gets the same response, whatever came after it.
  auto before = saved_before(*place, save.id);
  if (!before) return failed(std::move(before.error()));
  if (before->has_value()) return Outcome{false, std::move(**before)};
  auto person = person_of(database, seat_);
  if (!person) return failed(std::move(person.error()));
  auto fine = check_open(row->settings);
  if (fine) fine = check_consent(person->consented);
  if (!fine) return failed(std::move(fine.error()));
  auto known = codes_of(database, place->key);
  if (!known) return failed(std::move(known.error()));
  if (fine = check(save.ranking, *known, row->settings.ties); !fine) return failed(std::move(fine.error()));
  auto now = answer_of(*place);
  if (!now) return failed(std::move(now.error()));
  if (now->version != save.basis) return Outcome{true, std::move(*now)};
  const Move move{place->index, save.id, now->version + 1, save.ranking, save.done, utc_now()};
  auto done = write_move(database, seat_.participant, place->key, move);
  if (done) done = mark_seen(database, seat_, move.at);
  if (done) done = transaction->commit();
  if (!done) return failed(std::move(done.error()));
  return Outcome{false, {move.query, move.version, move.ranking, move.done, move.at}};
}

}  // namespace rondo::study
