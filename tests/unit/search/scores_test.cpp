#include "search/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rondo/similarity/system.h"
#include "search/rank.h"
#include "support/lines.h"

namespace rondo::scores_test {

const char* const kTune = "C4 1/4 D4 1/4 E4 1/4 G4 1/4 F4 1/4 E4 1/4";

Corpus corpus_of(const std::vector<std::vector<std::string>>& pieces) {
  Corpus corpus;
  for (const auto& voices : pieces) {
    Piece piece;
    piece.id = std::to_string(corpus.documents.size());
    for (const std::string& text : voices) piece.voices.push_back(voice_of(text));
    corpus.documents.push_back(make_document(piece));
  }
  return corpus;
}

/// A tune, a neighbour of it, a piece of two voices, one note, and nothing at all.
Corpus five() {
  return corpus_of({{kTune},
                    {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/8 F#4 1/8 E4 1/4"},
                    {"C5 1 C5 1 C5 1 C5 1", kTune},
                    {"C4 1/4"},
                    {}});
}

ChosenSystem taught(std::string_view name, const Corpus& corpus) {
  auto chosen = resolve_system(name);
  EXPECT_TRUE(chosen) << name;
  corpus.teach(*chosen->system);
  return std::move(*chosen);
}

TEST(ScoreDocuments, GivesWhatTheRankingSortsBy) {
  const Corpus corpus = five();
  for (const char* name : {"shapeh", "ngr5", "P2", "opti3", "rrf", "combsum:shapeh+P3"}) {
    const ChosenSystem chosen = taught(name, corpus);
    const Line query = line_of(kTune);
    const auto scores = score_documents(*chosen.row, *chosen.system, query, corpus, {.threads = 3});
    ASSERT_EQ(scores.size(), corpus.documents.size());
    const Ranking ranking = rank_all(*chosen.row, *chosen.system, query, corpus, {.k = 5});
    EXPECT_FALSE(ranking.hits.empty()) << name;
    for (const Hit& hit : ranking.hits) EXPECT_EQ(scores[hit.document], hit.score.value) << name;
    EXPECT_TRUE(std::isnan(scores[4])) << name << ": no notes, no score";
  }
}

TEST(ScoreDocuments, NothingInCommonIsZeroAndNotIncomparable) {
  const Corpus corpus = corpus_of({{kTune}, {"C4 1 B3 1 A3 1 G3 1 F3 1 E3 1 D3 1"}, {"C4 1/4"}});
  const ChosenSystem chosen = taught("ngr5", corpus);
  ASSERT_TRUE(chosen.row->zero_is_none);
  const auto scores = score_documents(*chosen.row, *chosen.system, line_of(kTune), corpus);
  EXPECT_GT(scores[0], 0);
  EXPECT_EQ(scores[1], 0);
  EXPECT_TRUE(std::isnan(scores[2]));
}

TEST(ScoreMatrix, HasTheScoresOfEachDocumentInItsRow) {
  const Corpus corpus = five();
  for (const char* name : {"shapeh", "P3", "rrf"}) {
    const ChosenSystem chosen = taught(name, corpus);
    std::vector<double> matrix(25, -1);
    ASSERT_TRUE(score_matrix(*chosen.row, *chosen.system, corpus, matrix, {.threads = 2}));
    for (std::size_t i = 0; i < 4; ++i) {
      const auto row = score_documents(*chosen.row, *chosen.system, corpus.documents[i].voices.front(), corpus);
      for (std::size_t j = 0; j < 5; ++j) {
        const double found = matrix[i * 5 + j];
        EXPECT_TRUE(found == row[j] || (std::isnan(found) && std::isnan(row[j]))) << name << " " << i << " " << j;
      }
    }
    for (std::size_t j = 0; j < 5; ++j) EXPECT_TRUE(std::isnan(matrix[20 + j])) << "a query without notes";
  }
}

TEST(ScoreMatrix, MirroredTakesTheUpperHalfForBoth) {
  const Corpus corpus = corpus_of({{kTune}, {"D4 1/4 E4 1/4 F#4 1/4 A4 1/4 G4 1/8 F#4 1/8 E4 1/4"}});
  const ChosenSystem chosen = taught("shapeh", corpus);
  std::vector<double> whole(4);
  std::vector<double> half(4);
  ASSERT_TRUE(score_matrix(*chosen.row, *chosen.system, corpus, whole));
  ASSERT_TRUE(score_matrix(*chosen.row, *chosen.system, corpus, half, {.mirrored = true}));
  EXPECT_EQ(half[1], whole[1]);
  EXPECT_EQ(half[2], whole[1]);
}

TEST(ScoreMatrix, StopsOnDemandAndSaysSo) {
  const Corpus corpus = five();
  const ChosenSystem chosen = taught("shapeh", corpus);
  std::stop_source stop;
  stop.request_stop();
  std::vector<double> matrix(25, -1);
  EXPECT_FALSE(score_matrix(*chosen.row, *chosen.system, corpus, matrix, {.stop = stop.get_token()}));
  EXPECT_EQ(matrix, std::vector<double>(25, -1));
}

TEST(ScoreMatrix, OfNothingIsNothing) {
  const Corpus corpus;
  const ChosenSystem chosen = taught("shapeh", corpus);
  EXPECT_TRUE(score_matrix(*chosen.row, *chosen.system, corpus, {}));
  EXPECT_TRUE(score_documents(*chosen.row, *chosen.system, line_of(kTune), corpus).empty());
}

}  // namespace rondo::scores_test
