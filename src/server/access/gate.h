#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "rondo/study/studies.h"
#include "search/shared_cache.h"
#include "server/access/rate_limit.h"

namespace rondo::server {

/// What all threads share of the studies: limits, the token that was checked last, tables that were worked out.
struct Gate {
  /// Ten wrong tries at once, then one in ten seconds. Right ones cost nothing, so that a class behind one address can
  /// come in together.
  RateLimit tries{10, std::chrono::seconds(10)};
  /// Newcomers by an open link; each is a new participant in the file.
  RateLimit newcomers{60, std::chrono::seconds(10)};

  /// Whether this is the researcher's token. One check takes a tenth of a second and 64 MiB, so only one runs at a
  /// time, and a token that was right is known again without. Error `server-busy` when another one's check takes too
  /// long.
  [[nodiscard]] Result<bool> is_researcher(study::Studies& studies, std::string_view token);

  /// What was worked out of the votes, for each state of a study.
  struct Worked;
  SharedCache<std::string, Worked> worked{8};

 private:
  std::timed_mutex checking_;
  std::mutex known_mutex_;
  std::string known_;  ///< fingerprint of hash and token that fit together
};

}  // namespace rondo::server
