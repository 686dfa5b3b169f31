#include <gtest/gtest.h>

#include <map>
#include <random>

#include "search/fast/gram_finder.h"
#include "search/rank.h"
#include "search/search.h"
#include "similarity/systems/orio.h"
#include "support/lines.h"
#include "support/rounds.h"

/// What fast_test.cpp does not see of the search with Orio: its automaton, and the ways round it.
namespace rondo {
namespace {

using Symbols = std::vector<std::uint16_t>;

Symbols random_symbols(std::mt19937& random, std::size_t size, unsigned least, unsigned most) {
  Symbols out(size);
  for (std::uint16_t& symbol : out) symbol = static_cast<std::uint16_t>(least + random() % (most + 1 - least));
  return out;
}

TEST(GramFinder, AddsUpWhatTheQuerysSequencesAreWorthWhereverTheyOccur) {
  std::mt19937 random(61);
  for (int round = 0; round < test::rounds(500); ++round) {
    const unsigned most = 1 + static_cast<unsigned>(random() % 5);
    const Symbols query = random_symbols(random, random() % 16, 1, most);
    const Symbols text = random_symbols(random, random() % 40, 0, most);
    // Every sequence has a worth of its own.
    std::map<Symbols, std::int64_t> worth;
    const auto cut = [](const Symbols& from, std::size_t i, std::size_t n) {
      return Symbols(from.begin() + static_cast<std::ptrdiff_t>(i), from.begin() + static_cast<std::ptrdiff_t>(i + n));
    };
    for (std::size_t n = 3; n <= 5; ++n) {
      for (std::size_t i = 0; i + n <= query.size(); ++i) worth.emplace(cut(query, i, n), 1 + random() % 1'000'000'000);
    }
    const fast::GramFinder finder(query, most,
                                  [&](std::size_t i, std::size_t n) { return worth.at(cut(query, i, n)); });
    std::int64_t expected = 0;
    for (std::size_t n = 3; n <= 5; ++n) {
      for (std::size_t i = 0; i + n <= text.size(); ++i) {
        const auto found = worth.find(cut(text, i, n));
        if (found != worth.end()) expected += found->second;
      }
    }
    std::int64_t sum = 0;
    fast::GramFinder::State state = 0;
    for (const std::uint16_t symbol : text) {
      state = finder.next(state, symbol);
      sum += finder.worth(state);
    }
    EXPECT_EQ(sum, expected) << "round " << round;
  }
}

Corpus corpus_of(const std::vector<std::vector<Line>>& pieces) {
  Corpus corpus;
  for (const std::vector<Line>& voices : pieces) {
    Document document;
    document.id = "p" + std::to_string(corpus.documents.size());
    document.voices = voices;
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

Corpus corpus_of_random(std::uint32_t seed, std::size_t pieces) {
  std::mt19937 random(seed);
  std::vector<std::vector<Line>> all(pieces);
  for (std::vector<Line>& voices : all) {
    for (std::size_t v = 0; v < 1 + random() % 2; ++v) voices.push_back(random_line(random, 2 + random() % 25));
  }
  return corpus_of(all);
}

using Places = std::vector<std::tuple<std::size_t, std::uint32_t, double>>;

Places by_index(const Corpus& corpus, const System& system, const Line& query, std::size_t k) {
  const Index index = Index::of(corpus).value();
  Places out;
  for (const Found& hit : search(index, *find_system("Orio"), system, query, {.k = k}).hits) {
    out.emplace_back(static_cast<std::size_t>(hit.piece) - 1, hit.voice, hit.score.value);
  }
  return out;
}

Places by_scoring(const Corpus& corpus, const System& system, const Line& query, std::size_t k) {
  Places out;
  for (const Hit& hit : rank_all(*find_system("Orio"), system, query, corpus, {.k = k}).hits) {
    out.emplace_back(hit.document, hit.voice, hit.score.value);
  }
  return out;
}

TEST(OrioSearch, IsTheSameForASystemThatDidNotLearnFromTheIndex) {
  const Corpus corpus = corpus_of_random(62, 60);
  const auto system = system_named("Orio");
  corpus.teach(*system);
  EXPECT_EQ(orio::learnt_by(*system)->digest, nullptr);
  std::mt19937 random(63);
  for (int q = 0; q < 5; ++q) {
    const Line query = random_line(random, 4 + random() % 20);
    EXPECT_EQ(by_index(corpus, *system, query, 10), by_scoring(corpus, *system, query, 10));
  }
}

TEST(OrioSearch, IsTheSameForASystemThatLearntFromAnotherIndex) {
  const Corpus corpus = corpus_of_random(64, 60);
  const Corpus other = corpus_of_random(65, 60);
  const auto system = system_named("Orio");
  teach(Index::of(other).value(), *system);
  ASSERT_NE(orio::learnt_by(*system)->digest, nullptr);
  const Line query = corpus.documents[7].voices.front();
  EXPECT_EQ(by_index(corpus, *system, query, 60), by_scoring(corpus, *system, query, 60));
}

TEST(OrioSearch, LearningMoreMakesWhatWasKeptObsolete) {
  const Corpus corpus = corpus_of_random(66, 20);
  const Index index = Index::of(corpus).value();
  const auto system = system_named("Orio");
  teach(index, *system);
  EXPECT_NE(orio::learnt_by(*system)->digest, nullptr);
  system->learn(quarters("C4 D4 E4 F4 G4"));
  EXPECT_EQ(orio::learnt_by(*system)->digest, nullptr);
}

/// What the index and scoring everything give to a system that has learnt the corpus.
void expect_same(const Corpus& corpus, const Line& query) {
  const Index index = Index::of(corpus).value();
  const auto system = system_named("Orio");
  teach(index, *system);
  Places found;
  for (const Found& hit : search(index, *find_system("Orio"), *system, query, {.k = 10}).hits) {
    found.emplace_back(static_cast<std::size_t>(hit.piece) - 1, hit.voice, hit.score.value);
  }
  EXPECT_EQ(found, by_scoring(corpus, *system, query, 10));
  EXPECT_FALSE(found.empty());
}

TEST(OrioSearch, TakesQueriesAndDocumentsOfAnyLength) {
  std::mt19937 random(67);
  std::vector<std::vector<Line>> pieces;
  for (const std::size_t notes : {1U, 3U, 4U, 5U, 20U, 499U, 500U, 501U, 4001U}) {
    pieces.push_back({random_line(random, notes)});
  }
  const Corpus corpus = corpus_of(pieces);
  for (const std::vector<Line>& voices : pieces) {
    if (voices.front().size() >= 4) expect_same(corpus, voices.front());
  }
}

TEST(OrioSearch, APieceHasTheBestOfEachPartFromAnyOfItsVoices) {
  const Line query = line_of("C4 1/4 D4 1/8 E4 1/2 F4 1/4 D4 1/8");
  const Line same_pitches = quarters("C4 D4 E4 F4 D4");
  const Line same_times = line_of("C4 1/4 C4 1/8 C4 1/2 C4 1/4 C4 1/8");
  const Line nothing = quarters("C5 A4 A4 C4 C3");
  const Corpus corpus = corpus_of({{nothing}, {same_times, same_pitches}, {same_pitches}, {same_times}});
  expect_same(corpus, query);
  const Index index = Index::of(corpus).value();
  const auto system = system_named("Orio");
  teach(index, *system);
  const auto hits = search(index, *find_system("Orio"), *system, query, {.k = 4}).hits;
  // Intervals of the second voice, times of the first, each as good as any document's: 1 in six parts. In the parts of
  // both no document has anything of the query, so all are equal: 1 in three more.
  ASSERT_EQ(hits.size(), 4U);
  EXPECT_EQ(static_cast<std::int64_t>(hits[0].piece), 2);
  EXPECT_EQ(hits[0].voice, 1U) << "the best under the first part, exact intervals";
  EXPECT_EQ(hits[0].score.value, 9);
}

/// Melodies with rests, grace notes that take no time and times that only the end makes fine; some begin alike.
Corpus corpus_of_beginnings(std::mt19937& random, std::size_t pieces) {
  const auto line = [&] {
    Line out = random_line(random, 3 + random() % 40);
    if (random() % 3 == 0) {
      for (std::int16_t& pitch : out.pitch) pitch = static_cast<std::int16_t>(60 + random() % 2);
    }
    if (random() % 3 == 0) {
      const std::size_t grace = random() % out.size();
      for (std::size_t i = grace + 1; i < out.size(); ++i) out.onset[i] -= out.onset[grace + 1] - out.onset[grace];
    }
    if (random() % 3 == 0) {
      constexpr std::int64_t kFiner = 3;
      out.ticks_per_whole *= kFiner;
      for (auto* times : {&out.onset, &out.duration}) {
        for (std::int64_t& time : *times) time *= kFiner;
      }
      out.duration.back() += 1;
    }
    return out;
  };
  std::vector<std::vector<Line>> all(pieces);
  for (std::vector<Line>& voices : all) {
    for (std::size_t v = 0; v < 1 + random() % 3 / 2; ++v) voices.push_back(line());
  }
  return corpus_of(all);
}

Corpus beginnings_of(Corpus corpus, std::size_t notes) {
  for (Document& document : corpus.documents) {
    for (Line& line : document.voices) keep_opening(line, notes);
  }
  return corpus;
}

TEST(OrioSearch, IsExactAmongBeginningsOfEveryLength) {
  std::mt19937 random(69);
  for (int round = 0; round < test::rounds(12); ++round) {
    const Corpus corpus = corpus_of_beginnings(random, 80);
    const Index index = Index::of(corpus).value();
    const auto system = system_named("Orio");
    teach(index, *system);
    for (const std::uint32_t notes : {1U, 4U, 5U, 6U, 9U, 15U, 25U, 60U}) {
      const Index opening = index.opening(notes);
      const Corpus shown = beginnings_of(corpus, notes);
      const Line query = random() % 2 == 0 ? random_line(random, 4 + random() % 20)
                                           : corpus.documents[random() % corpus.documents.size()].voices.front();
      if (query.size() < 4) continue;
      const std::size_t k = random() % 2 == 0 ? 5 : 80;
      Places found;
      for (const Found& hit : search(opening, *find_system("Orio"), *system, query, {.k = k}).hits) {
        found.emplace_back(static_cast<std::size_t>(hit.piece) - 1, hit.voice, hit.score.value);
      }
      EXPECT_EQ(found, by_scoring(shown, *system, query, k)) << "round " << round << ", " << notes << " notes";
    }
  }
}

TEST(OrioSearch, SaysWhenItWasStopped) {
  const Corpus corpus = corpus_of_random(68, 30);
  const Index index = Index::of(corpus).value();
  const auto system = system_named("Orio");
  teach(index, *system);
  std::stop_source stop;
  stop.request_stop();
  const SearchResult result =
      search(index, *find_system("Orio"), *system, quarters("C4 D4 E4 F4 G4"), {.k = 10, .stop = stop.get_token()});
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.hits.empty());
}

}  // namespace
}  // namespace rondo
