#include "study/studies.h"

#include <fmt/format.h>

#include "base/collection_files.h"
#include "study/add.h"
#include "study/checksum.h"
#include "study/load.h"
#include "study/rows.h"
#include "study/schema.h"
#include "study/secrets.h"

namespace rondo::study {

struct Studies::Inner {
  std::filesystem::path path;
  Database database;
  std::string secret;
};

std::string code_path(std::string_view study, std::string_view code) {
  return fmt::format("/study/{}#{}", study, code);
}

std::string link_path(std::string_view study, std::string_view link) {
  return fmt::format("/study/{}#open-{}", study, link);
}

namespace {

namespace fs = std::filesystem;

// synchronous = FULL: what was acknowledged survives even a power failure. secure_delete: ended sessions are erased.
constexpr const char* kEveryConnection =
    "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF";

/// The file's secret key, created at first use.
Result<std::string> secret_of(Database& database) {
  auto known = database.text("SELECT bytes FROM secret");
  if (!known || !known->empty()) return known;
  const std::string fresh = random_bytes(32);
  if (auto done = database.run("INSERT OR IGNORE INTO secret (key, bytes) VALUES (1, ?1)", Blob{fresh}); !done) {
    return fail(std::move(done.error()));
  }
  return database.text("SELECT bytes FROM secret");
}

Result<std::int64_t> count_of(Database& database, const char* sql, std::int64_t study) {
  std::int64_t count = 0;
  auto done = one_row(
      database, sql,
      [&](const Statement& row) -> Result<void> {
        count = row.integer(0);
        return {};
      },
      study);
  if (!done) return fail(std::move(done.error()));
  return count;
}

Result<Summary> summarised(Database& database, StudyRow row) {
  Summary summary;
  summary.settings = std::move(row.settings);
  summary.open_link = row.open_link;
  const auto queries = count_of(database, "SELECT count(*) FROM query WHERE study = ?1", row.key);
  const auto participants = count_of(database, "SELECT count(*) FROM participant WHERE study = ?1", row.key);
  const auto finished = count_of(database,
                                 "SELECT count(*) FROM participant p WHERE p.study = ?1 AND"
                                 " (SELECT count(*) FROM answer a WHERE a.participant = p.key AND a.done = 1) ="
                                 " (SELECT count(*) FROM query q WHERE q.study = ?1)",
                                 row.key);
  const auto votes = count_of(database,
                              "SELECT count(*) FROM answer a JOIN participant p ON p.key = a.participant"
                              " WHERE p.study = ?1 AND (a.done = 1 OR a.ranking <> '[]')",
                              row.key);
  const auto excluded =
      count_of(database, "SELECT count(*) FROM participant WHERE study = ?1 AND excluded <> ''", row.key);
  const auto withdrawn = count_of(database, "SELECT withdrawn FROM study WHERE key = ?1", row.key);
  for (const auto* count : {&queries, &participants, &finished, &votes, &excluded, &withdrawn}) {
    if (!*count) return fail(count->error());
  }
  summary.queries = static_cast<std::size_t>(*queries);
  summary.participants = static_cast<std::size_t>(*participants);
  summary.finished = static_cast<std::size_t>(*finished);
  summary.votes = static_cast<std::size_t>(*votes);
  summary.excluded = static_cast<std::size_t>(*excluded);
  summary.withdrawn = static_cast<std::size_t>(*withdrawn);
  return summary;
}

/// A study that is about to be changed, and the transaction of the change.
struct Writing {
  Transaction transaction;
  StudyRow row;
};

Result<Writing> write_to(Database& database, std::string_view name) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto row = study_row(database, name);
  if (!row) return fail(std::move(row.error()));
  return Writing{std::move(*transaction), std::move(*row)};
}

/// Error `study-participant`.
Result<std::int64_t> participant_key(Database& database, const StudyRow& study, std::int64_t number) {
  std::int64_t key = 0;
  auto found = one_row(
      database, "SELECT key FROM participant WHERE study = ?1 AND number = ?2",
      [&](const Statement& row) -> Result<void> {
        key = row.integer(0);
        return {};
      },
      study.key, number);
  if (!found) return fail(std::move(found.error()));
  if (*found) return key;
  return fail("study-participant", fmt::format("there is no participant {} in {}", number, study.settings.name), {},
              "'rondo study status NAME' lists them");
}

/// Error `study-state`: a study never returns to a draft; a closed one may be opened again.
Result<void> apply(Settings& settings, const Changes& changes) {
  if (changes.title) settings.title = *changes.title;
  if (changes.instructions) settings.instructions = *changes.instructions;
  if (changes.consent) settings.consent = *changes.consent;
  if (changes.ties && *changes.ties != settings.ties) {
    if (settings.state != State::draft) {
      return fail("study-ties",
                  "whether candidates may share a rank cannot be changed after the study has been opened");
    }
    settings.ties = *changes.ties;
  }
  if (changes.state) {
    const bool back = *changes.state == State::draft && settings.state != State::draft;
    const bool early = *changes.state == State::closed && settings.state == State::draft;
    if (back || early) {
      return fail("study-state", fmt::format("a study that is {} cannot become {}", to_string(settings.state),
                                             to_string(*changes.state)));
    }
    settings.state = *changes.state;
  }
  return check(settings);
}

std::string told(const Changes& changes) {
  std::string out;
  const auto add = [&](bool there, std::string_view what) {
    if (there) out += fmt::format("{}{}", out.empty() ? "" : ", ", what);
  };
  add(changes.title.has_value(), "title");
  add(changes.instructions.has_value(), "instructions");
  add(changes.consent.has_value(), "consent");
  add(changes.ties.has_value(), "ties");
  if (changes.state) add(true, fmt::format("state {}", to_string(*changes.state)));
  return out;
}

}  // namespace

Studies::Studies(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
Studies::~Studies() = default;
Studies::Studies(Studies&&) noexcept = default;
Studies& Studies::operator=(Studies&&) noexcept = default;

const fs::path& Studies::path() const { return inner_->path; }
Database& Studies::database() { return inner_->database; }
const std::string& Studies::secret() const { return inner_->secret; }

fs::path Studies::path_for(const fs::path& collection) { return companion_of(collection, Companion::studies); }

Result<Studies> Studies::open(const fs::path& collection, OpenMode mode) {
  if (is_server_address(collection.native())) {
    return fail("studies-server", "studies lie beside the file of a collection, not on a PostgreSQL server", {},
                "make a file of it: rondo backup postgresql://... music.db");
  }
  const fs::path path = path_for(collection);
  const auto placed = [&](Error error) {
    if (error.place.file.empty()) error.place.file = path.string();
    return fail(std::move(error));
  };
  std::error_code problem;
  if (mode != OpenMode::create && !fs::exists(path, problem)) {
    return placed(Error{"studies-missing", "this collection has no studies yet", {}, "make one: rondo study create"});
  }
  const fs::path whole = fs::absolute(path, problem);
  auto database =
      Database::open(whole.string(), SQLITE_OPEN_READWRITE | (mode == OpenMode::create ? SQLITE_OPEN_CREATE : 0));
  if (!database) return placed(std::move(database.error()));
  wait_while_busy(*database);
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  auto done = database->execute(kEveryConnection);
  if (done) done = register_checksum(*database);
  // Migrated only after the check of the application id, so that another program's file is not changed.
  if (done) done = study::migrate(*database);
  if (done) done = keep_log(*database);
  if (!done) return placed(std::move(done.error()));
  auto secret = secret_of(*database);
  if (!secret) return placed(std::move(secret.error()));
  // Names, votes and the fingerprints of codes are private.
  fs::permissions(whole, fs::perms::owner_read | fs::perms::owner_write, problem);
  return Studies(std::make_unique<Inner>(Inner{path, std::move(*database), std::move(*secret)}));
}

Result<std::vector<Summary>> Studies::list() {
  auto rows = study_rows(database());
  if (!rows) return fail(std::move(rows.error()));
  std::vector<Summary> out;
  for (StudyRow& row : *rows) {
    auto summary = summarised(database(), std::move(row));
    if (!summary) return fail(std::move(summary.error()));
    out.push_back(std::move(*summary));
  }
  return out;
}

Result<Summary> Studies::summary(std::string_view name) {
  auto row = study_row(database(), name);
  if (!row) return fail(std::move(row.error()));
  return summarised(database(), std::move(*row));
}

Result<Study> Studies::load(std::string_view name, bool with_moves) { return load_study(database(), name, with_moves); }

Result<void> Studies::add(const Study& study, std::string_view who) {
  auto transaction = Transaction::begin(database(), Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto done = add_study(database(), study);
  if (done) {
    done = note(who, study.settings.name, "create",
                fmt::format("{} queries, {} participants", study.queries.size(), study.participants.size()));
  }
  return done ? transaction->commit() : done;
}

Result<void> Studies::import_votes(std::string_view name, const std::vector<Participant>& voters,
                                   std::string_view who) {
  auto transaction = Transaction::begin(database(), Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto done = add_votes(database(), name, voters);
  if (done) done = note(who, name, "import votes", fmt::format("{} participants", voters.size()));
  return done ? transaction->commit() : done;
}

Result<void> Studies::change(std::string_view name, const Changes& changes, std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  Settings& settings = writing->row.settings;
  auto done = apply(settings, changes);
  if (done) {
    done = database().run(
        "UPDATE study SET title = ?2, instructions = ?3, consent = ?4, ties = ?5, state = ?6, changes = changes + 1"
        " WHERE key = ?1",
        writing->row.key, settings.title, settings.instructions, settings.consent, flag(settings.ties),
        to_string(settings.state));
  }
  if (done) done = note(who, name, "change", told(changes));
  return done ? writing->transaction.commit() : done;
}

Result<void> Studies::remove(std::string_view name, std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  auto done = database().run("DELETE FROM study WHERE key = ?1", writing->row.key);
  if (done) done = note(who, name, "remove");
  return done ? writing->transaction.commit() : done;
}

Result<std::vector<Invitation>> Studies::invite(std::string_view name, const std::vector<std::string>& labels,
                                                std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  std::vector<Invitation> out;
  for (const std::string& label : labels) {
    Invitation invitation{0, label, new_code()};
    auto key = add_participant(database(), writing->row.key, label, "invited",
                               fingerprint(plain_code(invitation.code), secret()));
    if (!key) return fail(std::move(key.error()));
    invitation.number = key->number;
    out.push_back(std::move(invitation));
  }
  auto done = note(who, name, "invite", fmt::format("{} participants", labels.size()));
  if (done) done = writing->transaction.commit();
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<void> Studies::leave_out(std::string_view name, std::int64_t number, const std::string& reason,
                                std::string_view who) {
  if (auto fine = check_line("reason", reason); !fine) return fine;
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  auto key = participant_key(database(), writing->row, number);
  if (!key) return fail(std::move(key.error()));
  auto done = database().run("UPDATE participant SET excluded = ?2 WHERE key = ?1", *key, reason);
  if (done) done = database().run("UPDATE study SET changes = changes + 1 WHERE key = ?1", writing->row.key);
  if (done) {
    done = note(who, name, reason.empty() ? "count again" : "leave out", fmt::format("participant {}", number));
  }
  return done ? writing->transaction.commit() : done;
}

Result<Withdrawal> Studies::withdraw(std::string_view name, std::int64_t number, std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  auto key = participant_key(database(), writing->row, number);
  if (!key) return fail(std::move(key.error()));
  const auto answers = count_of(database(), "SELECT count(*) FROM answer WHERE participant = ?1", *key);
  if (!answers) return fail(answers.error());
  const auto moves = count_of(database(), "SELECT count(*) FROM move WHERE participant = ?1", *key);
  if (!moves) return fail(moves.error());
  // Foreign keys cascade: all other rows of the participant are deleted too.
  auto done = database().run("DELETE FROM participant WHERE key = ?1", *key);
  if (done) {
    done = database().run("UPDATE audit SET detail = 'a participant who withdrew' WHERE study = ?1 AND detail = ?2",
                          name, fmt::format("participant {}", number));
  }
  if (done) {
    done = database().run("UPDATE study SET changes = changes + 1, withdrawn = withdrawn + 1 WHERE key = ?1",
                          writing->row.key);
  }
  if (done) done = note(who, name, "withdraw", "a participant who withdrew");
  if (done) done = writing->transaction.commit();
  if (!done) return fail(std::move(done.error()));
  return Withdrawal{std::string(name), utc_now(), static_cast<std::size_t>(*answers), static_cast<std::size_t>(*moves)};
}

Result<std::vector<Invitation>> Studies::renew(std::string_view name, const std::vector<std::int64_t>& numbers,
                                               std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  std::vector<Invitation> out;
  for (const std::int64_t number : numbers) {
    Invitation invitation{number, {}, new_code()};
    std::int64_t key = 0;
    auto found = one_row(
        database(), "SELECT key, label FROM participant WHERE study = ?1 AND number = ?2",
        [&](const Statement& participant) -> Result<void> {
          key = participant.integer(0);
          invitation.label = text_at(participant, 1);
          return {};
        },
        writing->row.key, number);
    if (!found) return fail(std::move(found.error()));
    if (!*found) {
      return fail("study-participant", fmt::format("there is no participant {} in {}", number, name), {},
                  "'rondo study status NAME' lists them");
    }
    auto done = database().run("UPDATE participant SET code_hash = ?2 WHERE key = ?1", key,
                               Blob{fingerprint(plain_code(invitation.code), secret())});
    if (done) done = database().run("DELETE FROM session WHERE participant = ?1", key);
    if (done) done = note(who, name, "new code", fmt::format("participant {}", number));
    if (!done) return fail(std::move(done.error()));
    out.push_back(std::move(invitation));
  }
  if (auto done = writing->transaction.commit(); !done) return fail(std::move(done.error()));
  return out;
}

Result<std::string> Studies::set_open_link(std::string_view name, bool enabled, std::string_view who) {
  auto writing = write_to(database(), name);
  if (!writing) return fail(std::move(writing.error()));
  const std::string link = enabled ? random_letters(130) : std::string();
  auto done = enabled ? database().run("UPDATE study SET open_link = ?2 WHERE key = ?1", writing->row.key,
                                       Blob{fingerprint(link, secret())})
                      : database().run("UPDATE study SET open_link = NULL WHERE key = ?1", writing->row.key);
  if (done) done = note(who, name, enabled ? "open link" : "no open link");
  if (done) done = writing->transaction.commit();
  if (!done) return fail(std::move(done.error()));
  return link;
}

Result<void> Studies::note(std::string_view who, std::string_view study, std::string_view what,
                           std::string_view detail) {
  const std::string now = utc_now();
  return database().run("INSERT INTO audit (at, who, study, what, detail) VALUES (?1, ?2, ?3, ?4, ?5)", now, who, study,
                        what, detail);
}

Result<std::vector<AuditLine>> Studies::audit(std::string_view study, std::size_t most) {
  std::vector<AuditLine> out;
  auto done = each_row(
      database(),
      "SELECT at, who, study, what, detail FROM audit WHERE ?1 = '' OR study = ?1 ORDER BY key DESC LIMIT ?2",
      [&](const Statement& row) -> Result<void> {
        out.push_back({text_at(row, 0), text_at(row, 1), text_at(row, 2), text_at(row, 3), text_at(row, 4)});
        return {};
      },
      study, static_cast<std::int64_t>(most));
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<std::string> Studies::state_of(std::string_view name) {
  auto row = study_row(database(), name);
  if (!row) return fail(std::move(row.error()));
  // A restored file counts on from where it was copied. What changes a study also leaves a time.
  std::string times;
  auto done = each_row(
      database(),
      "SELECT (SELECT max(last_seen) FROM participant WHERE study = ?1),"
      " (SELECT at FROM audit WHERE study = ?2 ORDER BY key DESC LIMIT 1)",
      [&](const Statement& at) -> Result<void> {
        times = fmt::format("{}/{}", at.bytes(0), at.bytes(1));
        return {};
      },
      row->key, name);
  if (!done) return fail(std::move(done.error()));
  return fmt::format("{}/{}/{}", row->key, row->changes, times);
}

}  // namespace rondo::study
