#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

/// Random secrets and their hashes, by libsodium.
namespace rondo::study {

/// `bits` random bits as letters, 5 bits each: lower-case letters and digits, without those that look alike (0 o, 1 l).
[[nodiscard]] std::string random_letters(std::size_t bits);
[[nodiscard]] std::string random_bytes(std::size_t count);

/// For a study: a number up to kMostSeed.
[[nodiscard]] std::uint64_t random_seed();

/// A participant's code: 80 bits in four groups, as "3fzk-9qhm-..."; short enough to type, impossible to guess.
[[nodiscard]] std::string new_code();
/// Normalises a typed code: ignores case, blanks and hyphens.
[[nodiscard]] std::string plain_code(std::string_view typed);

/// A keyed hash for secrets that are already random: it cannot be inverted, and a lookup is one probe of an index. With
/// the key of the file (32 bytes, or none), the same secret has another fingerprint in another file.
[[nodiscard]] std::string fingerprint(std::string_view secret, std::string_view key = {});

/// Argon2id with the library's interactive limits: 64 MiB and about a tenth of a second for each check. Error
/// `out-of-memory`.
[[nodiscard]] Result<std::string> hash_password(std::string_view password);
[[nodiscard]] bool is_password(std::string_view hash, std::string_view password);

/// Constant-time comparison.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

}  // namespace rondo::study
