#pragma once

#include <functional>

#include "rondo/store/collection.h"
#include "store/sqlite.h"

namespace rondo {

/// Puts pieces together from the tables. The caller sees to it that all comes from one state of the file.
class PieceReader {
 public:
  explicit PieceReader(Database& database) : database_(database) {}

  [[nodiscard]] Result<Piece> read(std::string_view id);
  [[nodiscard]] Result<Piece> read(PieceKey key);
  [[nodiscard]] Result<void> each(const std::function<bool(const StoredPiece&)>& visit, bool source_text);

 private:
  [[nodiscard]] Result<Piece> read_one(Statement& statement, const std::string& name);
  [[nodiscard]] Result<void> complete(std::int64_t key, Piece& piece, bool source_text);
  [[nodiscard]] Result<void> read_voices(std::int64_t key, Piece& piece);

  Database& database_;
};

}  // namespace rondo
