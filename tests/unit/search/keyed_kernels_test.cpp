// The kernels of mongeau-sankoff, against their scalar references.

#include "search/kernels/keyed_align.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

/// A row for a note or a rest; every note on a code of its own costs `weight` steps, one step more if it is higher.
void add_row(KeyedRows& rows, std::int16_t pitch, std::uint16_t length, std::uint8_t weight) {
  KeyedRows::Kind kind{.pitch = pitch, .rest = 2};
  kind.below.fill(weight);
  kind.above.fill(static_cast<std::uint8_t>(weight + 1));
  rows.kind.push_back(static_cast<std::uint16_t>(rows.kinds.size()));
  rows.kinds.push_back(kind);
  rows.length.push_back(length);
}

/// The same element in every lane.
void add_column(KeyedColumns& columns, std::int16_t pitch, std::uint16_t length) {
  const bool note = pitch != KeyedColumns::kRest && pitch != KeyedColumns::kNothing;
  ++columns.columns;
  columns.pitch.resize(columns.columns * kBatch, pitch);
  columns.code.resize(columns.columns * kBatch, note ? KeyedColumns::coded(3) : KeyedColumns::kNoCode);
  columns.length.resize(columns.columns * kBatch, length);
}

std::uint16_t keyed_cost(const KeyedRows& rows, const KeyedColumns& columns) {
  std::uint16_t cost[kBatch];
  keyed_align(rows, columns, cost);
  EXPECT_EQ(cost[0], cost[kBatch - 1]);
  return cost[0];
}

TEST(KeyedAlign, HasCostsWorkedOutByHand) {
  at_every_level([](std::string_view) {
    KeyedRows rows;
    rows.step = 10;
    add_row(rows, 5, 100, 3);
    KeyedColumns same, longer, higher, rest, halves, nothing;
    add_column(same, 5, 100);
    EXPECT_EQ(keyed_cost(rows, same), 0);  // equal pitch and length, whatever the weight
    add_column(longer, 5, 140);
    EXPECT_EQ(keyed_cost(rows, longer), 30 + 40);
    add_column(higher, 6, 100);
    EXPECT_EQ(keyed_cost(rows, higher), 40);
    add_column(rest, KeyedColumns::kRest, 90);
    EXPECT_EQ(keyed_cost(rows, rest), 20 + 10);
    add_column(halves, 4, 50);
    add_column(halves, 6, 45);
    EXPECT_EQ(keyed_cost(rows, halves), 30 + 40 + 5);  // one against two
    add_column(halves, KeyedColumns::kNothing, 0);
    EXPECT_EQ(keyed_cost(rows, halves), 75);
    EXPECT_EQ(keyed_cost(rows, nothing), 100);
    add_row(rows, 2, 40, 0);
    EXPECT_EQ(keyed_cost(rows, longer), 30 + 10);  // two against one, which is higher than the second
    EXPECT_EQ(keyed_cost(rows, same), 40);         // the second left out
    EXPECT_EQ(keyed_cost(KeyedRows{}, halves), 95);
  });
}

/// Elements of a query that last up to `longest` each, with weights up to `heaviest`.
KeyedRows random_keyed_rows(std::mt19937& random, int longest, unsigned heaviest) {
  KeyedRows rows;
  for (std::size_t kind = 1 + random() % 9; kind > 0; --kind) {
    KeyedRows::Kind one;
    one.pitch = kind == 1 ? KeyedColumns::kRest : between(random, 0, 9);
    for (std::uint8_t& weight : one.above) weight = static_cast<std::uint8_t>(random() % heaviest);
    for (std::uint8_t& weight : one.below) weight = static_cast<std::uint8_t>(random() % heaviest);
    one.rest = static_cast<std::uint8_t>(random() % 4);
    rows.kinds.push_back(one);
  }
  for (std::size_t i = random() % 16; i > 0; --i) {
    rows.kind.push_back(static_cast<std::uint16_t>(random() % rows.kinds.size()));
    rows.length.push_back(static_cast<std::uint16_t>(between(random, 0, longest)));
  }
  return rows;
}

KeyedColumns random_keyed_columns(std::mt19937& random, int longest) {
  using Columns = KeyedColumns;
  Columns columns;
  columns.columns = random() % 16;
  std::size_t ends[kBatch];
  for (std::size_t& end : ends) end = random() % 9 == 0 ? 0 : columns.columns - random() % (columns.columns / 2 + 1);
  for (std::size_t j = 0; j < columns.columns; ++j) {
    for (const std::size_t end : ends) {
      const bool rest = random() % 6 == 0;
      const auto pitch = rest ? Columns::kRest : between(random, -3, 12);
      const std::uint16_t code = rest ? Columns::kNoCode : Columns::coded(random() % kKeyedCodes);
      columns.pitch.push_back(j < end ? pitch : Columns::kNothing);
      columns.code.push_back(j < end ? code : Columns::kNoCode);
      columns.length.push_back(static_cast<std::uint16_t>(j < end ? between(random, 0, longest) : 0));
    }
  }
  return columns;
}

TEST(KeyedAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(27);
    for (int round = 0; round < test::rounds(40); ++round) {
      // Long ones reach the most that sums may have.
      const int longest = round % 3 == 0 ? 2000 : 30;
      auto rows = random_keyed_rows(random, longest, 53);
      rows.step = static_cast<std::uint16_t>(1 + random() % 50);
      const auto columns = random_keyed_columns(random, longest);
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      keyed_align(rows, columns, fast);
      keyed_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
