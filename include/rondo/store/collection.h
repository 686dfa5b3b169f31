#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/piece.h"

namespace rondo {

class Database;
class PieceWriter;

/// Key of a piece in the store. A piece keeps its key as long as it exists.
enum class PieceKey : std::int64_t {};
/// The voice with a given key never changes: when the notes change, the voice gets a new key; the old one goes to the
/// table removed_voice and is never reused. So an index is updated by adding the voices with keys above its highest and
/// dropping the removed ones.
enum class VoiceKey : std::int64_t {};
/// A selection of pieces, ascending; nullopt: all.
using PieceChoice = std::optional<std::vector<PieceKey>>;

enum class OpenMode : std::uint8_t {
  read,    ///< must exist; nothing is ever written
  write,   ///< must exist
  create,  ///< is created if it does not exist
};

/// Receives the number of migrated voices and of all voices.
using UpgradeWatcher = std::function<void(std::uint64_t done, std::uint64_t total)>;

enum class PutOutcome : std::uint8_t { added, updated, unchanged };

struct StoredPiece {
  PieceKey key{};
  Piece piece;
};

/// A melody as it is searched. The views are valid only during the callback.
struct StoredVoice {
  VoiceKey key{};
  PieceKey piece{};
  std::uint32_t number = 0;  ///< within its piece, from 0
  std::uint32_t note_count = 0;
  std::string_view packed;  ///< for unpack() of melody/packed.h
};

struct TextHit {
  PieceKey key{};
  std::string id;
  double score = 0;  ///< the higher the better; comparable within one answer only
};

/// The result of checking a collection.
struct CheckReport {
  struct Finding {
    std::string what;
    bool repaired = false;
  };
  std::vector<Finding> findings;
  std::uint64_t pieces = 0;  ///< examined
  std::uint64_t voices = 0;
  [[nodiscard]] bool sound() const { return findings.empty(); }
};

struct CollectionSize {
  std::int64_t pieces = 0;
  std::int64_t voices = 0;
  std::int64_t notes = 0;
};

/// Whether the name of a collection is the address of a PostgreSQL server: postgresql://HOST/DATABASE.
[[nodiscard]] bool is_server_address(std::string_view name);
/// The name of a collection for messages: an address without its password.
[[nodiscard]] std::string shown_name(std::string_view name);

/// One SQLite file with all pieces: docs/schema.md describes it for use with other tools.
///
/// Or a collection on a PostgreSQL server (docs/postgresql.md): then the file is a local mirror, updated when it is
/// opened, and writes are stored on the server before the mirror.
///
/// Several processes and threads may have the file open at once, each thread its own Collection: readers always see a
/// committed state and are not blocked by a writer; a second writer waits up to 10 s, then gets `store-busy`. A process
/// killed at any moment leaves a valid file with everything that was committed; a power failure may lose the last
/// commits, but nothing else.
class Collection {
 public:
  /// Errors: `store-missing`, `store-no-folder`, `store-unreadable`, `store-read-only`, `store-not-sqlite`,
  /// `store-foreign` (another program's database), `store-newer`, `store-older`, `store-corrupt`, `store-busy`.
  /// Opening for writing migrates a file of an older Rondo, which may take a while: `watch` receives the progress.
  /// `path` may be the address of a server; `watch` then receives the number of melodies fetched. Its errors:
  /// `store-libpq`, `store-unreachable`, `store-denied`, `store-extension`, and of writing `store-protocol`,
  /// `store-diverged`.
  [[nodiscard]] static Result<Collection> open(const std::filesystem::path& path, OpenMode mode,
                                               const UpgradeWatcher& watch = {});
  ~Collection();
  Collection(Collection&&) noexcept;
  Collection& operator=(Collection&&) noexcept;

  /// Stores a piece under its id, replacing the existing one. Nothing is written if the content is the same. A piece
  /// that exceeds the limits of the model is an error and changes nothing.
  [[nodiscard]] Result<PutOutcome> put(const Piece& piece);
  /// false: there is no such piece.
  [[nodiscard]] Result<bool> remove(std::string_view id);

  /// The error `piece-missing` if there is no such piece.
  [[nodiscard]] Result<Piece> get(std::string_view id);
  [[nodiscard]] Result<Piece> get(PieceKey key);
  [[nodiscard]] Result<bool> contains(std::string_view id);
  /// The key of an id. If there is no such piece, key_of fails with `piece-missing` and find_key returns nullopt.
  [[nodiscard]] Result<PieceKey> key_of(std::string_view id);
  [[nodiscard]] Result<std::optional<PieceKey>> find_key(std::string_view id);
  [[nodiscard]] Result<std::string> id_of(PieceKey key);

  /// Visits all pieces in the order of their keys, one in memory at a time, as of the beginning of the call. The
  /// callback returns false to stop; it must not change the collection. Without `source_text` that text is not read.
  [[nodiscard]] Result<void> each_piece(const std::function<bool(const StoredPiece&)>& visit, bool source_text = true);
  /// The same for all voices with a key above `after`. A million take about a second.
  [[nodiscard]] Result<void> each_voice(const std::function<bool(const StoredVoice&)>& visit,
                                        VoiceKey after = VoiceKey{0});

  /// Pieces whose texts contain all the words, best first: see store/full_text.h for the syntax. A malformed query is
  /// the error `text-query`.
  [[nodiscard]] Result<std::vector<TextHit>> find(std::string_view words, std::size_t limit = 100,
                                                  std::size_t offset = 0);

  [[nodiscard]] Result<CollectionSize> size();

  /// Reads the whole file and checks its consistency; `store-corrupt` says what is inconsistent.
  [[nodiscard]] Result<void> check();
  /// The same, but lists all damage. With `repair` (the collection must be open for writing) derived data is rebuilt
  /// (features, full text), and damaged pieces are marked, so that the next import of their files replaces them.
  /// Errors: those of reading the file.
  [[nodiscard]] Result<CheckReport> examine(bool repair);

  /// A transaction of many changes, a hundred times faster than single ones. Rolled back unless committed. An error of
  /// the store invalidates the batch (commit returns it again); an error of the piece does not.
  class Batch {
   public:
    ~Batch();
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) = delete;
    [[nodiscard]] Result<void> commit();

   private:
    friend class Collection;
    struct State;
    explicit Batch(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  [[nodiscard]] Result<Batch> begin();

  /// While one exists, all reads see one state. Keep it short: the log of a file that is being written to grows until
  /// the snapshot is released.
  class Snapshot {
   public:
    ~Snapshot();
    Snapshot(Snapshot&&) noexcept;
    Snapshot& operator=(Snapshot&&) = delete;

   private:
    friend class Collection;
    struct State;
    explicit Snapshot(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  [[nodiscard]] Result<Snapshot> snapshot();

  /// The file; for a collection on a server, its mirror.
  [[nodiscard]] const std::filesystem::path& path() const;
  /// Updates the mirror of a collection on a server, for long-running programs; false: nothing has changed. Other
  /// connections to the same mirror see the change like that of a file. Not within a batch or snapshot. Errors: as of
  /// `open`; the mirror is then unchanged.
  [[nodiscard]] Result<bool> refresh();

 private:
  // For modules that keep their own tables in the file.
  friend Database& database_of(Collection& collection);
  friend PieceWriter& writer_of(Collection& collection);
  struct State;
  explicit Collection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
