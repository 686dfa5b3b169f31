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

/// A 64-bit hash to notice change by. It stands in files: its meaning never changes. Nobody gains by making two
/// contents collide, so it need not be a cryptographic one.
class ContentHash {
 public:
  ContentHash() { XXH3_64bits_reset(&state_); }

  void bytes(std::string_view part) { XXH3_64bits_update(&state_, part.data(), part.size()); }
  void count(std::uint64_t value) { XXH3_64bits_update(&state_, &value, sizeof value); }
  /// With its length, so that moving a border between two texts changes the result.
  void text(std::string_view part) {
    count(part.size());
    bytes(part);
  }
  [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(XXH3_64bits_digest(&state_)); }

 private:
  XXH3_state_t state_;
};

/// All texts of a piece but its id; its packed voices come behind, each as a text: together the hash of its content.
void hash_texts(ContentHash& hash, const Piece& piece);

/// Sixteen digits.
[[nodiscard]] std::string to_hex(std::int64_t hash);

/// The content of a regular file in a few characters; empty where it cannot be read.
[[nodiscard]] std::string file_fingerprint(const std::filesystem::path& path);

}  // namespace rondo
