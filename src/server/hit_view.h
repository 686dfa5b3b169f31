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

/// What the API shows of one voice of a piece, ready to be sent.
struct HitView {
  std::string id;
  Metadata metadata;
  Voice voice;  ///< cut to what is shown
  std::string pae;
  std::string members;  ///< id, texts, pae, mei and notes, as members of a JSON object

  [[nodiscard]] std::size_t bytes() const;
};

/// A hit shows so many notes at most; the melody itself shows all of them.
inline constexpr std::size_t kShownNotes = 500;

[[nodiscard]] Json metadata_json(const Metadata& metadata);

/// The views used last, up to a number of bytes. Any thread may ask.
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
  std::list<Entry> entries_;  ///< used last first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> by_key_;
  std::size_t bytes_ = 0;
};

}  // namespace rondo::server
