#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "rondo/search/index.h"
#include "rondo/search/rank.h"
#include "rondo/search/search.h"
#include "server/card.h"
#include "server/facets.h"
#include "server/hearing.h"
#include "server/shelf.h"

namespace rondo::server {

using Clock = std::chrono::steady_clock;

/// Whole pieces in memory, for the systems that compare all voices at once.
struct WholePieces {
  Corpus corpus;
  std::vector<PieceKey> keys;  ///< of the documents, ascending
};

/// A system that knows the collection.
struct TaughtSystem {
  const SystemRow* row = nullptr;
  std::unique_ptr<System> system;
};

/// Everything that is made from one state of the collection. When that changes there is a new edition; whoever still
/// works with the old one finishes with it. Any thread may ask for anything.
class Edition {
 public:
  [[nodiscard]] static Result<std::shared_ptr<Edition>> of(Collection& collection, std::string version);

  /// Short text that is another one for every state of the collection.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const CollectionSize& size() const { return size_; }

  [[nodiscard]] Result<std::shared_ptr<const Index>> index(Collection& collection, const Hearing& hearing,
                                                           Clock::time_point until);
  /// `settings` as NAME:VALUE. Errors: `system-unknown`, `parameter-...`.
  [[nodiscard]] Result<std::shared_ptr<const TaughtSystem>> system(Collection& collection, std::string_view name,
                                                                   const std::vector<std::string>& settings,
                                                                   const Hearing& hearing, Clock::time_point until);
  [[nodiscard]] Result<std::shared_ptr<const WholePieces>> whole_pieces(Collection& collection,
                                                                        Clock::time_point until);
  [[nodiscard]] Result<std::shared_ptr<const Facets>> facets(Collection& collection, Clock::time_point until);
  /// The counts of all pieces, as JSON.
  [[nodiscard]] Result<std::shared_ptr<const std::string>> all_counts(Collection& collection, Clock::time_point until);
  [[nodiscard]] Cards& cards() { return cards_; }

 private:
  Edition(std::string version, Index index, CollectionSize size)
      : version_(std::move(version)), size_(size), standard_(std::make_shared<const Index>(std::move(index))) {}

  std::string version_;
  CollectionSize size_;
  std::shared_ptr<const Index> standard_;
  Shelf<std::size_t, Index> indexes_{4};  ///< by Hearing::key
  Shelf<std::string, TaughtSystem> systems_{64};
  Shelf<int, WholePieces> whole_{1};
  Shelf<int, Facets> facets_{1};
  Shelf<int, std::string> counts_{1};
  Cards cards_;
};

/// The row of that name, or the error `system-unknown` that lists the names.
[[nodiscard]] Result<const SystemRow*> system_row(std::string_view name);

}  // namespace rondo::server
