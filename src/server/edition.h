#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "rondo/search/index.h"
#include "rondo/search/rank.h"
#include "rondo/search/search.h"
#include "rondo/similarity/choose.h"
#include "server/card.h"
#include "server/facets.h"
#include "server/hearing.h"
#include "server/shelf.h"

namespace rondo::server {

using Clock = std::chrono::steady_clock;

/// Everything that is made from one state of the collection. When that changes there is a new edition; whoever still
/// works with the old one finishes with it. Any thread may ask for anything.
class Edition {
 public:
  [[nodiscard]] static Result<std::shared_ptr<Edition>> of(Collection& collection, std::string version);

  /// Short text that is another one for every state of the collection.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const CollectionSize& size() const { return size_; }

  /// Of melodies heard in this way.
  [[nodiscard]] Result<std::shared_ptr<const Index>> index(Collection& collection, const LineOptions& line,
                                                           Clock::time_point until);
  /// A system that knows the collection. `settings` as NAME:VALUE; the errors are those of resolve_system.
  [[nodiscard]] Result<std::shared_ptr<const ChosenSystem>> system(Collection& collection, std::string_view name,
                                                                   const std::vector<std::string>& settings,
                                                                   const LineOptions& line, Clock::time_point until);
  /// Whole pieces in memory, for mixtures and the systems that compare all voices at once.
  [[nodiscard]] Result<std::shared_ptr<const Corpus>> corpus(Collection& collection, const LineOptions& line,
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
  Shelf<std::size_t, Index> indexes_{4};  ///< by hearing_key
  Shelf<std::string, ChosenSystem> systems_{64};
  Shelf<std::size_t, Corpus> corpora_{2};
  Shelf<int, Facets> facets_{1};
  Shelf<int, std::string> counts_{1};
  Cards cards_;
};

}  // namespace rondo::server
