#pragma once

#include <memory>
#include <optional>
#include <string>

#include "rondo/search/search.h"
#include "rondo/similarity/choose.h"

namespace rondo {

struct EngineOptions {
  /// How melodies are heard. For anything but the standard an index is made in memory, for this engine alone.
  LineOptions line{};
  /// Whether an index that is missing or out of date is written beside the collection; if not, or if that cannot be,
  /// it is made in memory.
  bool write_index = true;
  IndexProgress progress{};
};

/// Answers queries over a collection with any system: through the index; by scoring every piece where the
/// system is a mixture (but Orio), and those the index does not have whole where it compares whole pieces. One thread's
/// at a time; the collection must outlive it and not change meanwhile.
class Engine {
 public:
  [[nodiscard]] static Result<Engine> open(Collection& collection, EngineOptions options = {});
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) = delete;

  /// Shows the collection to a system, all of it, whatever a search selects later: so a melody scores the same with
  /// and without a selection. Before the first search with it.
  [[nodiscard]] Result<void> teach(System& system);
  [[nodiscard]] Result<SearchResult> search(const ChosenSystem& system, const Line& query,
                                            const SearchOptions& options);
  /// Whether the collection is still as it was when this was opened; if not, open another.
  [[nodiscard]] Result<bool> current() const;
  /// The line of a hit as it was compared, for an explanation.
  [[nodiscard]] Result<Line> line(const Found& hit);

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
