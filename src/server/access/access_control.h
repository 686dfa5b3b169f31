#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "search/shared_cache.h"
#include "server/access/rate_limit.h"
#include "study/studies.h"

namespace rondo::server {

/// Shared by all threads: rate limits, the token that was checked last, analysed studies.
struct AccessControl {
  /// Wrong codes or tokens of one address with the same beginning: ten at once, then one in ten seconds. This slows
  /// down an attacker who knows the beginning of a code; it does not affect other codes of a class behind the same
  /// address.
  RateLimit beginnings{10, std::chrono::seconds(10)};
  /// All wrong ones of one address. Codes have 80 random bits and are cheap to check, so a correct one is always
  /// accepted; only wrong ones are rate-limited.
  RateLimit wrong{10, std::chrono::seconds(10)};
  /// Checks of tokens that are not cached: each takes a tenth of a second and 64 MiB.
  RateLimit checks{60, std::chrono::seconds(2)};
  /// New participants by an open link; each is a row in the file.
  RateLimit newcomers{60, std::chrono::seconds(10)};

  /// Whether this is the researcher's token, with all rate limits of an address. A check takes a tenth of a second and
  /// 64 MiB, so a correct token is cached, and only a thread that may check makes one: all others get the error
  /// `server-checking`, and repeat the request on such a thread. Errors `rate-limited`, `token-wrong`.
  [[nodiscard]] Result<void> admit_token(study::Studies& studies, std::string_view address, std::string_view token,
                                         bool may_check);

  /// The analysis of the votes, for each state of a study.
  struct AnalysedStudy;
  SharedCache<std::string, AnalysedStudy> analysed{8};

 private:
  [[nodiscard]] Result<bool> is_known(study::Studies& studies, std::string_view token);
  [[nodiscard]] Result<bool> is_researcher(study::Studies& studies, std::string_view token);

  std::mutex known_mutex_;
  std::string known_;  ///< fingerprint of a hash and its matching token
};

/// The key of `AccessControl::beginnings`: the address and the first letters of a code or token.
[[nodiscard]] std::string beginning_of(std::string_view address, std::string_view secret);

}  // namespace rondo::server
