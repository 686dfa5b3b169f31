#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "melody/packed.h"
#include "rondo/store/import.h"
#include "store_support.h"

namespace rondo {
namespace {

using test::must;
using test::open_collection;

/// What one look at the collection must show, whatever is being written meanwhile. Gives the number of pieces.
std::int64_t look(Collection& music, std::int64_t batch) {
  auto whole = must(music.snapshot());
  const CollectionSize size = must(music.size());
  EXPECT_EQ(size.pieces % batch, 0) << "part of a batch is visible";
  EXPECT_EQ(size.voices, 2 * size.pieces);
  EXPECT_EQ(static_cast<std::int64_t>(must(music.find("menuet", 1'000'000)).size()), size.pieces);
  std::int64_t voices = 0;
  Voice voice;
  must(music.each_voice([&](const StoredVoice& stored) {
    ++voices;
    return unpack(stored.packed, voice).has_value();
  }));
  EXPECT_EQ(voices, size.voices);
  EXPECT_EQ(static_cast<std::int64_t>(test::ids_of(music).size()), size.pieces);
  return size.pieces;
}

TEST(Concurrency, ReadersSeeWholeBatchesWhileAnImportRuns) {
  constexpr int kRecords = 2000;
  constexpr int kBatch = 100;
  Scratch scratch;
  const std::string input = scratch.write("in.jsonl", test::json_lines(0, kRecords));
  open_collection(scratch / "music.db");
  std::atomic<bool> finished = false;
  std::atomic<int> partial_looks = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      Collection music = open_collection(scratch / "music.db", OpenMode::read);
      std::int64_t before = 0;
      while (!finished) {
        const std::int64_t now = look(music, kBatch);
        EXPECT_GE(now, before) << "what was there is gone";
        before = now;
        if (now > 0 && now < kRecords) ++partial_looks;
      }
      EXPECT_EQ(look(music, kBatch), kRecords);
    });
  }
  {
    Collection music = open_collection(scratch / "music.db", OpenMode::write);
    ImportOptions options;
    options.batch_records = kBatch;
    options.batch_time = std::chrono::hours(1);
    must(import_paths(music, std::vector{input}, options));
  }
  finished = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_GT(partial_looks, 0) << "nobody looked while the import ran";
}

TEST(Concurrency, ASnapshotStaysAsItWas) {
  Scratch scratch;
  Collection writer = open_collection(scratch / "music.db");
  must(writer.put(test::sample(1)));
  Collection reader = open_collection(scratch / "music.db", OpenMode::read);
  {
    auto whole = must(reader.snapshot());
    must(writer.put(test::sample(2)));
    must(writer.remove("id1"));
    EXPECT_TRUE(must(reader.contains("id1")));
    EXPECT_FALSE(must(reader.contains("id2")));
  }
  EXPECT_FALSE(must(reader.contains("id1")));
  EXPECT_TRUE(must(reader.contains("id2")));
}

TEST(Concurrency, ManyProcessesMayCreateOneCollectionAtOnce) {
  // Who comes between two steps of another is chance: it takes rounds to meet.
  for (int round = 0; round < 20; ++round) {
    Scratch scratch;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] { must(open_collection(scratch / "music.db").put(test::sample(i))); });
    }
    for (std::thread& thread : threads) thread.join();
    Collection music = open_collection(scratch / "music.db");
    EXPECT_EQ(must(music.size()).pieces, 6);
    must(music.check());
  }
}

}  // namespace
}  // namespace rondo
