#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/streams.h"

namespace rondo {
namespace {

/// Delivers one byte at a time: the worst a source may do.
class DrippingSource final : public ByteSource {
 public:
  explicit DrippingSource(std::string_view bytes) : inner_(bytes) {}
  Result<std::size_t> read(std::span<char> into) override { return inner_.read(into.subspan(0, into.empty() ? 0 : 1)); }

 private:
  MemorySource inner_;
};

std::vector<std::string> lines(ByteSource& source) {
  LineReader reader(source);
  std::vector<std::string> out;
  std::string_view line;
  while (reader.next(line).value()) out.emplace_back(line);
  return out;
}

TEST(LineReader, KnowsAllThreeLineEnds) {
  const std::string text = "a\nb\r\nc\rd\n\ne";
  MemorySource at_once(text);
  EXPECT_THAT(lines(at_once), testing::ElementsAre("a", "b", "c", "d", "", "e"));
  DrippingSource slowly(text);
  EXPECT_THAT(lines(slowly), testing::ElementsAre("a", "b", "c", "d", "", "e"));
}

TEST(LineReader, AnEndedLastLineIsNotFollowedByAnEmptyOne) {
  MemorySource ended("a\n");
  EXPECT_THAT(lines(ended), testing::ElementsAre("a"));
  MemorySource empty("");
  EXPECT_THAT(lines(empty), testing::ElementsAre());
}

TEST(LineReader, ALineTooLongIsAnErrorAndTheNextIsRead) {
  const std::string text = std::string(1'000'000, 'x') + "\nafter\n";
  MemorySource source(text);
  LineReader reader(source, 1000);
  std::string_view line;
  auto first = reader.next(line);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, "line-too-long");
  EXPECT_EQ(first.error().place.line, 1U);
  ASSERT_TRUE(reader.next(line).value());
  EXPECT_EQ(line, "after");
  EXPECT_EQ(reader.number(), 2U);
}

TEST(ReadAll, StopsJustPastTheLimit) {
  MemorySource fits("12345");
  EXPECT_EQ(read_all(fits, 5).value(), "12345");
  MemorySource larger("123456");
  EXPECT_EQ(read_all(larger, 5).error().code, "too-large");
  MemorySource none("");
  EXPECT_EQ(read_all(none, 5).value(), "");
}

TEST(PeekedSource, StillDeliversWhatWasLookedAt) {
  PeekedSource source(std::make_unique<DrippingSource>("abcdef"));
  EXPECT_EQ(source.head(3).value(), "abc");
  EXPECT_EQ(read_all(source, 100).value(), "abcdef");
}

TEST(Place, SaysWhatIsKnown) {
  EXPECT_EQ((Place{"a.xml", "7", "031 $p", 0, 12}).to_string(), "a.xml: record 7: 031 $p: column 12");
  EXPECT_EQ((Place{"a.abc", "", "", 3, 4}).to_string(), "a.abc: line 3, column 4");
  EXPECT_EQ(Place{}.to_string(), "");
}

}  // namespace
}  // namespace rondo
