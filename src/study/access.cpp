#include "study/access.h"

#include "study/add.h"
#include "study/load.h"
#include "study/rows.h"
#include "study/secrets.h"

namespace rondo::study {
namespace {

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Failure unknown_code() {
  return fail("code-unknown", "unknown code", {}, "look at the invitation again; capitals and hyphens do not matter");
}

Result<void> check_joinable(State state, bool newcomer) {
  if (state == State::draft) return fail("study-not-open", "this study has not begun yet");
  if (newcomer && state == State::closed) return fail("study-closed", "this study has ended");
  return {};
}

Result<void> mark_joined(Database& database, const Seat& seat) {
  const std::string now = utc_now();
  return database.run(
      "UPDATE participant SET joined = CASE joined WHEN '' THEN ?2 ELSE joined END, last_seen = ?2 WHERE key = ?1",
      seat.participant, now);
}

}  // namespace

Result<std::string> Access::make_token(std::string_view who) {
  std::string token = random_letters(256);
  auto hash = hash_password(token);
  if (!hash) return hash;
  Database& database = studies_.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  const std::string now = utc_now();
  auto done = database.run("INSERT OR REPLACE INTO researcher (key, hash, made) VALUES (1, ?1, ?2)", *hash, now);
  if (done) done = database.run("DELETE FROM session WHERE participant IS NULL");
  if (done) done = studies_.note(who, "", "token");
  if (done) done = transaction->commit();
  if (!done) return fail(std::move(done.error()));
  return token;
}

Result<std::string> Access::token_hash() { return studies_.database().text("SELECT hash FROM researcher"); }

Result<SessionSecret> Access::begin(std::int64_t participant, std::int64_t seconds) {
  SessionSecret secret{random_letters(256), random_letters(130)};
  Database& database = studies_.database();
  const std::int64_t now = seconds_now();
  const std::string hash = fingerprint(secret.token, studies_.secret());
  auto done = database.run("DELETE FROM session WHERE expires < ?1", now);
  if (done) {
    done = database.run("INSERT INTO session (hash, participant, csrf, expires) VALUES (?1, ?2, ?3, ?4)", Blob{hash},
                        KeyOrNull{participant}, secret.csrf, now + seconds);
  }
  if (!done) return fail(std::move(done.error()));
  return secret;
}

Result<SessionSecret> Access::begin_researcher() {
  auto secret = begin(0, kResearcherSeconds);
  if (secret) {
    if (auto done = studies_.note("researcher", "", "login"); !done) return fail(std::move(done.error()));
  }
  return secret;
}

Result<SessionSecret> Access::begin_participant(const Seat& seat) {
  auto transaction = Transaction::begin(studies_.database(), Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto secret = begin(seat.participant, kParticipantSeconds);
  if (!secret) return secret;
  auto done = mark_joined(studies_.database(), seat);
  if (done) done = transaction->commit();
  if (!done) return fail(std::move(done.error()));
  return secret;
}

Result<std::optional<Visitor>> Access::find(std::string_view token) {
  const std::string hash = fingerprint(token, studies_.secret());
  std::optional<Visitor> visitor;
  auto done = each_row(
      studies_.database(),
      "SELECT s.csrf, s.participant, p.study, p.number, t.name FROM session s"
      " LEFT JOIN participant p ON p.key = s.participant LEFT JOIN study t ON t.key = p.study"
      " WHERE s.hash = ?1 AND s.expires >= ?2",
      [&](const Statement& row) -> Result<void> {
        visitor = Visitor{text_at(row, 0), std::nullopt};
        if (!row.is_null(1)) visitor->seat = Seat{row.integer(1), row.integer(2), row.integer(3), text_at(row, 4)};
        return {};
      },
      Blob{hash}, seconds_now());
  if (!done) return fail(std::move(done.error()));
  return visitor;
}

Result<void> Access::end(std::string_view token) {
  const std::string hash = fingerprint(token, studies_.secret());
  return studies_.database().run("DELETE FROM session WHERE hash = ?1", Blob{hash});
}

Result<Seat> Access::join(std::string_view study, std::string_view code) {
  const std::string hash = fingerprint(plain_code(code), studies_.secret());
  Seat seat;
  State state = State::draft;
  auto found = one_row(
      studies_.database(),
      "SELECT p.key, p.study, p.number, t.name, t.state FROM participant p JOIN study t ON t.key = p.study"
      " WHERE p.code_hash = ?1 AND t.name = ?2",
      [&](const Statement& row) -> Result<void> {
        seat = {row.integer(0), row.integer(1), row.integer(2), text_at(row, 3)};
        state = study::state_of(row.bytes(4)).value_or(State::draft);
        return {};
      },
      Blob{hash}, study);
  if (!found) return fail(std::move(found.error()));
  if (!*found) return unknown_code();
  if (auto fine = check_joinable(state, false); !fine) return fail(std::move(fine.error()));
  return seat;
}

Result<Access::NewSeat> Access::join_by_link(std::string_view study, std::string_view link) {
  constexpr std::string_view kPrefix = "open-";
  if (link.starts_with(kPrefix)) link.remove_prefix(kPrefix.size());
  const std::string hash = fingerprint(plain_code(link), studies_.secret());
  Database& database = studies_.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  NewSeat out;
  State state = State::draft;
  auto found = one_row(
      database, "SELECT key, name, state FROM study WHERE open_link = ?1 AND name = ?2",
      [&](const Statement& row) -> Result<void> {
        out.seat.study = row.integer(0);
        out.seat.name = text_at(row, 1);
        state = study::state_of(row.bytes(2)).value_or(State::draft);
        return {};
      },
      Blob{hash}, study);
  if (!found) return fail(std::move(found.error()));
  if (!*found) return unknown_code();
  if (auto fine = check_joinable(state, true); !fine) return fail(std::move(fine.error()));
  out.code = new_code();
  auto added =
      add_participant(database, out.seat.study, "", "open link", fingerprint(plain_code(out.code), studies_.secret()));
  if (!added) return fail(std::move(added.error()));
  out.seat.participant = added->key;
  out.seat.number = added->number;
  if (auto done = transaction->commit(); !done) return fail(std::move(done.error()));
  return out;
}

}  // namespace rondo::study
