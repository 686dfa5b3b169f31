#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "study/studies.h"

namespace rondo::study {

/// Identifies a participant who has joined.
struct Seat {
  std::int64_t participant = 0;  ///< key of the row
  std::int64_t study = 0;        ///< likewise
  std::int64_t number = 0;
  std::string name;  ///< of the study
};

/// The token for the cookie, and the CSRF token that every write with it must repeat. Only the client knows them: the
/// file stores a hash of the token.
struct SessionSecret {
  std::string token;
  std::string csrf;
};

/// How long sessions last; a participant can always start a new one with the code.
inline constexpr std::int64_t kResearcherSeconds = std::int64_t{12} * 3600;
inline constexpr std::int64_t kParticipantSeconds = std::int64_t{30} * 24 * 3600;

/// The owner of a session token.
struct Visitor {
  std::string csrf;
  std::optional<Seat> seat;  ///< nullopt: the researcher
};

/// Authentication: the researcher's token, participants' codes, open links, sessions.
class Access {
 public:
  explicit Access(Studies& studies) : studies_(studies) {}

  /// Makes a new researcher's token and invalidates the old one and its sessions. It cannot be shown again.
  [[nodiscard]] Result<std::string> make_token(std::string_view who);
  /// The hash that a token is checked against (`is_password` of secrets.h); empty: no token has been made.
  [[nodiscard]] Result<std::string> token_hash();

  [[nodiscard]] Result<SessionSecret> begin_researcher();
  [[nodiscard]] Result<SessionSecret> begin_participant(const Seat& seat);
  [[nodiscard]] Result<std::optional<Visitor>> find(std::string_view token);
  [[nodiscard]] Result<void> end(std::string_view token);

  /// Joins by a personal code. Errors `code-unknown` (also for a study that does not exist, so that strangers learn
  /// nothing), `study-not-open` while it is a draft.
  [[nodiscard]] Result<Seat> join(std::string_view study, std::string_view code);
  struct NewSeat {
    Seat seat;
    std::string code;  ///< to continue on another device; shown once
  };
  /// Joins as a new participant, by the open link. Errors `code-unknown`, `study-not-open`, `study-closed`,
  /// `study-full`.
  [[nodiscard]] Result<NewSeat> join_by_link(std::string_view study, std::string_view link);

 private:
  [[nodiscard]] Result<SessionSecret> begin(std::int64_t participant, std::int64_t seconds);

  Studies& studies_;
};

}  // namespace rondo::study
