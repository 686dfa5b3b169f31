#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "concordances/journal.h"
#include "concordances/melody_set.h"
#include "concordances/write.h"
#include "generate/generate.h"
#include "search/load.h"
#include "search/scores.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"

namespace rondo::concordances {
namespace {

namespace fs = std::filesystem;

/// Generated incipits, some in another key under another id, some pieces with two voices.
Collection small_collection(const fs::path& path, std::uint64_t pieces, std::uint64_t first = 0) {
  auto collection = Collection::open(path, OpenMode::create).value();
  const Generator generator(11);
  for (std::uint64_t i = first; i < first + pieces; ++i) {
    Piece piece = generator.piece(i);
    if (i % 7 == 3) piece.voices.push_back(generator.piece(i - 1).voices.front());
    EXPECT_TRUE(collection.put(piece));
    if (i % 10 != 5) continue;
    piece.id = "again-" + piece.id;
    for (Note& note : piece.voices.front().notes) note.pitch = Pitch::from_midi(note.pitch.midi() + 2);
    EXPECT_TRUE(collection.put(piece));
  }
  return collection;
}

Options wanted(double least = 0.5) {
  Options out;
  out.least_score = least;
  out.threads = 2;
  return out;
}

std::string text_of(const Concordances& found) {
  std::ostringstream out;
  for (const Pair& pair : found.pairs) {
    const MelodyRef& a = found.melodies[pair.a];
    const MelodyRef& b = found.melodies[pair.b];
    out << a.id << ' ' << a.voice << ' ' << a.second << ' ' << b.id << ' ' << b.voice << ' ' << b.second << ' '
        << to_string(pair.relation) << ' ' << std::hexfloat << pair.ab << ' ' << pair.ba << '\n';
  }
  return out.str();
}

Concordances run_whole(Collection& collection, const Options& options, const fs::path& journal,
                       Collection* against = nullptr) {
  Job job = Job::prepare(collection, against, options).value();
  EXPECT_TRUE(job.run(journal).value());
  const fs::path journals[] = {journal};
  return job.collect(journals).value();
}

TEST(ConcordancesJob, FindsWhatScoringAllMelodiesFinds) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", test::kSanitized ? 45 : 90);
  const Concordances found = run_whole(collection, wanted(), scratch / "journal");
  std::set<std::string> expected;
  const Corpus corpus = load_corpus(collection).value();
  const ChosenSystem system = resolve_system("rondo").value();
  for (const Document& a : corpus.documents) {
    for (const Document& b : corpus.documents) {
      if (a.id >= b.id) continue;
      for (std::size_t v = 0; v < a.voices.size(); ++v) {
        for (std::size_t w = 0; w < b.voices.size(); ++w) {
          if (a.voices[v].size() < 8 || b.voices[w].size() < 8) continue;
          const double ab = system.system->prepare(a.voices[v])->score(b.voices[w]).value;
          const double ba = system.system->prepare(b.voices[w])->score(a.voices[v]).value;
          if (std::min(ab, ba) < 0.5) continue;
          std::ostringstream one;
          one << a.id << ' ' << v << ' ' << b.id << ' ' << w << ' ' << std::hexfloat << ab << ' ' << ba;
          expected.insert(one.str());
        }
      }
    }
  }
  std::set<std::string> actual;
  for (const Pair& pair : found.pairs) {
    const MelodyRef& a = found.melodies[pair.a];
    const MelodyRef& b = found.melodies[pair.b];
    std::ostringstream one;
    one << a.id << ' ' << a.voice << ' ' << b.id << ' ' << b.voice << ' ' << std::hexfloat << pair.ab << ' ' << pair.ba;
    actual.insert(one.str());
  }
  EXPECT_GT(expected.size(), test::rounds(10U));
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(found.pairs.size(), expected.size());
}

TEST(ConcordancesJob, GivesTheSameResultInAnyNumberOfParts) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp goes the same ways";
#endif
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 60);
  const std::string whole = text_of(run_whole(collection, wanted(), scratch / "whole"));
  for (const std::uint32_t parts : {2U, 3U, 500U}) {
    std::vector<fs::path> journals;
    Options options = wanted();
    options.parts = parts;
    for (options.part = parts; options.part >= 1; --options.part) {
      journals.push_back(scratch / ("part" + std::to_string(options.part) + "of" + std::to_string(parts)));
      ASSERT_TRUE(Job::prepare(collection, nullptr, options)->run(journals.back()).value());
    }
    const Job merging = Job::prepare(collection, nullptr, wanted()).value();
    EXPECT_EQ(text_of(merging.collect(journals).value()), whole);
    journals.pop_back();
    const auto missing = merging.collect(journals);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, "parts-missing");
  }
}

TEST(ConcordancesJob, GoesOnWhereAJournalWasCutOffAnywhere) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 30);
  const std::string whole = text_of(run_whole(collection, wanted(), scratch / "whole"));
  std::ifstream in(scratch / "whole", std::ios::binary);
  const std::string journal{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  // Whatever a killed process has left, it is read up to the last block that is closed.
  const std::size_t head = journal.find('\n') + 1;
  std::size_t closed = 0, blocks = 0;
  std::vector<std::size_t> ends;
  for (std::size_t cut = 0; cut <= journal.size(); ++cut) {
    if (cut == head) closed = head;
    if (cut > head && journal[cut - 1] == '\n' && journal.compare(journal.rfind('\n', cut - 2) + 1, 4, "end ") == 0) {
      closed = cut;
      ++blocks;
      ends.push_back(cut);
    }
    const auto read = Journal::parse(std::string_view(journal).substr(0, cut), "journal");
    ASSERT_TRUE(read) << "cut at " << cut;
    EXPECT_EQ(read->bytes, closed) << "cut at " << cut;
    EXPECT_EQ(read->strips.size(), blocks) << "cut at " << cut;
  }
  ASSERT_GT(blocks, 10U);
  // And from there the run goes on.
  const std::size_t middle = ends[ends.size() / 2];
  for (const std::size_t cut : {std::size_t{0}, std::size_t{9}, head - 1, head, middle - 1, middle, middle + 3,
                                journal.size() - 1, journal.size()}) {
    (void)scratch.write("cut", journal.substr(0, cut));
    EXPECT_EQ(text_of(run_whole(collection, wanted(), scratch / "cut")), whole) << "cut at " << cut;
  }
}

// As a crash of the machine may leave it: what was not synced is not there, although something behind it is.
TEST(ConcordancesJob, ComputesAgainWhatIsDamagedInItsJournal) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 30);
  const std::string whole = text_of(run_whole(collection, wanted(), scratch / "journal"));
  std::ifstream in(scratch / "journal", std::ios::binary);
  const std::string journal{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t head = journal.find('\n') + 1;
  ASSERT_GT(journal.size(), head + 60);
  const fs::path journals[] = {scratch / "journal"};
  for (const std::size_t begin : {head, (head + journal.size()) / 2, journal.size() - 50}) {
    std::string text = journal;
    text.replace(begin, 40, 40, '\0');
    (void)scratch.write("journal", text);
    const Job job = Job::prepare(collection, nullptr, wanted()).value();
    EXPECT_EQ(job.collect(journals).error().code, "journal-unreadable") << begin;
    EXPECT_EQ(text_of(run_whole(collection, wanted(), scratch / "journal")), whole) << begin;
  }
}

TEST(ConcordancesJob, RefusesTheJournalOfAnotherRunAndWhatIsNone) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 30);
  (void)run_whole(collection, wanted(), scratch / "journal");
  Job other = Job::prepare(collection, nullptr, wanted(0.6)).value();
  EXPECT_EQ(other.run(scratch / "journal").error().code, "journal-other");
  const fs::path journals[] = {scratch / "journal"};
  EXPECT_EQ(other.collect(journals).error().code, "journal-other");

  Job same = Job::prepare(collection, nullptr, wanted()).value();
  (void)scratch.write("journal", "something else\n");
  EXPECT_EQ(same.run(scratch / "journal").error().code, "journal-unreadable");
}

TEST(ConcordancesJob, OfNewMelodiesOnlyPairsWithOneOfThem) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 40);
  const Concordances before = run_whole(collection, wanted(), scratch / "before");
  const Generator generator(11);
  for (std::uint64_t i = 40; i < 60; ++i) ASSERT_TRUE(collection.put(generator.piece(i)));
  Piece copy = generator.piece(7);
  copy.id = "copy";
  ASSERT_TRUE(collection.put(copy));
  const Concordances after = run_whole(collection, wanted(), scratch / "after");
  Options options = wanted();
  options.since = std::to_string(before.last_voice);
  const Concordances added = run_whole(collection, options, scratch / "new");
  // What was found before and what is new is all there is.
  const auto lines = [](const std::string& text) {
    std::multiset<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.insert(line);
    return out;
  };
  auto both = lines(text_of(before));
  EXPECT_FALSE(added.pairs.empty());
  both.merge(lines(text_of(added)));
  EXPECT_EQ(both, lines(text_of(after)));
  options.since = "tomorrow";
  EXPECT_EQ(Job::prepare(collection, nullptr, options).error().code, "since-malformed");
  options.since = "2000-01-01";
  EXPECT_TRUE(Job::prepare(collection, nullptr, options));
}

TEST(ConcordancesJob, ReadsTheSameMelodiesWithAnyNumberOfThreads) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", test::kSanitized ? 1500 : 6000);
  const auto set_with = [&](unsigned threads) {
    MelodySet set;
    EXPECT_TRUE(set.add(collection, {8, true, true, threads}, false,
                        [](const StoredVoice& voice) { return static_cast<std::int64_t>(voice.key) % 3 == 0; }));
    set.finish();
    return set;
  };
  const MelodySet one = set_with(1);
  EXPECT_LT(one.units(), one.melodies().size());
  for (const unsigned threads : {2U, 5U}) {
    const MelodySet several = set_with(threads);
    EXPECT_EQ(several.digest(), one.digest());
    EXPECT_EQ(several.too_short(), one.too_short());
    EXPECT_EQ(several.last_voice(), one.last_voice());
    ASSERT_EQ(several.melodies().size(), one.melodies().size());
    for (std::size_t m = 0; m < one.melodies().size(); ++m) {
      EXPECT_EQ(several.melodies()[m].key, one.melodies()[m].key);
      EXPECT_EQ(several.melodies()[m].unit, one.melodies()[m].unit);
      EXPECT_EQ(several.melodies()[m].pitch, one.melodies()[m].pitch);
    }
  }
}

TEST(ConcordancesJob, RefusesAJournalWhereOtherMelodiesAreNew) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 30);
  const auto digest_with = [&](std::int64_t last) {
    MelodySet set;
    EXPECT_TRUE(set.add(collection, {8, true, true}, false,
                        [&](const StoredVoice& voice) { return static_cast<std::int64_t>(voice.key) == last; }));
    return set.digest();
  };
  EXPECT_EQ(digest_with(3), digest_with(3));
  EXPECT_NE(digest_with(3), digest_with(4));
}

TEST(ConcordancesJob, RefusesMorePairsThanItWasAllowed) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 60);
  Job job = Job::prepare(collection, nullptr, wanted(0.9)).value();
  ASSERT_TRUE(job.run(scratch / "journal").value());
  const fs::path journals[] = {scratch / "journal"};
  const std::size_t pairs = job.collect(journals)->pairs.size();
  EXPECT_GT(pairs, 4U);
  EXPECT_EQ(job.collect(journals, 4).error().code, "concordances-too-many");
}

TEST(ConcordancesJob, BetweenTwoCollectionsOnlyPairsOfBoth) {
  const Scratch scratch;
  Collection one = small_collection(scratch / "a.db", 30);
  Collection other = small_collection(scratch / "b.db", 30, 15);
  const Concordances found = run_whole(one, wanted(), scratch / "journal", &other);
  EXPECT_GE(found.pairs.size(), 15U);
  for (const Pair& pair : found.pairs) {
    EXPECT_FALSE(found.melodies[pair.a].second);
    EXPECT_TRUE(found.melodies[pair.b].second);
  }
}

TEST(ConcordancesJob, WithAnotherSystemScoresEveryPair) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 25);
  Options options = wanted(0.999);
  options.system = "LDP";
  options.least_score = -1;
  EXPECT_FALSE(run_whole(collection, options, scratch / "journal").pairs.empty());
  options.system = "P3";
  EXPECT_EQ(Job::prepare(collection, nullptr, options).error().code, "concordances-system");
}

TEST(ConcordancesJob, KeepsOnlyTheBestPartners) {
  const Scratch scratch;
  Collection collection = small_collection(scratch / "a.db", 60);
  Options options = wanted(0.3);
  const Concordances all = run_whole(collection, options, scratch / "all");
  options.most = 1;
  const Concordances best = run_whole(collection, options, scratch / "best");
  EXPECT_LT(best.pairs.size(), all.pairs.size());
  std::vector<double> highest(all.melodies.size(), -1e9);
  for (const Pair& pair : all.pairs) {
    highest[pair.a] = std::max(highest[pair.a], pair.score());
    highest[pair.b] = std::max(highest[pair.b], pair.score());
  }
  ASSERT_EQ(best.melodies.size(), all.melodies.size());
  for (const Pair& pair : best.pairs) {
    EXPECT_TRUE(pair.score() == highest[pair.a] || pair.score() == highest[pair.b]);
  }
}

TEST(ConcordancesWriters, EscapeWhatTheyWrite) {
  const Scratch scratch;
  auto collection = Collection::open(scratch / "a.db", OpenMode::create).value();
  for (const char* id : {"a", "b<&\">"}) {
    Piece piece = Generator(1).piece(0);
    piece.id = id;
    piece.metadata.title = "<script>alert(\"1\")</script>, 'x'";
    piece.metadata.uri = "http://example.org/" + std::string(id == std::string("a") ? "a" : "b c");
    ASSERT_TRUE(collection.put(piece));
  }
  const Concordances found = run_whole(collection, wanted(), scratch / "journal");
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_EQ(found.pairs[0].relation, Relation::identical);
  const Grouping grouping = make_groups(found, 0.5);
  const auto sources = read_sources(found, collection, nullptr).value();
  const ChosenSystem system = resolve_system("rondo").value();
  const Shown shown{found, grouping, sources, *system.system, wanted(), "A <title>"};
  for (auto* write : {write_page, write_marcxml, write_turtle, write_json, write_pairs_csv, write_groups_csv}) {
    std::ostringstream out;
    write(out, shown);
    if (write == write_page || write == write_marcxml) {
      EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("<script>alert")));
      EXPECT_THAT(out.str(), testing::HasSubstr("b&lt;&amp;&quot;&gt;"));
    }
    EXPECT_FALSE(out.str().empty());
  }
}

}  // namespace
}  // namespace rondo::concordances
