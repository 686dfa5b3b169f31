#pragma once

#include "server/search_request.h"
#include "server/session.h"

namespace rondo::server {

/// A hit and its view.
struct Listed {
  Found found;
  std::shared_ptr<const HitView> view;  ///< null if the request needs none
  std::vector<std::string> duplicates;  ///< ids of the melodies folded into it, in the order they were found
};

/// The hits that resemble the query, among those examined.
struct Relevant {
  double cut = 0;                ///< the minimal score
  std::vector<PieceKey> pieces;  ///< ascending, before selection by facets
  std::size_t count = 0;         ///< of the hits that match the selected facets
  bool more = false;             ///< there may be more than were examined
};

struct ListedAnswer {
  SearchAnswer answer;
  std::vector<Listed> places;  ///< from `offset` on
  std::optional<Relevant> relevant{};
};

/// Runs the search on the snapshot, within the server's time limit.
[[nodiscard]] Result<ListedAnswer> perform(const AskedSearch& asked, Session& session);

/// Pieces selected only by words, conditions and facets, in the requested order.
struct WordsAnswer {
  std::size_t total = 0;
  std::vector<Listed> places;                     ///< from `offset` on; their scores have no meaning
  std::optional<std::vector<PieceKey>> selected;  ///< ascending, before selection by facets
};
[[nodiscard]] Result<WordsAnswer> find_words(const AskedSearch& asked, Session& session);

}  // namespace rondo::server
