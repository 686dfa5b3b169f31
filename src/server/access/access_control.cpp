#include "server/access/access_control.h"

#include <fmt/format.h>

#include "study/access.h"
#include "study/secrets.h"

namespace rondo::server {
namespace {

constexpr std::size_t kLongestToken = 200;

std::string fingerprint_of(study::Studies& studies, std::string_view hash, std::string_view token) {
  return study::fingerprint(fmt::format("{}\n{}", hash, token), studies.secret());
}

}  // namespace

std::string beginning_of(std::string_view address, std::string_view secret) {
  constexpr std::size_t kLetters = 4;
  return fmt::format("{}|{}", limited_address(address), study::plain_code(secret.substr(0, 100)).substr(0, kLetters));
}

Result<bool> AccessControl::is_known(study::Studies& studies, std::string_view token) {
  auto hash = study::Access(studies).token_hash();
  if (!hash) return fail(std::move(hash.error()));
  if (hash->empty() || token.empty() || token.size() > kLongestToken) return false;
  const std::string both = fingerprint_of(studies, *hash, token);
  const std::lock_guard lock(known_mutex_);
  return study::same_secret(both, known_);
}

Result<void> AccessControl::admit_token(study::Studies& studies, std::string_view address, std::string_view token,
                                        bool may_check) {
  auto known = is_known(studies, token);
  if (!known) return fail(std::move(known.error()));
  if (*known) return {};
  const std::string beginning = beginning_of(address, token);
  if (beginnings.take(beginning) != 0 || checks.take(address) != 0) {
    return fail("rate-limited", "too many failed attempts from this address", {}, "wait a little and try again");
  }
  if (!may_check) {
    beginnings.give_back(beginning);
    checks.give_back(address);
    return fail("server-checking", "too many tokens are being checked", {}, "try again in a moment");
  }
  auto right = is_researcher(studies, token);
  if (!right) return fail(std::move(right.error()));
  if (*right) {
    beginnings.give_back(beginning);
    checks.give_back(address);
    return {};
  }
  if (wrong.take(address) != 0) {
    return fail("rate-limited", "too many failed attempts from this address", {}, "wait a little and try again");
  }
  return fail("token-wrong", "this is not the researcher's token");
}

Result<bool> AccessControl::is_researcher(study::Studies& studies, std::string_view token) {
  auto hash = study::Access(studies).token_hash();
  if (!hash) return fail(std::move(hash.error()));
  if (hash->empty() || token.empty() || token.size() > kLongestToken) return false;
  const std::string both = fingerprint_of(studies, *hash, token);
  if (!study::is_password(*hash, token)) return false;
  const std::lock_guard lock(known_mutex_);
  known_ = both;
  return true;
}

}  // namespace rondo::server
