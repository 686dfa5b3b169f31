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

/// Makes searches of a collection fast: compact melodies, and posting lists from windows of notes to melodies. It holds
/// only data derived from the collection; docs/index-format.md describes the file. Immutable and cheap to copy; any
/// number of threads may search it at once.
class Index {
 public:
  /// The index file of a collection: its name with the suffix ".index", and a further suffix for line options other
  /// than the default. LineOptions::opening is never part of an index.
  [[nodiscard]] static std::filesystem::path path_for(const std::filesystem::path& collection,
                                                      const LineOptions& heard = {});

  /// Opens a file, in some milliseconds for a million incipits. Errors: `index-missing`, `index-unreadable`,
  /// `index-damaged`, `index-version`.
  [[nodiscard]] static Result<Index> open(const std::filesystem::path& file);
  /// An index that lives in memory only.
  [[nodiscard]] static Result<Index> of(const Corpus& corpus);
  [[nodiscard]] static Result<Index> of(Collection& collection, const IndexProgress& progress = {},
                                        const LineOptions& heard = {});

  /// Updates the file from the collection and opens it. Builds it if it is missing or unusable (damaged, another
  /// version, of another collection); otherwise adds only what is new. A process killed at any moment leaves the old
  /// file or the new one; readers of the old one are not affected.
  [[nodiscard]] static Result<Index> update(Collection& collection, const std::filesystem::path& file,
                                            const IndexProgress& progress = {}, const LineOptions& heard = {});
  /// The same from the beginning.
  [[nodiscard]] static Result<Index> rebuild(Collection& collection, const std::filesystem::path& file,
                                             const IndexProgress& progress = {}, const LineOptions& heard = {});
  /// Whether the index is up to date with the collection and was built with these line options.
  [[nodiscard]] Result<bool> fits(Collection& collection, const LineOptions& heard = {}) const;

  /// A view of the same melodies, each truncated to its first notes; made in milliseconds.
  [[nodiscard]] Index opening(std::uint32_t notes) const;

  /// The pieces, ascending, that it does not store completely: those with several voices and, with default line
  /// options, with chords or times too fine for the grid.
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
