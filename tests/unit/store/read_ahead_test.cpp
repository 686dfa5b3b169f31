#include "store/read_ahead.h"

#include <gmock/gmock.h>

#include <thread>

#include "rondo/formats/open.h"
#include "store_support.h"

namespace rondo {
namespace {

using testing::ElementsAreArray;
using testing::StartsWith;

/// Writes down every call; stops after so many.
class Diary final : public PieceSink {
 public:
  explicit Diary(std::size_t most) : most_(most) {}
  bool piece(Piece&& piece) override { return note("piece " + piece.id); }
  void warn(Diagnostic warning) override { note("warn " + warning.code); }
  bool skip(Diagnostic why) override { return note("skip " + why.code); }
  std::vector<std::string> calls;
  bool same_thread = true;

 private:
  bool note(std::string what) {
    same_thread = same_thread && std::this_thread::get_id() == home_;
    calls.push_back(std::move(what));
    return calls.size() < most_;
  }
  std::size_t most_;
  std::thread::id home_ = std::this_thread::get_id();
};

std::string mixed(int records) {
  std::string text;
  for (int i = 0; i < records; ++i) {
    text += test::json_lines(i, i + 1);
    if (i % 3 == 0) text += "{\"id\": \"broken\", \"notes\": [[0, \"x\", 60]]}\n";
  }
  return text;
}

TEST(ReadAhead, GivesTheSameCallsInTheSameOrderOnTheCallersThread) {
  for (const int records : {1, 2, 63, 64, 65, 1000}) {
    const std::string text = mixed(records);
    Diary plain(SIZE_MAX);
    Diary ahead(SIZE_MAX);
    auto expected = read_any(std::make_unique<MemorySource>(text), {}, plain);
    auto got = read_ahead(std::make_unique<MemorySource>(text), {}, ahead);
    ASSERT_TRUE(expected && got);
    EXPECT_EQ(*got, *expected);
    EXPECT_THAT(ahead.calls, ElementsAreArray(plain.calls));
    EXPECT_TRUE(ahead.same_thread);
  }
}

TEST(ReadAhead, StopsWhenAskedTo) {
  const std::string text = mixed(5000);
  for (const std::size_t most : {1U, 2U, 64U, 100U, 700U}) {
    Diary diary(most);
    EXPECT_TRUE(read_ahead(std::make_unique<MemorySource>(text), {}, diary));
    EXPECT_EQ(diary.calls.size(), most) << "nothing after it said no";
  }
  // A file that is read without a thread.
  Diary diary(2);
  EXPECT_TRUE(read_ahead(std::make_unique<MemorySource>(mixed(10)), {}, diary));
  EXPECT_EQ(diary.calls.size(), 2U);
}

TEST(ReadAhead, GivesTheReadersError) {
  Diary diary(SIZE_MAX);
  auto done = read_ahead(std::make_unique<MemorySource>("this is no music"), {}, diary);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().code, StartsWith("format-"));
}

}  // namespace
}  // namespace rondo
