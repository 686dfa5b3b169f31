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

/// What is left of a participant who withdrew: a receipt to hand over, kept nowhere.
struct Withdrawal {
  std::string study;
  std::string at;           ///< UTC
  std::size_t answers = 0;  ///< deleted
  std::size_t moves = 0;    ///< deleted
};

struct Invitation {
  std::int64_t number = 0;
  std::string label;
  std::string code;  ///< known now and never again: the file keeps only its fingerprint
};

/// Where on the server a participant begins. What stands behind # never leaves the browser, so no log has it.
[[nodiscard]] std::string code_path(std::string_view study, std::string_view code);
/// The same for the secret of an open link.
[[nodiscard]] std::string link_path(std::string_view study, std::string_view link);

struct AuditLine {
  std::string at, who, study, what, detail;
};

/// What of a study may be changed later; nothing: stays. Ties only while it is a draft: answers would mean something
/// else.
struct Changes {
  std::optional<std::string> title, instructions, consent;
  std::optional<bool> ties;
  std::optional<State> state;
};

/// All studies of a collection, in one SQLite file beside it ("music.db.studies"): votes do not change the collection,
/// and changes of the collection do not change what was voted on. Every thread opens its own. What a call that changes
/// something has answered is on the disk.
///
/// `who` is written into the audit log with what was done.
class Studies {
 public:
  [[nodiscard]] static std::filesystem::path path_for(const std::filesystem::path& collection);
  /// `read` and `write` want the file to be there: error `studies-missing`. Reading may write companions of the file.
  [[nodiscard]] static Result<Studies> open(const std::filesystem::path& collection, OpenMode mode);
  ~Studies();
  Studies(Studies&&) noexcept;
  Studies& operator=(Studies&&) noexcept;

  [[nodiscard]] Result<std::vector<Summary>> list();
  /// Error `study-missing`, which names those that there are.
  [[nodiscard]] Result<Summary> summary(std::string_view name);
  [[nodiscard]] Result<Study> load(std::string_view name, bool with_moves = false);
  /// Stores a new study with everything in it. Error `study-exists`.
  [[nodiscard]] Result<void> add(const Study& study, std::string_view who);
  /// Adds participants with their answers from elsewhere. One of a label that was imported before gets the new answers
  /// in place of the old; error `votes-participant` if that label is somebody's who took part here.
  [[nodiscard]] Result<void> import_votes(std::string_view name, const std::vector<Participant>& voters,
                                          std::string_view who);
  /// Errors `study-ties`, `study-state`.
  [[nodiscard]] Result<void> change(std::string_view name, const Changes& changes, std::string_view who);
  [[nodiscard]] Result<void> remove(std::string_view name, std::string_view who);

  [[nodiscard]] Result<std::vector<Invitation>> invite(std::string_view name, const std::vector<std::string>& labels,
                                                       std::string_view who);
  /// New codes for participants who lost theirs, or never had one; the old ones and their sessions end, the answers
  /// stay. Error `study-participant`.
  [[nodiscard]] Result<std::vector<Invitation>> renew(std::string_view name, const std::vector<std::int64_t>& numbers,
                                                      std::string_view who);
  /// From now on the participant's answers count for nothing; the reason is kept and printed with the truth. An empty
  /// reason makes them count again. Errors `study-participant`, `study-text`.
  [[nodiscard]] Result<void> leave_out(std::string_view name, std::int64_t number, const std::string& reason,
                                       std::string_view who);
  /// Deletes everything that is stored of a participant: answers, moves, background, label, code and sessions, and the
  /// number wherever the audit log has it. Only the count of withdrawals stays. Error `study-participant`.
  [[nodiscard]] Result<Withdrawal> withdraw(std::string_view name, std::int64_t number, std::string_view who);
  /// A new link that lets anybody join, in place of an older one; or none. Gives its secret, or an empty text.
  [[nodiscard]] Result<std::string> set_open_link(std::string_view name, bool enabled, std::string_view who);

  [[nodiscard]] Result<void> note(std::string_view who, std::string_view study, std::string_view what,
                                  std::string_view detail = {});
  /// Latest first; of all studies, or of one.
  [[nodiscard]] Result<std::vector<AuditLine>> audit(std::string_view study = {}, std::size_t most = 10'000);

  /// Another text for every state of a study: for caches.
  [[nodiscard]] Result<std::string> state_of(std::string_view name);

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] Database& database();
  /// The file's own secret: the key of its fingerprints.
  [[nodiscard]] const std::string& secret() const;

 private:
  struct Inner;
  explicit Studies(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

/// A study of candidate sets of a collection, as a draft. The query itself stands among its candidates only where
/// `settings.plant_query` says so; otherwise what was folded into it is represented by the closest of those. Errors
/// `study-queries`, `study-query-twice`, `study-candidates`, `candidates-missing`, `study-melody`. Candidates that were
/// dropped by hand (study/picks.h; `picks` has the decisions, where there are any) are left out.
[[nodiscard]] Result<Study> make_study(Collection& collection, Settings settings, const std::vector<std::string>& sets,
                                       Studies* picks = nullptr);

}  // namespace rondo::study
