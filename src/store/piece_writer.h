#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/store/collection.h"
#include "store/feature_writer.h"
#include "store/sqlite.h"

namespace rondo {

/// Where a piece was read: rows of import_run and import_file, and its number in the file. 0: not known.
struct Origin {
  std::int64_t run = 0;
  std::int64_t file = 0;
  std::int64_t record = 0;
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// Writes pieces to the tables, within a transaction of the caller.
class PieceWriter {
 public:
  explicit PieceWriter(Database& database) : database_(database), features_(database) {}

  /// Call at the beginning of every transaction: another process may have written since the last.
  [[nodiscard]] Result<void> begin();
  /// The first error of a statement since `begin`; if there is one, the transaction must not be committed.
  [[nodiscard]] const std::optional<Error>& spoiled() const { return spoiled_; }

  struct Known {
    std::int64_t key = 0;
    std::int64_t hash = 0;
    Origin origin;
  };
  [[nodiscard]] Result<std::optional<Known>> find(std::string_view id);

  /// Packs the voices and returns the hash of the content (without the id), for a call of `store` right after it.
  /// Fails, with nothing written, for a piece that cannot be stored.
  [[nodiscard]] Result<std::int64_t> prepare(const Piece& piece);
  /// Stores the piece last prepared under `id`; `known` is the result of `find(id)`.
  [[nodiscard]] Result<PutOutcome> store(const Piece& piece, std::string_view id, const std::optional<Known>& known,
                                         const Origin& origin);
  [[nodiscard]] Result<void> remove(const Known& known);
  /// Forces the next import to read the file even if it is unchanged: some of its records are no longer in the
  /// collection.
  [[nodiscard]] Result<void> forget_file(std::int64_t file);

 private:
  [[nodiscard]] Result<PutOutcome> write(const Piece& piece, std::string_view id, const std::optional<Known>& known,
                                         const Origin& origin);
  [[nodiscard]] Result<std::int64_t> insert_piece(const Piece& piece, std::string_view id, const Origin& origin);
  [[nodiscard]] Result<void> update_piece(const Piece& piece, std::string_view id, std::int64_t key,
                                          const Origin& origin);
  [[nodiscard]] Result<void> replace_voices(const Piece& piece, std::int64_t key);
  [[nodiscard]] Result<void> insert_voice(const Piece& piece, std::int64_t key, std::size_t number);
  [[nodiscard]] Result<void> insert_texts(const Piece& piece, std::int64_t key);
  [[nodiscard]] Result<void> insert_words(const Piece& piece, std::int64_t key);
  [[nodiscard]] Result<void> remove_words(std::int64_t key);

  Database& database_;
  FeatureWriter features_;
  std::optional<Error> spoiled_;
  std::int64_t next_voice_ = 0;
  // Of the current piece; buffers are reused.
  std::int64_t hash_ = 0;
  std::vector<std::string> packed_;
  std::string catalogue_;
  std::string text_;
  std::string fields_;
  std::string terms_;
};

}  // namespace rondo
