#pragma once

#include "server/search_request.h"

namespace rondo::server {

/// A hit, and the melodies that are note for note the same.
struct Listed {
  Found found;
  std::shared_ptr<const Card> card;     ///< null where the request wants none
  std::vector<std::string> duplicates;  ///< their ids, in the order they were found
};

struct SearchAnswer {
  Wanted wanted;
  std::shared_ptr<const ChosenSystem> system;
  std::vector<Listed> places;  ///< from `offset` on
  std::size_t compared = 0;
  std::size_t not_compared = 0;
  /// Hits there are; where melodies are folded or the list is longer than was looked at: so many at most.
  std::size_t total = 0;
  bool complete = true;
  double milliseconds = 0;
  std::optional<std::vector<PieceKey>> selected;  ///< pieces with the words and conditions, ascending
};

/// Exactly the list that ranking every document gives, unless the time was up (`complete`).
[[nodiscard]] Result<SearchAnswer> perform(const SearchRequest& request, Session& session);

}  // namespace rondo::server
