#include "rondo/search/rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lines.h"

namespace rondo {
namespace {

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
  const SystemRow* row = find_system(name);
  const auto system = row->make(Parameters(row->parameters));
  corpus.teach(*system);
  return rank_all(*row, *system, query, corpus, options);
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
  EXPECT_EQ(ranking.not_compared, 2U);
  EXPECT_THAT(ids(ranking, corpus), testing::ElementsAre("good"));
}

TEST(RankAll, LeavesOutWhatASystemDoesNotFind) {
  const Corpus corpus =
      corpus_of({piece_of("far", {"C4 1/4 C4 1/4 C4 1/4 C4 1/4 C4 1/4 C4 1/4"}), piece_of("it", {kTune})});
  EXPECT_THAT(ids(search("ngr5", line_of(kTune), corpus), corpus), testing::ElementsAre("it"));
}

TEST(RankAll, DoesNotDependOnThreadsAndFirstKAreTheFirstOfAll) {
  std::mt19937 random(9);
  Corpus corpus;
  for (int i = 0; i < 700; ++i) {
    Document document;
    document.id = "m" + std::to_string(i);
    document.voices.push_back(random_line(random, 3 + random() % 12));
    document.points = make_points(document.voices[0]);
    corpus.documents.push_back(std::move(document));
  }
  const Line query = random_line(random, 7);
  for (const SystemRow* row : systems()) {
    const std::string name(row->name);
    const auto all = ids(search(name.c_str(), query, corpus, {.k = 10'000, .threads = 1}), corpus);
    for (const unsigned threads : {1U, 2U, 5U}) {
      auto first = ids(search(name.c_str(), query, corpus, {.k = 20, .threads = threads}), corpus);
      EXPECT_EQ(first, std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                                                               std::min<std::size_t>(20, all.size()))))
          << name;
    }
  }
}

}  // namespace
}  // namespace rondo
