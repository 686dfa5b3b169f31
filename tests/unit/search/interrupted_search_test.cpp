#include <gtest/gtest.h>

#include <atomic>

#include "base/interrupt.h"
#include "rondo/similarity/system.h"
#include "search/search.h"
#include "similarity/points.h"
#include "support/generated_corpus.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/stop_after.h"

namespace rondo {
namespace {

Corpus scales(std::size_t count) {
  Corpus corpus;
  for (std::size_t i = 0; i < count; ++i) {
    Document document;
    document.id = std::to_string(i);
    document.key = PieceKey{static_cast<std::int64_t>(i) + 1};
    document.voices.push_back(
        line_of(i % 2 == 0 ? "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/2" : "C5 1/4 B4 1/4 A4 1/4 G4 1/2"));
    document.points = make_points(document.voices.front());
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

bool asked_and_wanted(void* context) {
  ++*static_cast<std::atomic<int>*>(context);
  return true;
}

TEST(InterruptedSearch, EndsWhenTheScopeInWhichItBeganSaysSo) {
  const auto index = Index::of(scales(500));
  ASSERT_TRUE(index);
  const Line query = line_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4");
  // Systems that look at every document. Those that add up lists of windows (shapeh) end within milliseconds anyway.
  for (const char* name : {"rondo", "contour", "P3", "LDP"}) {
    auto chosen = resolve_system(name);
    ASSERT_TRUE(chosen) << name;
    teach(*index, *chosen->system);
    for (const unsigned threads : {1U, 2U}) {
      SearchOptions options;
      options.threads = threads;
      std::atomic<int> asked{0};
      {
        const InterruptScope scope(asked_and_wanted, &asked);
        EXPECT_FALSE(search(*index, *chosen->row, *chosen->system, query, options).complete) << name;
      }
      EXPECT_GT(asked, 0) << name;
      EXPECT_TRUE(search(*index, *chosen->row, *chosen->system, query, options).complete) << name;
    }
  }
}

TEST(InterruptedSearch, CountsWhatItComparedWheneverItIsStopped) {
  // Enough documents for the methods that look at the promising ones first.
  const Corpus corpus = test::generated_corpus(3000, 5, [](auto&&...) {});
  const auto index = Index::of(corpus);
  ASSERT_TRUE(index);
  const Line& query = corpus.documents[17].voices.front();
  for (const char* name : {"shapeh", "time", "shapel", "ngr5", "opti3", "rondo", "P2", "rrf:shapeh+time",
                           "rrf:time+shapeh", "combsum:P2+ngr5"}) {
    auto chosen = resolve_system(name);
    ASSERT_TRUE(chosen) << name;
    teach(*index, *chosen->system);
    for (const bool fold : {false, true}) {
      SearchOptions options;
      options.fold_duplicates = fold;
      const SearchResult whole = search(*index, *chosen->row, *chosen->system, query, options);
      const std::size_t all = whole.compared + whole.too_short;
      std::size_t before = 0;
      for (int asks = 0;; asks += 1 + asks / (test::kSanitized ? 1 : 4)) {
        const test::StopAfter scope(asks);
        const SearchResult result = search(*index, *chosen->row, *chosen->system, query, options);
        const std::string where = std::string(name) + ", stopped at ask " + std::to_string(asks);
        EXPECT_EQ(result.compared + result.not_reached + result.too_short, all) << where;
        EXPECT_EQ(result.too_short, whole.too_short) << where;
        EXPECT_GE(result.compared, result.hits.size()) << where;
        EXPECT_GE(result.compared, before) << where;
        before = result.compared;
        if (!result.complete) continue;
        EXPECT_EQ(test::rows_of(result), test::rows_of(whole)) << where;
        EXPECT_EQ(result.not_reached, 0U) << where;
        break;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
