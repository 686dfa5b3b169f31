#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "study/studies.h"

namespace rondo::study {

/// A participant, as whoever has joined is known from then on.
struct Seat {
  std::int64_t participant = 0;  ///< key of the row
  std::int64_t study = 0;        ///< likewise
  std::int64_t number = 0;
  std::string name;  ///< of the study
};

/// What is put into a cookie, and what every write by it must repeat. Known to the client alone: the file keeps the
/// fingerprint of the token.
struct SessionSecret {
  std::string token;
  std::string csrf;
};

/// How long sessions last; a participant may always come back by the code.
inline constexpr std::int64_t kResearcherSeconds = std::int64_t{12} * 3600;
inline constexpr std::int64_t kParticipantSeconds = std::int64_t{30} * 24 * 3600;

/// Whoever shows a session's token.
struct Visitor {
  std::string csrf;
  std::optional<Seat> seat;  ///< nothing: the researcher
};

/// Who may do what: the researcher's token, participants' codes, open links, sessions.
class Access {
 public:
  explicit Access(Studies& studies) : studies_(studies) {}

  /// Makes the researcher's token, in place of an older one, whose sessions end. It cannot be shown again.
  [[nodiscard]] Result<std::string> make_token(std::string_view who);
  /// The hash that a token is checked against (`is_password` of secrets.h); empty: no token has been made.
  [[nodiscard]] Result<std::string> token_hash();

  [[nodiscard]] Result<SessionSecret> begin_researcher();
  [[nodiscard]] Result<SessionSecret> begin_participant(const Seat& seat);
  [[nodiscard]] Result<std::optional<Visitor>> find(std::string_view token);
  [[nodiscard]] Result<void> end(std::string_view token);

  /// By a personal code. Errors `code-unknown` (also for a study that is not there: a stranger learns nothing),
  /// `study-not-open` while it is a draft.
  [[nodiscard]] Result<Seat> join(std::string_view study, std::string_view code);
  struct NewSeat {
    Seat seat;
    std::string code;  ///< to go on elsewhere; shown once
  };
  /// As somebody new, by the open link. Errors `code-unknown`, `study-not-open`, `study-closed`, `study-full`.
  [[nodiscard]] Result<NewSeat> join_by_link(std::string_view study, std::string_view link);

 private:
  [[nodiscard]] Result<SessionSecret> begin(std::int64_t participant, std::int64_t seconds);

  Studies& studies_;
};

}  // namespace rondo::study
