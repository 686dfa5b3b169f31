#include "search/rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/similarity/system.h"
#include "similarity/points.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo::rank_test {

Piece piece_of(std::string id, std::vector<std::string> voices) {
  Piece piece;
  piece.id = std::move(id);
  for (const std::string& text : voices) piece.voices.push_back(voice_of(text));
  return piece;
}

Corpus corpus_of(const std::vector<Piece>& pieces) {
  Corpus corpus;
  for (const Piece& piece : pieces) corpus.documents.push_back(make_document(piece));
  return corpus;
}

std::vector<std::string> ids(const Ranking& ranking, const Corpus& corpus) {
  std::vector<std::string> out;
  for (const Hit& hit : ranking.hits) out.push_back(corpus.documents[hit.document].id);
  return out;
}

Ranking search(const char* name, const Line& query, const Corpus& corpus, RankOptions options = {}) {
  const auto chosen = resolve_system(name);
  EXPECT_TRUE(chosen) << name;
  corpus.teach(*chosen->system);
  return rank_all(*chosen->row, *chosen->system, query, corpus, options);
}

const char* const kTune = "C4 1/4 D4 1/4 E4 1/4 G4 1/4 F4 1/4 E4 1/4";

TEST(RankAll, EqualScoresGoByTheTieRuleThenLengthThenId) {
  const Corpus corpus = corpus_of({
      piece_of("b", {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/4 F#4 1/4"}),  // transposed
      piece_of("a", {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/4 F#4 1/4"}),  // the same, earlier id
      piece_of("exact", {kTune}),                                      // equal pitches: wins the tie
      piece_of("other", {"C5 1/4 B4 1/4 C5 1/4 B4 1/4 C5 1/4 B4 1/4"}),
  });
  EXPECT_THAT(ids(search("shapeh", line_of(kTune), corpus), corpus), testing::ElementsAre("exact", "a", "b", "other"));
}

TEST(RankAll, ReportsTheBestVoice) {
  const Corpus corpus = corpus_of({piece_of("duet", {"C5 1 C5 1 C5 1 C5 1", kTune})});
  const Ranking ranking = search("shapeh", line_of(kTune), corpus);
  ASSERT_EQ(ranking.hits.size(), 1U);
  EXPECT_EQ(ranking.hits[0].voice, 1U);
}

TEST(RankAll, CountsWhatCouldNotBeCompared) {
  const Corpus corpus = corpus_of({piece_of("short", {"C4 1/4"}), piece_of("none", {}), piece_of("good", {kTune})});
  const Ranking ranking = search("shapeh", line_of(kTune), corpus);
  EXPECT_EQ(ranking.compared, 1U);
  EXPECT_EQ(ranking.too_short, 2U);
  EXPECT_THAT(ids(ranking, corpus), testing::ElementsAre("good"));
}

TEST(RankAll, EndsWhenTimeIsUpOrItIsStopped) {
  const Corpus corpus = corpus_of({piece_of("a", {kTune}), piece_of("b", {kTune})});
  for (const char* name : {"shapeh", "P3", "rrf:shapeh+time"}) {
    EXPECT_TRUE(search(name, line_of(kTune), corpus, {.time_limit = std::chrono::hours(1)}).complete) << name;
    const Ranking late = search(name, line_of(kTune), corpus, {.time_limit = std::chrono::milliseconds(0)});
    EXPECT_FALSE(late.complete) << name;
    EXPECT_TRUE(late.hits.empty()) << name;
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(search(name, line_of(kTune), corpus, {.stop = source.get_token()}).complete) << name;
  }
}

TEST(RankAll, LeavesOutWhatASystemDoesNotFind) {
  const Corpus corpus =
      corpus_of({piece_of("far", {"C4 1/4 C4 1/4 C4 1/4 C4 1/4 C4 1/4 C4 1/4"}), piece_of("it", {kTune})});
  EXPECT_THAT(ids(search("ngr5", line_of(kTune), corpus), corpus), testing::ElementsAre("it"));
}

TEST(RankAll, AFusionMixesWhatItsPartsFind) {
  // ngr5 finds the first two alike (rank 1.5 each), P2 all three: the exact one with 6 of 6 notes, the slower one
  // with fewer, the repeated note with one.
  const Corpus corpus = corpus_of({
      piece_of("slow", {"C4 1/2 D4 1/2 E4 1/2 G4 1/2 F4 1/2 E4 1/2"}),
      piece_of("exact", {kTune}),
      piece_of("far", {"C4 1 C4 1 C4 1 C4 1 C4 1 C4 1"}),
      piece_of("none", {}),
  });
  const Ranking ranking = search("rrf:ngr5+P2", line_of(kTune), corpus);
  EXPECT_THAT(ids(ranking, corpus), testing::ElementsAre("exact", "slow", "far"));
  EXPECT_DOUBLE_EQ(ranking.hits[0].score.value, 1 / 61.5 + 1.0 / 61);
  EXPECT_DOUBLE_EQ(ranking.hits[1].score.value, 1 / 61.5 + 1.0 / 62);
  EXPECT_DOUBLE_EQ(ranking.hits[2].score.value, 1.0 / 63);
  EXPECT_EQ(ranking.compared, 3U);
  EXPECT_EQ(ranking.too_short, 1U);
}

TEST(RankAll, AFusionLeavesOutWhatNoPartFinds) {
  const Corpus corpus = corpus_of({piece_of("far", {"C4 1 C4 1 C4 1 C4 1 C4 1 C4 1"}), piece_of("it", {kTune})});
  const Ranking ranking = search("combsum:ngr5", line_of(kTune), corpus);
  EXPECT_THAT(ids(ranking, corpus), testing::ElementsAre("it"));
  EXPECT_EQ(ranking.compared, 2U);
}

TEST(RankAll, EqualFusedScoresGoByTheTieRuleOfTheFirstPart) {
  // Both systems score all three alike; only shapeh's own rule prefers equal pitches.
  const Corpus corpus = corpus_of({
      piece_of("b", {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/4 F#4 1/4"}),
      piece_of("a", {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/4 F#4 1/4"}),
      piece_of("exact", {kTune}),
  });
  const Line query = line_of(kTune);
  EXPECT_THAT(ids(search("rrf:shapeh+ngr5", query, corpus), corpus), testing::ElementsAre("exact", "a", "b"));
  EXPECT_THAT(ids(search("rrf:ngr5+shapeh", query, corpus), corpus), testing::ElementsAre("a", "b", "exact"));
}

TEST(RankAll, AFusionNamesTheVoiceOfTheFirstPartThatFoundThePiece) {
  const Corpus corpus = corpus_of({piece_of("duet", {"C5 1 C5 1 C5 1 C5 1 C5 1 C5 1 C5 1", kTune})});
  EXPECT_EQ(search("rrf:shapeh+rhythm", line_of(kTune), corpus).hits.at(0).voice, 1U);
}

constexpr int kMany = test::rounds(700);

/// Melodies of random length; the same for the same seed.
Corpus random_corpus(unsigned seed) {
  std::mt19937 random(seed);
  Corpus corpus;
  for (int i = 0; i < kMany; ++i) {
    Document document;
    document.id = "m" + std::to_string(i);
    document.voices.push_back(random_line(random, 3 + random() % 12));
    document.points = make_points(document.voices[0]);
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

TEST(RankAll, ShapeTimeReordersTheBestOfShapeByTime) {
  const Corpus corpus = random_corpus(10);
  std::mt19937 random(11);
  const Line query = random_line(random, 9);
  const std::size_t k = 25;
  const Ranking shape = search("shapeh", query, corpus, {.k = kMany});
  const Ranking time = search("time", query, corpus, {.k = kMany});
  const double border = shape.hits.at(k - 1).score.value;
  std::vector<std::size_t> chosen;
  for (const Hit& hit : shape.hits) {
    if (hit.score.value >= border) chosen.push_back(hit.document);
  }
  // The order of time, of those only.
  std::vector<std::string> expected;
  for (const Hit& hit : time.hits) {
    if (std::find(chosen.begin(), chosen.end(), hit.document) != chosen.end()) {
      expected.push_back(corpus.documents[hit.document].id);
    }
  }
  const auto found = ids(search("shapetime", query, corpus, {.k = k}), corpus);
  ASSERT_EQ(found.size(), k);
  for (std::size_t i = 0; i < std::min(k, expected.size()); ++i) EXPECT_EQ(found[i], expected[i]);
}

TEST(RankAll, DoesNotDependOnThreadsAndFirstKAreTheFirstOfAll) {
  const Corpus corpus = random_corpus(9);
  std::mt19937 random(9);
  const Line query = random_line(random, 7);
  std::vector<std::string> names = {"rrf:shapeh+P3+(combsum:LDP+GAR)+Orio"};
  for (const SystemRow* row : systems()) names.emplace_back(row->name);
  for (const std::string& name : names) {
    // shapetime looks closer at as many as are wanted, so there the first of all are others.
    const std::size_t most = name == "shapetime" ? 20 : 10'000;
    const auto all = ids(search(name.c_str(), query, corpus, {.k = most, .threads = 1}), corpus);
    for (const unsigned threads : {1U, 2U, 5U}) {
      auto first = ids(search(name.c_str(), query, corpus, {.k = 20, .threads = threads}), corpus);
      EXPECT_EQ(first, std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                                                               std::min<std::size_t>(20, all.size()))))
          << name;
    }
  }
}

}  // namespace rondo::rank_test
