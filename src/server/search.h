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

struct ListedAnswer {
  SearchAnswer answer;
  std::vector<Listed> places;  ///< from `offset` on
};

/// The snapshot's answer, translated: who asks waits no longer than the server's limit.
[[nodiscard]] Result<ListedAnswer> perform(const AskedSearch& asked, Session& session);

}  // namespace rondo::server
