#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/store/collection.h"
#include "study/study.h"

namespace rondo {
class Database;
}

namespace rondo::study {

struct Summary {
  Settings settings;
  std::size_t queries = 0;
  std::size_t participants = 0;
  std::size_t finished = 0;   ///< participants who are done with every query
  std::size_t votes = 0;      ///< answers given
  std::size_t excluded = 0;   ///< participants whose answers do not count
  std::size_t withdrawn = 0;  ///< participants whose data were deleted
  bool open_link = false;
};

/// A receipt for a participant who withdrew; not stored.
struct Withdrawal {
  std::string study;
  std::string at;           ///< UTC
  std::size_t answers = 0;  ///< deleted
  std::size_t moves = 0;    ///< deleted
};

struct Invitation {
  std::int64_t number = 0;
  std::string label;
  std::string code;  ///< shown only now: the file stores only its fingerprint
};

/// The path of a participant's page. Browsers do not send the part after #, so no log contains it.
[[nodiscard]] std::string code_path(std::string_view study, std::string_view code);
/// The same for the secret of an open link.
[[nodiscard]] std::string link_path(std::string_view study, std::string_view link);

struct AuditLine {
  std::string at, who, study, what, detail;
};

/// Settings of a study that may be changed later; nullopt: unchanged. Ties only in a draft, because they change the
/// meaning of answers.
struct Changes {
  std::optional<std::string> title, instructions, consent;
  std::optional<bool> ties;
  std::optional<State> state;
};

/// All studies of a collection, in one SQLite file beside it ("music.db.studies"): votes do not change the collection,
/// and changes of the collection do not change what was voted on. Not thread-safe; every thread opens its own. When a
/// modifying call returns, the change is on disk.
///
/// `who` is written into the audit log with what was done.
class Studies {
 public:
  [[nodiscard]] static std::filesystem::path path_for(const std::filesystem::path& collection);
  /// `read` and `write` need an existing file: error `studies-missing`. Reading may create auxiliary files beside it.
  [[nodiscard]] static Result<Studies> open(const std::filesystem::path& collection, OpenMode mode);
  ~Studies();
  Studies(Studies&&) noexcept;
  Studies& operator=(Studies&&) noexcept;

  /// Verifies the whole file: pages, references, schema, every row of every study. Error `store-corrupt`.
  [[nodiscard]] static Result<void> examine(const std::filesystem::path& collection);

  [[nodiscard]] Result<std::vector<Summary>> list();
  /// Error `study-missing`, which lists the existing studies.
  [[nodiscard]] Result<Summary> summary(std::string_view name);
  [[nodiscard]] Result<Study> load(std::string_view name, bool with_moves = false);
  /// Stores a new study with everything in it. Error `study-exists`.
  [[nodiscard]] Result<void> add(const Study& study, std::string_view who);
  /// Adds participants with answers collected elsewhere. New answers replace those imported before under the same
  /// label; error `votes-participant` if the label belongs to somebody who took part here.
  [[nodiscard]] Result<void> import_votes(std::string_view name, const std::vector<Participant>& voters,
                                          std::string_view who);
  /// Errors `study-ties`, `study-state`.
  [[nodiscard]] Result<void> change(std::string_view name, const Changes& changes, std::string_view who);
  [[nodiscard]] Result<void> remove(std::string_view name, std::string_view who);

  [[nodiscard]] Result<std::vector<Invitation>> invite(std::string_view name, const std::vector<std::string>& labels,
                                                       std::string_view who);
  /// New codes for participants who lost theirs, or never had one; the old codes and their sessions become invalid, the
  /// answers stay. Error `study-participant`.
  [[nodiscard]] Result<std::vector<Invitation>> renew(std::string_view name, const std::vector<std::int64_t>& numbers,
                                                      std::string_view who);
  /// From now on the participant's answers do not count; the reason is stored and printed with the truth. With an empty
  /// reason they count again. Errors `study-participant`, `study-text`.
  [[nodiscard]] Result<void> leave_out(std::string_view name, std::int64_t number, const std::string& reason,
                                       std::string_view who);
  /// Deletes all data of a participant: answers, moves, background, label, code and sessions, and the number in the
  /// audit log. Only the count of withdrawals remains. Error `study-participant`.
  [[nodiscard]] Result<Withdrawal> withdraw(std::string_view name, std::int64_t number, std::string_view who);
  /// Replaces the link by which anybody can join, or removes it. Returns its secret, or an empty text.
  [[nodiscard]] Result<std::string> set_open_link(std::string_view name, bool enabled, std::string_view who);

  [[nodiscard]] Result<void> note(std::string_view who, std::string_view study, std::string_view what,
                                  std::string_view detail = {});
  /// Latest first; of all studies, or of one.
  [[nodiscard]] Result<std::vector<AuditLine>> audit(std::string_view study = {}, std::size_t most = 10'000);

  /// A text that differs for every state of a study, also after a backup was restored: a cache key.
  [[nodiscard]] Result<std::string> state_of(std::string_view name);

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] Database& database();
  /// The key of the fingerprints in this file.
  [[nodiscard]] const std::string& secret() const;

 private:
  struct Inner;
  explicit Studies(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

/// A study of candidate sets of a collection, as a draft. The query itself is a candidate only with
/// `settings.plant_query`; otherwise the closest of the melodies folded into it represents them. Errors
/// `study-queries`, `study-query-twice`, `study-candidates`, `candidates-missing`, `study-melody`. Candidates that were
/// dropped by hand (study/picks.h; `picks` has the decisions) are left out.
[[nodiscard]] Result<Study> make_study(Collection& collection, Settings settings, const std::vector<std::string>& sets,
                                       Studies* picks = nullptr);

}  // namespace rondo::study
