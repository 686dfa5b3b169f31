#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

/// Random words and their keeping, by libsodium.
namespace rondo::study {

/// Letters for `bits` bits of chance, 5 to a letter: small letters and digits, without those that look alike (0 o, 1
/// l).
[[nodiscard]] std::string random_letters(std::size_t bits);
[[nodiscard]] std::string random_bytes(std::size_t count);

/// For a study: a number up to kMostSeed.
[[nodiscard]] std::uint64_t random_seed();

/// A participant's code: 80 bits in four groups, as "3fzk-9qhm-..."; short enough to type, far too many to guess.
[[nodiscard]] std::string new_code();
/// A code as it may have been typed: capitals, blanks and hyphens matter not.
[[nodiscard]] std::string plain_code(std::string_view typed);

/// For secrets that are random already: whoever reads the file cannot turn it round, and looking one up is one probe of
/// an index. With a key of the file's own (32 bytes, or none), the same secret has another fingerprint in another file.
[[nodiscard]] std::string fingerprint(std::string_view secret, std::string_view key = {});

/// Argon2id with the library's interactive limits: 64 MiB and about a tenth of a second for each try. Error
/// `out-of-memory`.
[[nodiscard]] Result<std::string> hash_password(std::string_view password);
[[nodiscard]] bool is_password(std::string_view hash, std::string_view password);

/// Takes the same time wherever they differ.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

}  // namespace rondo::study
