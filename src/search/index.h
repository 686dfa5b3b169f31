#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "rondo/search/service.h"
#include "rondo/store/collection.h"
#include "search/corpus.h"

namespace rondo {

namespace index {
struct Snapshot;
}

/// What searches a collection quickly: its melodies in few bytes, and lists of which melody has which windows of
/// notes. It is made from the collection and holds nothing that the collection does not; docs/index-format.md
/// describes the file. Immutable and cheap to copy; any number of threads may search it at once.
class Index {
 public:
  /// The file that goes with a collection: its name with ".index" behind, and behind that how melodies are heard, if
  /// not in the standard way. LineOptions::opening is never part of an index.
  [[nodiscard]] static std::filesystem::path path_for(const std::filesystem::path& collection,
                                                      const LineOptions& heard = {});

  /// Opens a file, in some milliseconds for a million incipits. Errors: `index-missing`, `index-unreadable`,
  /// `index-damaged`, `index-version`.
  [[nodiscard]] static Result<Index> open(const std::filesystem::path& file);
  /// An index that lives in memory only.
  [[nodiscard]] static Result<Index> of(const Corpus& corpus);
  [[nodiscard]] static Result<Index> of(Collection& collection, const IndexProgress& progress = {},
                                        const LineOptions& heard = {});

  /// Brings the file up to date with the collection and opens it. Makes it where there is none, or where it is of no
  /// use (damaged, another version, another collection's); otherwise only what was added since is added. A process
  /// killed at any moment leaves the old file or the new one; readers of the old one are not disturbed.
  [[nodiscard]] static Result<Index> update(Collection& collection, const std::filesystem::path& file,
                                            const IndexProgress& progress = {}, const LineOptions& heard = {});
  /// The same from the beginning.
  [[nodiscard]] static Result<Index> rebuild(Collection& collection, const std::filesystem::path& file,
                                             const IndexProgress& progress = {}, const LineOptions& heard = {});
  /// Whether nothing was added, changed or removed since, and melodies were heard in this way.
  [[nodiscard]] Result<bool> fits(Collection& collection, const LineOptions& heard = {}) const;

  /// The same melodies, of each only the first notes: a view, made in milliseconds.
  [[nodiscard]] Index opening(std::uint32_t notes) const;

  /// The pieces, ascending, of which it does not have every note: several voices; and where melodies are heard in the
  /// standard way, chords and times too fine for a grid.
  [[nodiscard]] const std::vector<PieceKey>& partial() const;
  [[nodiscard]] std::size_t voices() const;
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t segments() const;

  [[nodiscard]] const index::Snapshot& snapshot() const { return *snapshot_; }
  explicit Index(std::shared_ptr<const index::Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}

 private:
  std::shared_ptr<const index::Snapshot> snapshot_;
};

}  // namespace rondo
