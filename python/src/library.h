#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "choice.h"
#include "melody.h"
#include "rondo/search/service.h"
#include "rondo/store/import.h"

namespace rondo::python {

struct LibraryHit {
  std::size_t rank = 0;
  double score = 0;
  std::string id;
  std::uint32_t voice = 0;
  std::string title;
  std::string composer;
  std::size_t duplicates = 0;
  std::optional<double> probability{};
};

/// The hits of a search, and what became of all pieces (SearchResult).
struct LibraryAnswer {
  std::vector<LibraryHit> hits;
  std::size_t compared = 0;
  std::size_t not_reached = 0;
  std::size_t too_short = 0;
  std::size_t filtered_out = 0;
};

/// A collection as Python holds it. One thread at a time is let in, so that Python's threads may share it; whoever
/// waits has let go of the GIL, which callbacks want. Methods throw Raised.
class Library {
 public:
  Library(const std::string& path, OpenMode mode);

  void close();
  [[nodiscard]] std::size_t size();
  [[nodiscard]] std::string path();
  /// For people: the file and how many pieces it has.
  [[nodiscard]] std::string describe();
  [[nodiscard]] bool contains(const std::string& id);
  [[nodiscard]] MelodyPointer get(const std::string& id);
  [[nodiscard]] std::vector<std::string> ids(const std::string& where);
  [[nodiscard]] PutOutcome put(const Melody& melody);
  [[nodiscard]] bool remove(const std::string& id);
  [[nodiscard]] ImportSummary import_paths(const std::vector<std::string>& paths, const ImportOptions& options,
                                           const std::function<bool(const ImportProgress&)>& watch);
  /// All pieces, or those for which `where` holds.
  void each(const std::string& where, const std::function<void(const Piece&)>& visit);
  [[nodiscard]] std::optional<PieceKey> find_key(const std::string& id);
  [[nodiscard]] std::optional<std::vector<PieceKey>> chosen(const std::string& where, const std::string& text);
  [[nodiscard]] LibraryAnswer search(const SearchRequest& request);

 private:
  [[nodiscard]] Collection& open();
  std::mutex mutex_;
  std::optional<Collection> collection_;
  std::shared_ptr<CollectionSnapshot> snapshot_;  ///< of the last search; null: there was none
};

}  // namespace rondo::python
