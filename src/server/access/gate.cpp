#include "server/access/gate.h"

#include <fmt/format.h>

#include "rondo/study/access.h"
#include "rondo/study/secrets.h"

namespace rondo::server {

Result<bool> Gate::is_researcher(study::Studies& studies, std::string_view token) {
  auto hash = study::Access(studies).token_hash();
  if (!hash) return fail(std::move(hash.error()));
  constexpr std::size_t kLongest = 200;
  if (hash->empty() || token.empty() || token.size() > kLongest) return false;
  const std::string both = study::fingerprint(fmt::format("{}\n{}", *hash, token), studies.secret());
  {
    const std::lock_guard lock(known_mutex_);
    if (study::same_secret(both, known_)) return true;
  }
  const OneAtATime::Turn turn = checking_.turn(std::chrono::seconds(2));
  if (!turn) return fail("server-busy", "too many want to come in at once", {}, "try again in a moment");
  if (!study::is_password(*hash, token)) return false;
  const std::lock_guard lock(known_mutex_);
  known_ = both;
  return true;
}

}  // namespace rondo::server
