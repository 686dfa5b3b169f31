#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "formats/shown.h"
#include "rondo/melody/piece.h"
#include "rondo/store/collection.h"
#include "server/json.h"

namespace rondo::server {

/// One voice of a piece as rendered by the API.
struct HitView {
  std::string id;
  Metadata metadata;
  Voice voice;  ///< truncated to kShownNotes
  std::string pae;
  std::string members;  ///< id, texts, pae, mei and notes, as members of a JSON object

  [[nodiscard]] std::size_t bytes() const;
};

/// Maximal number of notes shown in a hit; the melody resource shows all.
inline constexpr std::size_t kShownNotes = 500;

[[nodiscard]] Json metadata_json(const Metadata& metadata);

/// An LRU cache of views with a limit in bytes. Thread-safe.
class HitViewCache {
 public:
  using Shared = std::shared_ptr<const HitView>;
  /// The error `piece-missing`, or `voice-missing`.
  [[nodiscard]] Result<Shared> get(Collection& collection, PieceKey piece, std::uint32_t voice);

 private:
  struct Entry {
    std::uint64_t key;
    Shared view;
  };
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

  [[nodiscard]] Shared find(std::uint64_t key);
  void keep(std::uint64_t key, Shared view);

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< most recently used first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> by_key_;
  std::size_t bytes_ = 0;
};

}  // namespace rondo::server
