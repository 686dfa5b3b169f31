#include <gtest/gtest.h>

#include <map>
#include <random>

#include "generate/generate.h"
#include "search/search.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

Corpus generated_corpus(std::size_t pieces) {
  Corpus corpus;
  const Generator generator(4);
  for (std::size_t i = 0; i < pieces; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  return corpus;
}

TEST(QuickSearch, GivesTrueScoresInOrderAndFindsWhatIsReallyAlike) {
  const Corpus corpus = generated_corpus(test::kSanitized ? 1000 : 3000);
  const Index index = Index::of(corpus).value();
  const SystemRow& row = *find_system("rondo");
  const auto system = system_named("rondo");
  std::mt19937 random(3);
  for (int round = 0; round < test::rounds(20); ++round) {
    Line query = corpus.documents[random() % corpus.documents.size()].voices.front();
    if (query.size() < 8) continue;
    query.pitch[query.size() / 2] += 2;
    const SearchResult exact = search(index, row, *system, query, {.k = 3000});
    const SearchResult quick = search(index, row, *system, query, {.k = 10, .quick = true, .quick_from = 0});
    EXPECT_TRUE(exact.exact);
    EXPECT_FALSE(quick.exact);
    EXPECT_TRUE(quick.complete);
    std::map<PieceKey, double> scores;
    for (const Found& hit : exact.hits) scores[hit.piece] = hit.score.value;
    ASSERT_EQ(quick.hits.size(), 10U);
    for (const Found& hit : quick.hits) EXPECT_EQ(hit.score.value, scores.at(hit.piece));
    for (std::size_t i = 1; i < 10; ++i) EXPECT_GE(quick.hits[i - 1].score.value, quick.hits[i].score.value);
    EXPECT_EQ(quick.hits.front().piece, exact.hits.front().piece);
  }
}

TEST(QuickSearch, OfFewMelodiesOrByOtherSystemsIsExact) {
  const Corpus corpus = generated_corpus(300);
  const Index index = Index::of(corpus).value();
  const Line query = corpus.documents[7].voices.front();
  for (const char* name : {"rondo", "shapeh", "GAR"}) {
    const auto system = system_named(name);
    teach(index, *system);
    EXPECT_TRUE(search(index, *find_system(name), *system, query, {.k = 5, .quick = true}).exact) << name;
  }
}

TEST(QuickSearch, WhereTooFewLookPromisingAllAreCompared) {
  const Corpus corpus = generated_corpus(300);
  const Index index = Index::of(corpus).value();
  // Leaps that no melody has.
  const Line query = quarters("C2 B6 D2 A6 C#2 G#6");
  const auto system = system_named("rondo");
  const SearchResult quick =
      search(index, *find_system("rondo"), *system, query, {.k = 50, .quick = true, .quick_from = 0});
  const SearchResult exact = search(index, *find_system("rondo"), *system, query, {.k = 50});
  EXPECT_TRUE(quick.exact);
  ASSERT_EQ(quick.hits.size(), exact.hits.size());
  for (std::size_t i = 0; i < exact.hits.size(); ++i) EXPECT_EQ(quick.hits[i].piece, exact.hits[i].piece);
}

}  // namespace
}  // namespace rondo
