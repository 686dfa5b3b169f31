#pragma once

#include "server/search_request.h"
#include "server/session.h"

namespace rondo::server {

/// A hit with what is shown of it.
struct Listed {
  Found found;
  std::shared_ptr<const HitView> view;  ///< null where the request wants none
  std::vector<std::string> duplicates;  ///< ids of the melodies folded into it, in the order they were found
};

/// Which hits resemble the query, as far as that was looked at.
struct Relevant {
  double cut = 0;                ///< the score from which on they do
  std::vector<PieceKey> pieces;  ///< ascending, facets not yet chosen
  std::size_t count = 0;         ///< of the hits under the facets that were chosen
  bool more = false;             ///< there may be more than were looked at
};

struct ListedAnswer {
  SearchAnswer answer;
  std::vector<Listed> places;  ///< from `offset` on
  std::optional<Relevant> relevant{};
};

/// The snapshot's answer, translated: who asks waits no longer than the server's limit.
[[nodiscard]] Result<ListedAnswer> perform(const AskedSearch& asked, Session& session);

/// Pieces chosen by words, conditions and facets alone, in the order that was asked for.
struct WordsAnswer {
  std::size_t total = 0;
  std::vector<Listed> places;                     ///< from `offset` on; their scores say nothing
  std::optional<std::vector<PieceKey>> selected;  ///< ascending, facets not yet chosen
};
[[nodiscard]] Result<WordsAnswer> find_words(const AskedSearch& asked, Session& session);

}  // namespace rondo::server
