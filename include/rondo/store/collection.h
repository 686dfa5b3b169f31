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

/// Rows of the store. A piece keeps its key as long as it exists.
enum class PieceKey : std::int64_t {};
/// What a key of a voice names never changes: when the notes change, the voice gets a new key, the old one goes to
/// the table removed_voice and is never used again. So an index is brought up to date by adding the voices with
/// higher keys than it knows and dropping the removed ones.
enum class VoiceKey : std::int64_t {};
/// Pieces that something is confined to, ascending; nothing: all.
using PieceChoice = std::optional<std::vector<PieceKey>>;

enum class OpenMode : std::uint8_t {
  read,    ///< must exist; nothing is ever written
  write,   ///< must exist
  create,  ///< is made where there is none
};

/// Told how many of how many voices have been brought up to date.
using UpgradeWatcher = std::function<void(std::uint64_t done, std::uint64_t total)>;

enum class PutOutcome : std::uint8_t { added, updated, unchanged };

struct StoredPiece {
  PieceKey key{};
  Piece piece;
};

/// A melody as it is searched. The views are valid during the callback that gets them.
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

/// What an examination of a collection found.
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

/// One SQLite file with everything Rondo knows: docs/schema.md describes it for people with other tools.
///
/// Or a collection on a PostgreSQL server (docs/postgresql.md): then the file is a mirror of it on this machine,
/// brought up to date when it is opened, and what is written is stored on the server before it is in the mirror.
///
/// Several processes and threads may have the file open at once, each thread its own Collection: readers always see
/// a state that was committed, and go on while one writes; a second writer waits up to 10 s, then gets `store-busy`.
/// A process killed at any moment leaves a good file with everything that was committed; after a power cut the last
/// moments before it may be missing, never more.
class Collection {
 public:
  /// Errors: `store-missing`, `store-no-folder`, `store-unreadable`, `store-read-only`, `store-not-sqlite`,
  /// `store-foreign` (another program's database), `store-newer`, `store-older`, `store-corrupt`, `store-busy`.
  /// Opened for writing, a file of an older Rondo is brought up to date, which may take a while: `watch` is told.
  /// `path` may be the address of a server; `watch` is then told of the melodies fetched. Its errors: `store-libpq`,
  /// `store-unreachable`, `store-denied`, `store-extension`, and of writing `store-protocol`, `store-diverged`.
  [[nodiscard]] static Result<Collection> open(const std::filesystem::path& path, OpenMode mode,
                                               const UpgradeWatcher& watch = {});
  ~Collection();
  Collection(Collection&&) noexcept;
  Collection& operator=(Collection&&) noexcept;

  /// Stores a piece under its id, in place of what was there. Nothing is written when the content is the same.
  /// A piece that breaks the limits of the model is an error and changes nothing.
  [[nodiscard]] Result<PutOutcome> put(const Piece& piece);
  /// false: there was none.
  [[nodiscard]] Result<bool> remove(std::string_view id);

  /// The error `piece-missing` where there is none.
  [[nodiscard]] Result<Piece> get(std::string_view id);
  [[nodiscard]] Result<Piece> get(PieceKey key);
  [[nodiscard]] Result<bool> contains(std::string_view id);
  /// The key of an id: `piece-missing` where there is none, or nothing from find_key.
  [[nodiscard]] Result<PieceKey> key_of(std::string_view id);
  [[nodiscard]] Result<std::optional<PieceKey>> find_key(std::string_view id);
  [[nodiscard]] Result<std::string> id_of(PieceKey key);

  /// All pieces, in the order of their keys, one in memory at a time, as they were when the call began. The callback
  /// returns false to stop; it must not change the collection. Without `source_text` that text is not read.
  [[nodiscard]] Result<void> each_piece(const std::function<bool(const StoredPiece&)>& visit, bool source_text = true);
  /// All voices with a higher key than `after`, likewise. A million take about a second.
  [[nodiscard]] Result<void> each_voice(const std::function<bool(const StoredVoice&)>& visit,
                                        VoiceKey after = VoiceKey{0});

  /// Pieces whose texts hold all the words, best first: see store/full_text.h for what can be written.
  /// A question that cannot be understood is the error `text-query`.
  [[nodiscard]] Result<std::vector<TextHit>> find(std::string_view words, std::size_t limit = 100,
                                                  std::size_t offset = 0);

  [[nodiscard]] Result<CollectionSize> size();

  /// Reads the whole file and compares everything that must agree; `store-corrupt` says what does not.
  [[nodiscard]] Result<void> check();
  /// The same to its end: everything that is damaged, none if nothing is. With `repair` (the collection must be open
  /// for writing) what follows from other rows is made anew (features, full text), and pieces that are damaged are
  /// marked, so that the next import of their files replaces them. Errors: those of reading the file.
  [[nodiscard]] Result<CheckReport> examine(bool repair);

  /// Many changes as one: all are kept or none, and it is a hundred times faster than one by one. Undone unless
  /// committed. An error while storing spoils the batch (commit gives it again); an error of the piece does not.
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

  /// While one exists, everything read comes from one and the same state. Keep it short: a file that is being
  /// written to grows until it is gone.
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

  /// The file: of a collection on a server, its mirror.
  [[nodiscard]] const std::filesystem::path& path() const;
  /// Brings the mirror of a collection on a server up to date, for whoever has it open for long; false: nothing has
  /// changed. Other connections to the same mirror see the change as they see that of a file. Not within a batch or
  /// snapshot. Errors: as of `open`; the mirror stays as it was.
  [[nodiscard]] Result<bool> refresh();

 private:
  // For the rooms of the house that keep tables of their own in the file.
  friend Database& database_of(Collection& collection);
  friend PieceWriter& writer_of(Collection& collection);
  struct State;
  explicit Collection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
