#include "rondo/similarity/plan.h"

#include <gtest/gtest.h>

#include <random>

#include "search/rank.h"
#include "search/search.h"
#include "similarity/points.h"
#include "support/lines.h"
#include "support/rounds.h"

/// Systems of a user's own, searched through an index.
namespace rondo::plan_test {

Corpus corpus_of_lines(std::uint32_t seed, std::size_t pieces) {
  std::mt19937 random(seed);
  Corpus corpus;
  for (std::size_t i = 0; i < pieces; ++i) {
    Document document;
    document.id = "p" + std::to_string(i);
    document.key = PieceKey{static_cast<std::int64_t>(i) + 1};
    document.voices.push_back(random_line(random, 1 + random() % 24));
    document.points = make_points(document.voices.front());
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

/// Scores that have nothing to do with any system of the table, and no plan.
class OddScores final : public System {
 public:
  /// Melodies of fewer notes are not comparable.
  explicit OddScores(std::size_t shortest) : shortest_(shortest) {}

  class Query final : public PreparedQuery {
   public:
    explicit Query(std::size_t shortest) : shortest_(shortest) {}
    using PreparedQuery::score;
    [[nodiscard]] Score score(const Line& document) const override { return score(make_points(document)); }
    [[nodiscard]] Score score(const Points& document) const override {
      std::int64_t sum = 0;
      for (const Point& point : document.points) sum = (sum * 31 + point.pitch) % 1009;
      return {1 + static_cast<double>(sum), document.points.size() >= shortest_};
    }
    [[nodiscard]] Explanation explain(const Line& document) const override {
      Explanation out;
      out.score = score(document);
      return out;
    }

   private:
    std::size_t shortest_;
  };
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& /*query*/) const override {
    return std::make_unique<Query>(shortest_);
  }

 private:
  std::size_t shortest_;
};

/// Scores as a system of the table does, and returns its plan; all else is its own.
class Borrowed final : public System {
 public:
  explicit Borrowed(std::unique_ptr<System> other) : other_(std::move(other)) {}
  void learn(const Line& document) override { other_->learn(document); }
  [[nodiscard]] bool learns() const override { return other_->learns(); }
  [[nodiscard]] SearchPlan plan() const override { return other_->plan(); }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return other_->prepare(query);
  }

 private:
  std::unique_ptr<System> other_;
};

using Places = std::vector<std::tuple<std::int64_t, std::uint32_t, double>>;

Places ranked(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus) {
  Places out;
  for (const Hit& hit : rank_all(row, system, query, corpus, {.k = 20}).hits) {
    out.emplace_back(static_cast<std::int64_t>(corpus.documents[hit.document].key), hit.voice, hit.score.value);
  }
  return out;
}

Places places_of(const SearchResult& result) {
  Places out;
  for (const Found& hit : result.hits) {
    out.emplace_back(static_cast<std::int64_t>(hit.piece), hit.voice, hit.score.value);
  }
  return out;
}

class EveryRow : public testing::TestWithParam<const SystemRow*> {};

TEST_P(EveryRow, ASystemOfOnesOwnWithItsNameGetsItsOwnHits) {
  const Corpus corpus = corpus_of_lines(1, 200);
  const Index index = Index::of(corpus).value();
  const SystemRow& row = *GetParam();
  const OddScores system(row.shortest);
  std::mt19937 random(2);
  const Line query = random_line(random, 12);
  const SearchResult found = search(index, row, system, query, {.k = 20});
  EXPECT_EQ(found.method, "exhaustive");
  EXPECT_EQ(places_of(found), ranked(row, system, query, corpus));
}

TEST_P(EveryRow, ASystemOfOnesOwnMaySearchByItsPlan) {
  const SystemRow& row = *GetParam();
  const std::size_t pieces = test::kSanitized ? 60 : 200;
  const Corpus corpus = corpus_of_lines(3, pieces);
  const Index index = Index::of(corpus).value();
  Borrowed system(row.make(Parameters(row.parameters)));
  if (row.make(Parameters(row.parameters))->mixture() != nullptr) GTEST_SKIP() << "a mixture";
  teach(index, system);
  // As little is promised as can be: all that a plan needs must be in the plan.
  SystemRow own;
  own.name = "my own";
  own.shortest = 1;
  own.zero_is_none = row.zero_is_none;
  own.polyphonic = row.polyphonic;
  std::mt19937 random(4);
  const Line query = random_line(random, 12);
  const SearchResult found = search(index, own, system, query, {.k = 20});
  EXPECT_NE(found.method, "exhaustive");
  EXPECT_EQ(places_of(found), ranked(own, system, query, corpus));
  // Where zeros are ranked, too, what a plan does not look at must not be lost.
  own.zero_is_none = false;
  EXPECT_EQ(places_of(search(index, own, system, query, {.k = pieces - 10})).size(),
            rank_all(own, system, query, corpus, {.k = pieces - 10}).hits.size());
  // A query too short for the plan.
  const Line note = random_line(random, 1);
  EXPECT_EQ(places_of(search(index, own, system, note, {.k = 20})), ranked(own, system, note, corpus));
}

INSTANTIATE_TEST_SUITE_P(Plans, EveryRow, testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& tested) {
                           std::string name(tested.param->name);
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

TEST(Plans, CostsOfOnesOwnAreThoseOfThePlan) {
  // An edit distance with costs that no row has set.
  class Steep final : public System {
   public:
    explicit Steep(std::unique_ptr<System> other) : other_(std::move(other)) {}
    [[nodiscard]] SearchPlan plan() const override {
      return EditPlan{EditPlan::Letters::contour, {.insertion = 0.5, .deletion = 3, .to_neutral = 2, .opposite = 3}};
    }
    [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
      return other_->prepare(query);
    }

   private:
    std::unique_ptr<System> other_;
  };
  const SystemRow& contour = *find_system("contour");
  Parameters parameters(contour.parameters);
  ASSERT_TRUE(parameters.set("insert", 0.5));
  ASSERT_TRUE(parameters.set("delete", 3));
  ASSERT_TRUE(parameters.set("neutral", 2));
  ASSERT_TRUE(parameters.set("opposite", 3));
  const Steep system(contour.make(parameters));
  const Corpus corpus = corpus_of_lines(5, 200);
  const Index index = Index::of(corpus).value();
  SystemRow own;
  own.name = "LDP";
  std::mt19937 random(6);
  const Line query = random_line(random, 15);
  const SearchResult found = search(index, own, system, query, {.k = 20});
  EXPECT_EQ(found.method, "edits");
  EXPECT_EQ(places_of(found), ranked(own, system, query, corpus));
}

}  // namespace rondo::plan_test
