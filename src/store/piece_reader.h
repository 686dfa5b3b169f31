#pragma once

#include <functional>

#include "rondo/store/collection.h"
#include "store/content_hash.h"
#include "store/sqlite.h"

namespace rondo {

/// Reads pieces from the tables and verifies their checksums (error `store-corrupt`). The caller must ensure that all
/// reads see one state of the file.
class PieceReader {
 public:
  explicit PieceReader(Database& database) : database_(database) {}

  [[nodiscard]] Result<Piece> read(std::string_view id);
  [[nodiscard]] Result<Piece> read(PieceKey key);
  [[nodiscard]] Result<void> each(const std::function<bool(const StoredPiece&)>& visit, bool source_text);

  /// The checksums computed from the content of the rows of a piece.
  struct Sums {
    std::int64_t stored_hash = 0;  ///< of the content when it was stored
    std::int64_t hash = 0;         ///< of the content now
    std::int64_t piece = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> voices;  ///< keys and checksums
  };
  [[nodiscard]] Result<Sums> compute(PieceKey key);

 private:
  /// The checksums stored in a row of `piece`.
  struct Stored {
    std::int64_t key = 0;
    std::int64_t hash = 0;
    std::int64_t checksum = 0;
  };
  [[nodiscard]] Result<Piece> read_one(Statement& statement, const std::string& name);
  [[nodiscard]] Result<void> complete(const Stored& stored, Piece& piece, bool source_text);
  [[nodiscard]] Result<void> read_texts(std::int64_t key, Piece& piece, bool source_text);
  [[nodiscard]] Result<void> read_voices(std::int64_t key, Piece& piece, ContentHash& content);

  Database& database_;
};

}  // namespace rondo
