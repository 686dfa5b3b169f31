#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rondo/melody/piece.h"

// Only inlined: no library is needed.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rondo {

/// A 64-bit hash to detect changes. It is stored in files, so its definition never changes. Collisions are no security
/// risk, so it need not be cryptographic.
class ContentHash {
 public:
  ContentHash() { XXH3_64bits_reset(&state_); }

  void bytes(std::string_view part) { XXH3_64bits_update(&state_, part.data(), part.size()); }
  void count(std::uint64_t value) { XXH3_64bits_update(&state_, &value, sizeof value); }
  /// Hashes the length too, so that moving a boundary between two texts changes the result.
  void text(std::string_view part) {
    count(part.size());
    bytes(part);
  }
  [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(XXH3_64bits_digest(&state_)); }

 private:
  XXH3_state_t state_;
};

/// Hashes all texts of a piece except its id; followed by its packed voices, each as a text, this is the hash of its
/// content.
void hash_texts(ContentHash& hash, const Piece& piece);

/// Sixteen digits.
[[nodiscard]] std::string to_hex(std::int64_t hash);

/// A short hash of the content of a regular file; empty if it cannot be read.
[[nodiscard]] std::string file_fingerprint(const std::filesystem::path& path);

}  // namespace rondo
