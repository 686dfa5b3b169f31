#pragma once

#include "store/backup.h"
#include "unit/world/world.h"

/// People who search, other processes that write the same files, and somebody who tries tokens.
namespace rondo::world {

class Searches {
 public:
  explicit Searches(std::string address) : address_(std::move(address)) {}

  void act(World& world) {
    if (!world.streams.empty() && world.once_in(3)) return read_on(world);
    switch (world.below(10)) {
      case 0: return health(world);
      case 1: return melody(world);
      case 2: return list(world);
      case 3: return forbidden(world);
      default: return search(world);
    }
  }

 private:
  void search(World& world) {
    static const std::vector<std::string> kSystems = {"rondo", "rondo", "shapeh", "P3"};
    const std::string id = fmt::format("ZQ{}", world.below(24));
    const std::string system = world.one_of(kSystems);
    const std::size_t count = 1 + world.below(6);
    const std::size_t offset = world.once_in(4) ? world.below(6) : 0;
    if (world.once_in(6)) world.settle();
    const bool slow = world.once_in(12);
    if (slow) SimClock::the().set_pace(400'000'000);
    const auto reply = world.ask(
        {"GET", fmt::format("/api/v1/search?id={}&system={}&k={}&offset={}", id, system, count, offset), address_});
    SimClock::the().set_pace(SimClock::kUsualLook);
    if (!reply) return;
    if (reply->status >= 500) return world.require(slow || reply->status == 500, "a search fails: " + reply->body);
    world.require(reply->status == 200 || reply->code() == "piece-missing", "a search fails: " + reply->body);
    if (reply->status == 200 && reply->json["complete"] == false) {
      return world.require(slow, "an incomplete list without haste");
    }
    // Whole pieces are read when they are first compared, perhaps after the collection has changed again.
    if (system == "P3" && !world.is_settled()) {
      bool missing = false;
      for (std::size_t i = world.oldest; i < world.states.size(); ++i)
        missing |= world.seen_with(i).find(id) == nullptr;
      return world.require(reply->status == 200 || missing, "a search fails: " + reply->body);
    }
    std::vector<CollectionState::Hit> found;
    if (reply->status == 200) {
      for (const Json& hit : reply->json["hits"]) found.push_back({hit["id"], hit["score"]});
    }
    std::string expected;
    for (std::size_t i = world.states.size(); i-- > world.oldest;) {
      const CollectionState& seen = world.seen_with(i);
      const Piece* query = seen.find(id);
      if ((query == nullptr) != (reply->status == 404)) continue;
      if (query == nullptr) return;
      const std::vector<CollectionState::Hit> page = this->page(*world.states[i], seen, system, *query, offset, count);
      if (page == found) return;
      expected += "\n  " + in_words(page);
    }
    world.fail(fmt::format("{}, the list{}\n  is none of those by scoring each melody:{}", reply->status,
                           "\n  " + in_words(found), expected));
  }

  /// Of a state that may be older than the file: what is gone from there is left out of the page.
  static std::vector<CollectionState::Hit> page(const CollectionState& state, const CollectionState& seen,
                                                const std::string& system, const Piece& query, std::size_t offset,
                                                std::size_t count) {
    std::vector<CollectionState::Hit> all = state.list(system, query);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(offset, all.size())));
    if (all.size() > count) all.resize(count);
    std::erase_if(all, [&](const auto& hit) { return seen.find(hit.id) == nullptr; });
    return all;
  }

  static std::string in_words(const std::vector<CollectionState::Hit>& hits) {
    std::string out;
    for (const auto& hit : hits) out += fmt::format("{} {}; ", hit.id, hit.score);
    return out;
  }

  void health(World& world) {
    const auto reply = world.ask({"GET", "/health", address_});
    if (!reply || reply->status != 200) return;
    bool known = false;
    for (std::size_t i = world.oldest; i < world.states.size(); ++i) {
      known = known || reply->json["melodies"] == world.states[i]->pieces().size();
    }
    world.require(known, "/health counts melodies of no state: " + reply->body);
    const auto metrics = world.ask({"GET", "/metrics", address_});
    if (!metrics || metrics->status != 200) return;
    const std::string name = "\nrondo_searches_total ";
    const std::size_t at = metrics->body.find(name);
    world.require(at != std::string::npos, "/metrics does not count searches");
    const std::uint64_t counted = std::stoull(metrics->body.substr(at + name.size()));
    world.require(counted == world.searches,
                  fmt::format("/metrics counts {} searches, not {}", counted, world.searches));
  }

  /// A melody as a browser with a cache gets it.
  void melody(World& world) {
    const std::string id = fmt::format("ZQ{}", world.below(24));
    const std::string target = "/api/v1/melodies/" + id;
    auto& [tag, kept] = cache_[target];
    if (world.once_in(2)) world.settle();
    const auto reply = world.ask({"GET", target, address_, "", "", "", tag});
    if (!reply || reply->status >= 500) return;
    if (reply->status == 200) {
      tag = reply->header("ETag");
      kept = reply->json["title"];
    }
    // For a moment after a change a cache may be told that what it has is still valid.
    if (reply->status == 304 && !world.is_settled()) return;
    for (std::size_t i = world.oldest; i < world.states.size(); ++i) {
      const Piece* piece = world.seen_with(i).find(id);
      if (piece == nullptr ? reply->status == 404 : reply->status != 404 && kept == piece->metadata.title) return;
    }
    world.fail(fmt::format("{} {} is shown as '{}'", reply->status, id, kept));
  }

  void list(World& world) {
    (void)world.ask({"GET", fmt::format("/api/v1/export?id=ZQ{}&k=20&format=csv", world.below(12)), address_});
  }

  void read_on(World& world) {
    const std::size_t at = world.below(world.streams.size());
    auto stream = std::move(world.streams[at]);
    world.streams.erase(world.streams.begin() + static_cast<std::ptrdiff_t>(at));
    if (world.once_in(3)) return;  // the client is gone
    while (stream.stream(*world.one_of(world.sessions))) {
    }
  }

  void forbidden(World& world) {
    static const std::vector<std::string> kTargets = {"/api/v1/studies", "/api/v1/studies/s0/export",
                                                      "/api/v1/studies/s0/votes", "/api/v1/study/s0/me"};
    const auto reply = world.ask({"GET", world.one_of(kTargets), address_}, {401});
    (void)reply;
  }

  std::string address_;
  std::map<std::string, std::pair<std::string, std::string>> cache_;  ///< tag and title, by target
};

/// Another process: it imports, edits and removes, one by one or many at once, or puts another file in its place.
class Imports {
 public:
  void act(World& world) {
    if (world.import_batch) {
      if (world.once_in(3)) return end_batch(world, !world.once_in(3));
    } else {
      pending_ = world.pieces();
      if (world.once_in(10)) return replace(world);
    }
    SimDisk::the().stamp_files();
    if (!world.importer) {
      // The library of another process; the disk does not fail it.
      auto opened = Collection::open(world.db(), OpenMode::write);
      if (!opened) world.fail("an import cannot open the collection: " + opened.error().to_string());
      world.importer.emplace(std::move(*opened));
    }
    if (!world.import_batch && world.once_in(3)) world.import_batch.emplace(test::must(world.importer->begin()));
    const int number = static_cast<int>(world.below(30));
    const std::string id = piece(number).id;
    const auto known = pending_.find(id);
    if (known != pending_.end() && number >= kPieces + 4 && world.once_in(2)) {
      world.log("import: removes " + id);
      test::must(world.importer->remove(id));
      pending_.erase(known);
    } else {
      const Piece one = piece(number, ++editions_);
      world.log("import: puts " + one.metadata.title);
      test::must(world.importer->put(one));
      pending_[id] = one;
    }
    if (!world.import_batch) world.commit(pending_);
    if (!world.import_batch && world.once_in(4)) world.importer.reset();
  }

 private:
  void end_batch(World& world, bool keep) {
    world.log(keep ? "import: commits" : "import: is given up");
    if (keep) {
      test::must(world.import_batch->commit());
      world.commit(pending_);
    }
    world.import_batch.reset();
    if (!keep) world.importer.reset();
  }

  void replace(World& world) {
    world.importer.reset();
    const bool other = world.once_in(2);
    world.log(other ? "another collection takes the place" : "the first collection comes back");
    world.replace(world.db(), other ? Fixture::the().other() : Fixture::the().db());
    world.commit(other ? Fixture::the().other_pieces : Fixture::the().pieces, true);
  }

  std::map<std::string, Piece> pending_;
  int editions_ = 0;
};

/// A person at the command line: holds the lock on the studies for a while, makes a copy of them, brings it back.
class KeepsFiles {
 public:
  void act(World& world) {
    if (world.lock) {
      world.log("the studies are free again");
      world.lock.reset();
      world.locker.reset();
      return;
    }
    switch (world.below(4)) {
      case 0:
      case 1: {
        world.log("another process writes the studies");
        world.locker.emplace(test::must(study::Studies::open(world.db(), OpenMode::write)));
        world.lock.emplace(test::must(Transaction::begin(world.locker->database(), Transaction::Kind::write)));
        return;
      }
      case 2: return copy(world);
      default: return bring_back(world);
    }
  }

 private:
  static std::filesystem::path studies_of(World& world) { return study::Studies::path_for(world.db()); }

  void copy(World& world) {
    world.log("the studies are copied");
    const std::filesystem::path to = studies_of(world).string() + ".copy";
    std::filesystem::remove(to);
    test::must(back_up(studies_of(world), to));
    copy_ = world.durable;
  }

  void bring_back(World& world) {
    if (!copy_) return;
    const std::string copy = studies_of(world).string() + ".copy";
    if (world.once_in(2)) {
      world.log("the copy of the studies is put in their place");
      world.replace(studies_of(world), copy);
    } else {
      world.log("the studies are restored");  // as by rondo backup --restore
      test::must(restore(copy, studies_of(world)));
    }
    world.durable = *copy_;
  }

  std::optional<Durable> copy_;
};

/// Tries tokens. It is slowed down, nobody else is, and it is let in again later.
class Attacks {
 public:
  void act(World& world) {
    const std::string address = "203.0.113.7";
    int limited = 0;
    for (int i = 0; i < 15; ++i) {
      const auto reply =
          world.ask({"POST", "/api/v1/login", address, "", "", "", "", {{"token", fmt::format("wrong {}", ++tries_)}}});
      if (!reply) return;  // cut off: the count is not known
      if (reply->status >= 500) return;
      world.require(reply->status == 401 || reply->status == 429, "a wrong token: " + reply->body);
      limited += reply->status == 429 ? 1 : 0;
    }
    world.require(limited > 0, "fifteen wrong tokens at once were not slowed down");
    world.advance(200);
    const auto reply = world.ask({"POST", "/api/v1/login", address, "", "", "", "", {{"token", "wrong again"}}});
    if (reply) world.require(reply->status == 401 || reply->status >= 500, "the limit does not end: " + reply->body);
  }

 private:
  int tries_ = 0;
};

}  // namespace rondo::world
