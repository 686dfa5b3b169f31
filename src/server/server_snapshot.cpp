#include "server/server_snapshot.h"

#include <fmt/format.h>

#include "rondo/melody/builder.h"

namespace rondo::server {

Voice sample_melody() {
  VoiceBuilder builder;
  for (int i = 0; i < 8; ++i) builder.note(Fraction(i, 4), Fraction(1, 4), Pitch::from_midi(60 + i));
  return builder.finish().value_or(Voice());
}

Result<std::shared_ptr<ServerSnapshot>> ServerSnapshot::of(Collection& collection, const FileIdentity& file,
                                                           std::string version, Device device,
                                                           const MakeBackground& background) {
  SnapshotOptions options;
  options.device = device;
  options.background = background;
  auto snapshot = CollectionSnapshot::open(collection, std::move(options));
  if (!snapshot) return fail(std::move(snapshot.error()));
  auto size = collection.size();
  if (!size) return fail(std::move(size.error()));
  return std::shared_ptr<ServerSnapshot>(new ServerSnapshot(file, std::move(version), std::move(*snapshot), *size));
}

Result<std::shared_ptr<const Facets>> ServerSnapshot::facets(Collection& collection, Clock::time_point until) {
  return facets_.get(0, until, [&]() -> Result<std::shared_ptr<const Facets>> {
    auto facets = Facets::of(collection);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const Facets>(std::move(*facets));
  });
}

Result<std::shared_ptr<const std::string>> ServerSnapshot::all_counts(Collection& collection, Clock::time_point until) {
  return counts_.get(0, until, [&]() -> Result<std::shared_ptr<const std::string>> {
    auto facets = this->facets(collection, until);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const std::string>(json_text((*facets)->counts({}, std::nullopt)));
  });
}

Result<std::shared_ptr<const SortOrders>> ServerSnapshot::sort_orders(Collection& collection, Clock::time_point until) {
  return orders_.get(0, until, [&]() -> Result<std::shared_ptr<const SortOrders>> {
    auto orders = SortOrders::of(collection);
    if (!orders) return fail(std::move(orders.error()));
    return std::make_shared<const SortOrders>(std::move(*orders));
  });
}

Result<std::shared_ptr<const RandomMelodies>> ServerSnapshot::random_melodies(Collection& collection,
                                                                              const LineOptions& heard,
                                                                              Clock::time_point until) {
  const std::string key =
      fmt::format("{} {} {} {}", heard.graces, heard.ignore_repeated, heard.fold_octaves, heard.opening);
  return random_.get(key, until, [&]() -> Result<std::shared_ptr<const RandomMelodies>> {
    auto orders = sort_orders(collection, until);
    if (!orders) return fail(std::move(orders.error()));
    return std::make_shared<const RandomMelodies>(RandomMelodies::of(collection, (*orders)->pieces(), heard));
  });
}

Result<void> ServerSnapshot::warm(Collection& collection) {
  auto counts = all_counts(collection, Clock::time_point::max());
  if (!counts) return fail(std::move(counts.error()));
  auto system = snapshot_->system(collection, kDefaultSystem, {}, {}, Clock::time_point::max());
  if (!system) return fail(std::move(system.error()));
  if (on_card()) {
    // Whatever the melody: this loads the collection onto the card.
    SearchRequest request;
    request.query = sample_melody();
    if (auto done = snapshot_->prepare(collection, request); !done) return done;
  }
  snapshot_->prepare_all();
  return {};
}

}  // namespace rondo::server
