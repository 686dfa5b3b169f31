#include <gtest/gtest.h>

#include <atomic>

#include "base/interrupt.h"
#include "rondo/similarity/system.h"
#include "search/search.h"
#include "similarity/points.h"
#include "support/lines.h"

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

}  // namespace
}  // namespace rondo
