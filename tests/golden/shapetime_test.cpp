// shapetime against the reference program's score lists: ranked by those of shapeh, the best scored by those of time.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "search/rank.h"
#include "support/data.h"

namespace rondo {
namespace {

using Scores = std::map<std::string, std::map<std::string, double>>;  // by query, then document

Scores reference_scores(const std::string& file) {
  Scores out;
  std::ifstream in(rondo_data("melodyshape/scores/" + file));
  std::string query;
  std::string document;
  for (double score = 0; in >> query >> document >> score;) out[query][document] = score;
  return out;
}

TEST(ShapeTime, ReranksAsTheReferenceScoresSay) {
  RONDO_NEEDS_DATA("melodyshape/scores");
  Corpus corpus;
  for (const auto& path : files_below(rondo_data("melodyshape/midi"), ".mid")) {
    CollectingSink sink;
    read_text("midi", slurp(path), sink);
    Document document = make_document(sink.pieces.at(0));
    document.id = path.filename().string();
    corpus.documents.push_back(std::move(document));
  }
  const Scores shape = reference_scores("2010-shape.tsv");
  const Scores time = reference_scores("2011-time.tsv");
  ASSERT_EQ(shape.size(), 50U);
  const SystemRow& row = *find_system("shapetime");
  const auto system = row.make(Parameters(row.parameters));
  corpus.teach(*system);
  for (const std::size_t k : {1U, 5U, 10U, 50U}) {
    for (const Document& query : corpus.documents) {
      std::vector<double> by_shape;
      for (const auto& [document, score] : shape.at(query.id)) by_shape.push_back(score);
      std::sort(by_shape.begin(), by_shape.end(), std::greater<>());
      // Scores that are one to the last digit but one are one here.
      const double border = by_shape[k - 1] - 1e-9;
      std::vector<double> expected;
      for (const auto& [document, score] : time.at(query.id)) {
        if (shape.at(query.id).at(document) >= border) expected.push_back(score);
      }
      std::sort(expected.begin(), expected.end(), std::greater<>());
      const Ranking ranking = rank_all(row, *system, query.voices.at(0), corpus, {.k = k});
      ASSERT_EQ(ranking.hits.size(), k);
      for (std::size_t i = 0; i < k; ++i) {
        const std::string& id = corpus.documents[ranking.hits[i].document].id;
        EXPECT_NEAR(ranking.hits[i].score.value, expected[i], 1e-9) << query.id << " rank " << i + 1;
        EXPECT_GE(shape.at(query.id).at(id), border) << query.id << " finds " << id;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
