#pragma once

#include "unit/world/world.h"

/// The machine of a world: how the server starts, ends and follows its files.
namespace rondo::world {

inline World::World(std::uint64_t its_seed) : seed(its_seed), random(its_seed) {
  namespace fs = std::filesystem;
  const Fixture& fixture = Fixture::the();
  SimClock::the().begin();
  SimDisk::the().begin(its_seed + 1);
  SimRandom::the() = statistics::Random(its_seed + 2);
  sqlite3_randomness(0, nullptr);
  for (const char* ending : {"", ".index", ".studies"}) {
    fs::copy_file(fixture.db().string() + ending, db().string() + ending);
    SimDisk::the().note_written(db().string() + ending);
  }
  durable = fixture.durable;
  commit(fixture.pieces);
  start();
}

inline World::~World() {
  stop();
  SimDisk::the().end();
  SimClock::the().end();
}

inline void World::start() {
  server::AppOptions options;
  options.collection = db();
  options.background = queues.maker();
  SimDisk::the().stamp_files();
  if (once_in(8)) SimDisk::the().fail_at(SimDisk::Fault::read, 1 + below(30));
  auto opened = server::App::open(options);
  if (SimDisk::the().disarm() && !opened) opened = server::App::open(options);
  if (!opened) fail("the server does not start: " + opened.error().to_string());
  app = std::move(*opened);
  constexpr int kSessions = 3;
  for (int i = 0; i < kSessions; ++i) {
    auto session = app->session();
    if (!session) fail("the server does not start: " + session.error().to_string());
    sessions.push_back(std::move(*session));
  }
  searches = 0;
  oldest = states.size() - 1;
}

inline void World::stop() {
  streams.clear();
  sessions.clear();
  app.reset();
  lock.reset();
  locker.reset();
  import_batch.reset();
  importer.reset();
}

inline void World::crash(bool power_lost) {
  SimDisk& disk = SimDisk::the();
  disk.switch_off();
  stop();
  disk.switch_on(power_lost);
  for (const char* file : {"-shm", ".studies-shm", ".links-shm"}) std::filesystem::remove(db().string() + file);
  // A line that was being written when the power went.
  const auto decided = concordances::Decisions::path_for(db());
  if (power_lost && once_in(2) && std::filesystem::exists(decided)) {
    const std::string line =
        concordances::decision_line({{"ZQ1", 0}, {"ZQ2", 0}, concordances::Verdict::accepted, "never said", "now"});
    std::ofstream(decided, std::ios::binary | std::ios::app) << line.substr(0, below(line.size()));
  }
  log(power_lost ? "the power was lost" : "the server was killed");
  if (power_lost) find_collection();
  start();
}

/// The last imports may be lost with the power (docs/collection.md), but only from the end.
inline void World::find_collection() {
  auto collection = Collection::open(db(), OpenMode::read);
  if (!collection) fail("the collection cannot be opened: " + collection.error().to_string());
  std::map<std::string, Piece> there;
  auto done = collection->each_piece([&](const StoredPiece& stored) {
    there.emplace(stored.piece.id, stored.piece);
    return true;
  });
  if (!done) fail("the collection cannot be read: " + done.error().to_string());
  while (!same(there, pieces())) {
    states.pop_back();
    require(!states.empty(), "the collection is none of its former states");
  }
}

inline void World::replace(const std::filesystem::path& file, const std::filesystem::path& by) {
  namespace fs = std::filesystem;
  const fs::path part = file.string() + ".part";
  fs::copy_file(by, part, fs::copy_options::overwrite_existing);
  for (const char* ending : {"-wal", "-shm"}) {
    fs::remove(file.string() + ending);
    SimDisk::the().forget(file.string() + ending);
  }
  fs::rename(part, file);
  SimDisk::the().forget(file);
  SimDisk::the().note_written(file);
}

inline void World::work(bool all) {
  SimDisk::the().stamp_files();
  if (!all && once_in(6)) SimDisk::the().fail_at(SimDisk::Fault::read, 1 + below(60));
  if (all) {
    while (queues.run_one(false)) {
    }
  } else {
    (void)queues.run_one(once_in(10));
  }
  if (SimDisk::the().disarm()) log("the disk failed below work in the background");
}

inline void World::settle() {
  // One request notices the change; after the longest pause between two snapshots every session has the new one.
  for (int i = 0; i < 3; ++i) {
    SimDisk::the().stamp_files();
    for (const auto& session : sessions) session->renew();
    work(true);
    advance(60);
  }
  for (const auto& session : sessions) {
    session->renew();
    require(session->snapshot->size().pieces == static_cast<std::int64_t>(pieces().size()),
            fmt::format("a minute later the server still has {} pieces instead of {}", session->snapshot->size().pieces,
                        pieces().size()));
  }
  oldest = states.size() - 1;
}

inline void World::check_decisions() {
  auto there = concordances::Decisions::open(concordances::Decisions::path_for(db()));
  if (!there) fail("the decisions cannot be read: " + there.error().to_string());
  std::map<std::pair<concordances::MelodyName, concordances::MelodyName>, std::pair<std::string, std::string>> found;
  for (const concordances::Decision& one : there->all()) {
    found[{one.a, one.b}] = {std::string(to_string(one.verdict)), one.note};
  }
  require(found == decisions, fmt::format("{} decisions instead of {}, or others", found.size(), decisions.size()));
}

}  // namespace rondo::world
