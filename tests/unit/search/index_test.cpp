#include "search/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "generate/generate.h"
#include "search/index/packed_column.h"
#include "search/index/snapshot.h"
#include "search/load.h"
#include "search/rank.h"
#include "search/search.h"
#include "similarity/implication.h"
#include "similarity/metric_weight.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"

namespace rondo {
namespace {

Piece generated(std::uint64_t number, std::string id = {}) {
  Piece piece = Generator(5).piece(number);
  if (!id.empty()) piece.id = std::move(id);
  return piece;
}

Collection filled(const std::filesystem::path& path, std::uint64_t pieces) {
  auto collection = Collection::open(path, OpenMode::create).value();
  for (std::uint64_t i = 0; i < pieces; ++i) EXPECT_TRUE(collection.put(generated(i)));
  return collection;
}

/// Ids and scores of the ten best under shapeh, from an index.
std::vector<std::pair<std::string, double>> found(const Index& index, Collection& collection, const Line& query) {
  const SystemRow& row = *find_system("shapeh");
  const auto system = system_named("shapeh");
  teach(index, *system);
  const auto id_of = [&](PieceKey key) { return collection.get(key).value().id; };
  std::vector<std::pair<std::string, double>> out;
  for (const Found& hit : search(index, row, *system, query, {.k = 10}, id_of).hits) {
    out.emplace_back(id_of(hit.piece), hit.score.value);
  }
  return out;
}

/// The same by scoring everything.
std::vector<std::pair<std::string, double>> expected(Collection& collection, const Line& query) {
  const SystemRow& row = *find_system("shapeh");
  const auto system = system_named("shapeh");
  const Corpus corpus = load_corpus(collection).value();
  corpus.teach(*system);
  std::vector<std::pair<std::string, double>> out;
  for (const Hit& hit : rank_all(row, *system, query, corpus, {.k = 10}).hits) {
    out.emplace_back(corpus.documents[hit.document].id, hit.score.value);
  }
  return out;
}

const Line kQuery = make_line(generated(3).voices.front());

/// Melodies of all lengths, with rare pitches and times, more than there are codes for.
Corpus odd_corpus() {
  std::mt19937 random(3);
  Corpus corpus;
  for (std::size_t i = 0; i < 400; ++i) {
    Document document;
    document.id = std::to_string(i);
    document.voices.push_back(i % 2 == 0 ? random_line(random, random() % 60) : make_line(generated(i).voices.front()));
    if (i % 5 == 0 && document.voices[0].size() > 2) {
      Line& line = document.voices[0];
      line.pitch[1] = static_cast<std::int16_t>(i % 128);
      line.base40[1] = static_cast<std::int16_t>(3 * i);
      line.duration[1] = static_cast<std::int64_t>(i + 1);
    }
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

TEST(Index, NoticesThatOtherPiecesGotTheKeysOfTheLastImport) {
  const Scratch scratch;
  const auto path = scratch / "c.db";
  const auto file = scratch / "c.db.index";
  (void)filled(path, 40);
  std::filesystem::copy_file(path, scratch / "backup");
  const auto import = [&](std::uint64_t from) {
    auto collection = Collection::open(path, OpenMode::write).value();
    for (std::uint64_t i = from; i < from + 5; ++i) EXPECT_TRUE(collection.put(generated(i)));
  };
  {
    auto collection = Collection::open(path, OpenMode::read).value();
    ASSERT_TRUE(Index::update(collection, file));
  }
  import(100);
  {
    auto collection = Collection::open(path, OpenMode::read).value();
    ASSERT_TRUE(Index::update(collection, file));
  }
  std::filesystem::rename(scratch / "backup", path);
  import(200);
  auto collection = Collection::open(path, OpenMode::read).value();
  EXPECT_FALSE(Index::open(file).value().fits(collection).value());
  const auto index = Index::update(collection, file);
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->fits(collection).value());
}

TEST(IndexLines, AreThoseTheyWereMadeFrom) {
  const Corpus corpus = odd_corpus();
  const Index index = Index::of(corpus).value();
  const index::Segment& segment = index.snapshot().segments.front();
  ASSERT_EQ(segment.size(), corpus.documents.size());
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    const Line& original = corpus.documents[static_cast<std::size_t>(segment.piece(d)) - 1].voices.front();
    segment.line(d, line);
    ASSERT_EQ(line.pitch, original.pitch);
    ASSERT_EQ(line.base40, original.base40);
    ASSERT_EQ(line.onset, original.onset);
    ASSERT_EQ(line.duration, original.duration);
    ASSERT_EQ(line.bars, original.bars);
    ASSERT_EQ(line.ticks_per_whole, original.ticks_per_whole);
  }
}

TEST(IndexLines, HaveTheirMetricWeights) {
  Corpus corpus = odd_corpus();
  std::mt19937 random(4);
  for (const std::size_t notes : {index::kMaxNotesWithMetricWeight, index::kMaxNotesWithMetricWeight + 1}) {
    corpus.documents.emplace_back().voices.push_back(random_line(random, notes));
  }
  const Index index = Index::of(corpus).value();
  const index::Segment& segment = index.snapshot().segments.front();
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    segment.line(d, line);
    const std::span<const std::uint8_t> beats = segment.beats(segment.notes_of(d));
    const std::vector<double> weights = metric_weights(line.onset);
    ASSERT_EQ(beats.size(), weights.size());
    for (std::size_t i = 0; i < beats.size(); ++i) {
      const double expected = line.size() > index::kMaxNotesWithMetricWeight ? 0 : weights[i];
      ASSERT_NEAR(beats[i] / 255.0, expected, 0.501 / 255) << d << " " << i;
    }
  }
}

TEST(IndexLines, HaveTheirStructures) {
  Corpus corpus = odd_corpus();
  // A note repeated longer than any structure is told, and more kinds of structures than there are codes for.
  for (std::size_t notes = 1; notes < 300; notes += notes < 150 ? 1 : 49) {
    Line line;
    for (std::size_t i = 0; i < notes; ++i) {
      line.pitch.push_back(60);
      line.base40.push_back(100);
      line.onset.push_back(static_cast<std::int64_t>(i));
      line.duration.push_back(1);
    }
    line.ticks_per_whole = 4;
    corpus.documents.emplace_back().voices.push_back(std::move(line));
  }
  const Index index = Index::of(corpus).value();
  const index::Segment& segment = index.snapshot().segments.front();
  const std::span<const index::StructureCode> codes = segment.structure_codes();
  EXPECT_EQ(codes.size(), index::kStructureException);
  Line line;
  std::vector<Structure> chain;
  std::size_t without_code = 0;
  for (const index::DocumentId first : {0U, 1U, 64U, 100U}) {
    index::Segment::Chains chains(segment, first);
    for (index::DocumentId d = first; d < segment.size(); ++d) {
      segment.line(d, line);
      parse_structures(line, chain);
      const std::span<const std::uint8_t> told = chains.next();
      ASSERT_EQ(told.size(), std::max<std::size_t>(1, chain.size())) << d;
      EXPECT_GE(told.back(), index::kLastStructure);
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const std::size_t code = told[i] % index::kLastStructure;
        without_code += code == index::kStructureException ? 1 : 0;
        if (code == index::kStructureException) continue;
        ASSERT_EQ(codes[code].archetype, static_cast<std::uint8_t>(chain[i].archetype));
        ASSERT_EQ(codes[code].retrospective != 0, chain[i].retrospective);
        ASSERT_EQ(codes[code].direction, chain[i].direction);
        ASSERT_EQ(codes[code].overlap, chain[i].overlap);
        ASSERT_EQ(codes[code].notes, std::min(chain[i].size(), index::kLongestStructure));
      }
    }
    EXPECT_TRUE(chains.next().empty());
  }
  EXPECT_GT(without_code, 0U);
}

TEST(IndexFile, FollowsItsCollectionThroughAdditionsChangesAndRemovals) {
  const Scratch folder;
  const auto path = folder / "c.db";
  const auto file = Index::path_for(path);
  Collection collection = filled(path, 200);
  Index index = Index::update(collection, file).value();
  EXPECT_TRUE(index.fits(collection).value());
  EXPECT_EQ(found(index, collection, kQuery), expected(collection, kQuery));

  // An addition that ties with what is there, and whose id comes first.
  ASSERT_TRUE(collection.put(generated(3, "0 first of all")));
  EXPECT_FALSE(index.fits(collection).value());
  index = Index::update(collection, file).value();
  EXPECT_EQ(index.segments(), 2U);
  EXPECT_TRUE(index.fits(collection).value());
  EXPECT_EQ(found(index, collection, kQuery), expected(collection, kQuery));
  EXPECT_EQ(found(index, collection, kQuery).front().first, "0 first of all");

  // Other notes under an old id, and one piece less.
  ASSERT_TRUE(collection.put(generated(900, "0 first of all")));
  ASSERT_TRUE(collection.remove(generated(3).id));
  index = Index::update(collection, file).value();
  EXPECT_EQ(found(index, collection, kQuery), expected(collection, kQuery));

  // One voice of two changes: the other must stay findable, and count once.
  Piece duet = generated(10, "duet");
  duet.voices.push_back(generated(11).voices.front());
  ASSERT_TRUE(collection.put(duet));
  index = Index::update(collection, file).value();
  duet.voices[1] = generated(12).voices.front();
  ASSERT_TRUE(collection.put(duet));
  index = Index::update(collection, file).value();
  for (const std::uint64_t like : {10U, 11U, 12U}) {
    const Line query = make_line(generated(like).voices.front());
    EXPECT_EQ(found(index, collection, query), expected(collection, query)) << like;
  }
  EXPECT_EQ(Index::open(file).value().voices(), index.voices());
}

TEST(IndexFile, AnIndexOfAnotherCollectionIsNotTakenForItsOwn) {
  const Scratch folder;
  const auto path = folder / "c.db";
  const auto file = Index::path_for(path);
  {
    Collection collection = filled(path, 50);
    ASSERT_TRUE(Index::update(collection, file));
  }
  std::filesystem::remove(path);
  auto other = Collection::open(path, OpenMode::create).value();
  for (std::uint64_t i = 0; i < 50; ++i) ASSERT_TRUE(other.put(generated(1000 + i)));
  EXPECT_FALSE(Index::open(file).value().fits(other).value());
  const Index index = Index::update(other, file).value();
  EXPECT_EQ(found(index, other, kQuery), expected(other, kQuery));
}

TEST(IndexFile, DamageIsNoticedAndMended) {
  const Scratch folder;
  const auto path = folder / "c.db";
  const auto file = Index::path_for(path);
  Collection collection = filled(path, 100);
  ASSERT_TRUE(Index::update(collection, file));
  const auto size = std::filesystem::file_size(file);
  std::mt19937_64 random(1);
  int noticed = 0;
  for (int round = 0; round < test::rounds(60); ++round) {
    std::string bytes(size, '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(size));
    // Behind the superblocks every byte but a little padding is covered by a checksum.
    const std::size_t at = 8192 + random() % (size - 8192);
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    const auto copy = folder / "damaged.index";
    std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    const auto opened = Index::open(copy);
    if (!opened) {
      ++noticed;
      EXPECT_EQ(opened.error().code, "index-damaged");
    }
  }
  EXPECT_GE(noticed, test::rounds(54));
  for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{100}, std::uintmax_t{9000}, size / 2}) {
    std::filesystem::resize_file(file, left);
    EXPECT_FALSE(Index::open(file));
    ASSERT_TRUE(Index::update(collection, file)) << left;
    EXPECT_TRUE(Index::open(file));
  }
}

TEST(IndexFile, AMissingOneSaysHowToMakeIt) {
  const auto opened = Index::open("/nowhere/at/all.index");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "index-missing");
  EXPECT_THAT(opened.error().hint, testing::HasSubstr("rondo index"));
}

TEST(Search, CanBeStoppedAndSaysSo) {
  const Scratch folder;
  Collection collection = filled(folder / "c.db", 300);
  const Index index = Index::of(collection).value();
  const SystemRow& row = *find_system("LDP");
  const auto system = system_named("LDP");
  const SearchResult stopped =
      search(index, row, *system, kQuery, {.k = 3, .time_limit = std::chrono::milliseconds(0)});
  EXPECT_FALSE(stopped.complete);
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(search(index, row, *system, kQuery, {.k = 3, .stop = source.get_token()}).complete);
  EXPECT_TRUE(search(index, row, *system, kQuery, {.k = 3}).complete);
}

TEST(Search, LooksOnlyAmongTheChosen) {
  const Scratch folder;
  Collection collection = filled(folder / "c.db", 300);
  const Index index = Index::of(collection).value();
  for (const char* name : {"shapeh", "time", "ngr5", "contour"}) {
    const SystemRow& row = *find_system(name);
    const auto system = system_named(name);
    teach(index, *system);
    std::vector<PieceKey> chosen;
    for (std::int64_t key = 2; key <= 300; key += 7) chosen.push_back(PieceKey{key});
    const SearchResult some = search(index, row, *system, kQuery, {.k = 5, .among = chosen, .except = PieceKey{9}});
    const SearchResult all = search(index, row, *system, kQuery, {.k = 300});
    std::vector<std::int64_t> expected;
    for (const Found& hit : all.hits) {
      const auto key = static_cast<std::int64_t>(hit.piece);
      if (key % 7 == 2 && key != 9 && expected.size() < 5) expected.push_back(key);
    }
    std::vector<std::int64_t> got;
    for (const Found& hit : some.hits) got.push_back(static_cast<std::int64_t>(hit.piece));
    EXPECT_EQ(got, expected) << name;
    EXPECT_LE(some.compared, chosen.size() - 1) << name;
  }
}

TEST(PackedColumn, TakesAsManyBytesAsTheGreatestNeeds) {
  const auto packed = [](std::vector<std::uint32_t> values) {
    const std::vector<std::uint8_t> bytes = index::PackedColumn::pack(values);
    const auto column =
        index::PackedColumn::of(std::as_bytes(std::span(bytes)), static_cast<std::uint32_t>(values.size()));
    EXPECT_TRUE(column.has_value());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ((*column)[i], values[i]);
    return bytes.size();
  };
  EXPECT_EQ(packed({}), 0U);
  EXPECT_EQ(packed({0, 0, 0}), 0U);
  EXPECT_EQ(packed({0, 255, 3}), 3U);
  EXPECT_EQ(packed({256, 65535, 3}), 6U);
  EXPECT_EQ(packed({65536, 0xFFFFFFFF, 3}), 12U);
  const std::vector<std::byte> three(3);
  EXPECT_FALSE(index::PackedColumn::of(three, 2).has_value());
}

}  // namespace
}  // namespace rondo
