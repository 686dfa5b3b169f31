#include <gtest/gtest.h>

#include "rondo/search/engine.h"
#include "support/lines.h"
#include "support/scratch.h"

namespace rondo {
namespace {

Piece tune(std::string id, const std::string& notes) {
  Piece piece;
  piece.id = std::move(id);
  piece.voices.push_back(voice_of(notes));
  return piece;
}

class EngineTest : public testing::Test {
 protected:
  [[nodiscard]] Collection open() const {
    auto collection = Collection::open(scratch_ / "tunes.db", OpenMode::create);
    EXPECT_TRUE(collection);
    return std::move(*collection);
  }
  static void put(Collection& collection, const char* id) {
    ASSERT_TRUE(collection.put(tune(id, "C4 1/4 D4 1/4 E4 1/4 C4 1/4")));
  }
  static bool current(const Engine& engine) {
    const auto now = engine.current();
    EXPECT_TRUE(now);
    return now && *now;
  }

  Scratch scratch_;
};

TEST_F(EngineTest, IsCurrentUntilTheCollectionChangesByWhomeverItIs) {
  Collection collection = open();
  put(collection, "a");
  for (const LineOptions& heard : {LineOptions{}, LineOptions{.opening = 3}}) {
    auto engine = Engine::open(collection, {.line = heard});
    ASSERT_TRUE(engine);
    EXPECT_TRUE(current(*engine));
    EXPECT_TRUE(collection.get("a"));
    EXPECT_TRUE(current(*engine)) << "reading changes nothing";
    put(collection, heard.opening == 0 ? "b" : "c");
    EXPECT_FALSE(current(*engine)) << "changed by the same connection";
  }
  auto engine = Engine::open(collection);
  ASSERT_TRUE(engine);
  Collection other = open();
  put(other, "d");
  EXPECT_FALSE(current(*engine)) << "changed by another";
}

}  // namespace
}  // namespace rondo
