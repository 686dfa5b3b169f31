#pragma once

#include <string>
#include <vector>

#include "server/edition.h"
#include "server/query.h"
#include "server/session.h"
#include "server/target.h"

namespace rondo::server {

/// What can be said of a melody to look for, and how: shared by search, export and compare.
struct Asked {
  std::string q;
  std::string id;
  std::size_t voice = 0;  ///< of the piece with that id
  std::string system;
  std::vector<std::string> settings;
  LineOptions line;
  bool anchored = false;

  [[nodiscard]] static Result<Asked> from(const Arguments& arguments);
};
/// The names of its arguments.
[[nodiscard]] std::vector<std::string_view> asked_arguments();

/// Asked for, and read.
struct Wanted {
  Query query;
  Voice voice;              ///< what is looked for, cut to kQueryNotes
  LineOptions heard;        ///< how documents are heard
  LineOptions query_heard;  ///< how the query is
  Line line;
  std::optional<PieceKey> except;  ///< the melody that was asked about by its id
};
/// Errors: those of the reader, `query-missing`, `piece-missing`, `voice-missing`, `query-empty`.
[[nodiscard]] Result<Wanted> read_wanted(const Asked& asked, Session& session);
/// The error `query-short` where the system needs more notes.
[[nodiscard]] Result<void> check_length(const Wanted& wanted, const ChosenSystem& system);

struct SearchRequest {
  Asked asked;
  std::size_t k = 20;
  std::size_t offset = 0;
  std::string text;
  std::string where;  ///< SQL over the view `melodies`
  Choices choices;
  bool fold_duplicates = false;
  bool with_cards = true;  ///< false: hits are told by their keys alone, unless they are folded

  [[nodiscard]] static Result<SearchRequest> from(const Arguments& arguments, std::size_t standard_k,
                                                  std::size_t most_k);
};
[[nodiscard]] std::vector<std::string_view> search_arguments();

inline constexpr std::size_t kMostHits = 200;
inline constexpr std::size_t kMostOffset = 10'000;
inline constexpr std::size_t kMostExported = 10'000;

}  // namespace rondo::server
