#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "store/sqlite.h"

namespace rondo::server {

/// Stores melodies that are too long for a URL under a hash of their text: the same melody has the same key on every
/// server. They are stored in a file beside the collection ("demo.db.links"), or in memory if that cannot be written.
/// The least recently used are removed first, so a link lives as long as it is used, and at least until the limit of
/// newer ones is reached. Thread-safe.
class MelodyLinks {
 public:
  static constexpr std::int64_t kMostLinks = 100'000;
  static constexpr std::int64_t kMostBytes = std::int64_t{64} << 20U;
  /// Maximal size of one melody.
  static constexpr std::size_t kLongest = std::size_t{256} << 10U;

  [[nodiscard]] static Result<std::unique_ptr<MelodyLinks>> open(const std::filesystem::path& collection);
  /// For tests: with other limits.
  [[nodiscard]] static Result<std::unique_ptr<MelodyLinks>> open_file(const std::string& file, std::int64_t most_links,
                                                                      std::int64_t most_bytes);

  [[nodiscard]] static std::string key_of(std::string_view text);
  /// Stores a text and returns its key. Error `link-too-long`.
  [[nodiscard]] Result<std::string> keep(std::string_view text);
  /// Error `link-unknown`.
  [[nodiscard]] Result<std::string> find(std::string_view key);

 private:
  MelodyLinks(Database database, std::int64_t most_links, std::int64_t most_bytes)
      : database_(std::move(database)), most_links_(most_links), most_bytes_(most_bytes) {}
  [[nodiscard]] Result<void> count();
  [[nodiscard]] Result<void> make_room();

  std::mutex mutex_;
  Database database_;
  std::int64_t most_links_;
  std::int64_t most_bytes_;
  std::int64_t links_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace rondo::server
