// The kernels of mongeau-sankoff, against their scalar references.

#include "search/kernels/common_tonic.h"
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
template <typename Unit>
KeyedRowsOf<Unit> random_keyed_rows(std::mt19937& random, int longest, unsigned heaviest) {
  using Pitch = typename KeyedRowsOf<Unit>::Pitch;
  KeyedRowsOf<Unit> rows;
  for (std::size_t kind = 1 + random() % 9; kind > 0; --kind) {
    typename KeyedRowsOf<Unit>::Kind one;
    one.pitch = kind == 1 ? KeyedColumnsOf<Unit>::kRest : static_cast<Pitch>(between(random, 0, 9));
    for (std::uint8_t& weight : one.above) weight = static_cast<std::uint8_t>(random() % heaviest);
    for (std::uint8_t& weight : one.below) weight = static_cast<std::uint8_t>(random() % heaviest);
    one.rest = static_cast<std::uint8_t>(random() % 4);
    rows.kinds.push_back(one);
  }
  for (std::size_t i = random() % 16; i > 0; --i) {
    rows.kind.push_back(static_cast<std::uint16_t>(random() % rows.kinds.size()));
    rows.length.push_back(static_cast<Unit>(between(random, 0, longest)));
  }
  return rows;
}

template <typename Unit>
KeyedColumnsOf<Unit> random_keyed_columns(std::mt19937& random, int longest) {
  using Columns = KeyedColumnsOf<Unit>;
  Columns columns;
  columns.columns = random() % 16;
  std::size_t ends[kBatch];
  for (std::size_t& end : ends) end = random() % 9 == 0 ? 0 : columns.columns - random() % (columns.columns / 2 + 1);
  for (std::size_t j = 0; j < columns.columns; ++j) {
    for (const std::size_t end : ends) {
      const bool rest = random() % 6 == 0;
      const auto pitch = rest ? Columns::kRest : static_cast<typename Columns::Pitch>(between(random, -3, 12));
      const Unit code = rest ? Columns::kNoCode : Columns::coded(random() % kKeyedCodes);
      columns.pitch.push_back(j < end ? pitch : Columns::kNothing);
      columns.code.push_back(j < end ? code : Columns::kNoCode);
      columns.length.push_back(static_cast<Unit>(j < end ? between(random, 0, longest) : 0));
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
      auto rows = random_keyed_rows<std::uint16_t>(random, longest, 53);
      rows.step = static_cast<std::uint16_t>(1 + random() % 50);
      const auto columns = random_keyed_columns<std::uint16_t>(random, longest);
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      keyed_align(rows, columns, fast);
      keyed_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(KeyedAlign, InBytesEveryLevelGivesTheNumbersOfThePlainOneOrLessOfWhatLastsLong) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(28);
    int small = 0;
    for (int round = 0; round < test::rounds(60); ++round) {
      const bool is_long = round % 3 == 0;
      const int longest = is_long ? kMostRoughUnits : 16;
      const auto rows = random_keyed_rows<std::uint8_t>(random, longest, round % 2 == 0 ? 53 : 5);
      const auto columns = random_keyed_columns<std::uint8_t>(random, longest);
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      keyed_roughly(rows, columns, 255, fast);
      keyed_roughly_plain(rows, columns, 255, slow);
      const auto limit = static_cast<std::uint8_t>(round % 2 == 0 ? random() % 250 : 20);
      std::uint8_t limited[kBatch];
      keyed_roughly(rows, columns, limit, limited);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ASSERT_GE(limited[lane], fast[lane]) << level << " " << round;
        if (slow[lane] <= limit) {
          ASSERT_LE(limited[lane], slow[lane]) << level << " " << round;
        } else if (!is_long) {
          ASSERT_GT(limited[lane], limit) << level << " " << round;
        }
        if (is_long) {
          ASSERT_LE(fast[lane], slow[lane]) << level << " " << round;
        } else {
          ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
        }
        small += slow[lane] > 0 && slow[lane] < 255 ? 1 : 0;
      }
    }
    EXPECT_GT(small, test::rounds(60) * 20);
  });
}

/// A document for each lane that is like the query: elements are changed, left out, added, split or joined.
RoughColumns columns_like(std::mt19937& random, const RoughRows& rows, int longest) {
  struct Element {
    std::int8_t pitch = 0;
    std::uint8_t length = 0;
  };
  std::vector<std::vector<Element>> lanes(kBatch);
  RoughColumns columns;
  for (std::vector<Element>& lane : lanes) {
    const auto changes = random() % 9 + 1;  // one element in so many
    const auto element = [&] {
      return Element{static_cast<std::int8_t>(between(random, -3, 12)),
                     static_cast<std::uint8_t>(between(random, 0, longest))};
    };
    for (std::size_t i = 0; i < rows.kind.size(); ++i) {
      const Element own{rows.kinds[rows.kind[i]].pitch, rows.length[i]};
      switch (random() % changes == 0 ? random() % 6 : 6) {
        case 0: break;
        case 1: lane.push_back(element()); break;
        case 2: lane.insert(lane.end(), {own, element()}); break;
        case 3: {
          const auto part = static_cast<std::uint8_t>(between(random, 0, own.length));
          lane.insert(lane.end(), {{own.pitch, part}, {own.pitch, static_cast<std::uint8_t>(own.length - part)}});
          break;
        }
        case 4:
          if (!lane.empty() && lane.back().length + own.length <= kMostRoughUnits) {
            lane.back().length = static_cast<std::uint8_t>(lane.back().length + own.length);
            break;
          }
          [[fallthrough]];
        case 5: lane.push_back({static_cast<std::int8_t>(own.pitch == 5 ? 6 : 5), own.length}); break;
        default: lane.push_back(own); break;
      }
    }
    columns.columns = std::max(columns.columns, lane.size());
  }
  for (std::size_t j = 0; j < columns.columns; ++j) {
    for (const std::vector<Element>& lane : lanes) {
      const bool there = j < lane.size();
      const bool note = there && lane[j].pitch != RoughColumns::kRest;
      columns.pitch.push_back(there ? lane[j].pitch : RoughColumns::kNothing);
      columns.code.push_back(note ? RoughColumns::coded(random() % kKeyedCodes) : RoughColumns::kNoCode);
      columns.length.push_back(there ? lane[j].length : std::uint8_t{0});
    }
  }
  return columns;
}

// The limit leaves out cells from which nothing within it can come: at the limit itself, and just below it, that would
// show.
TEST(KeyedAlign, InBytesEveryCostWithinTheLimitIsThatOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(30);
    std::size_t within = 0;
    std::size_t beyond = 0;
    for (int round = 0; round < test::rounds(60); ++round) {
      // So that nothing lasts longer than a byte can tell, or one element most of it.
      const int longest = round % 4 == 0 ? 1 : 14;
      RoughRows rows = random_keyed_rows<std::uint8_t>(random, longest, round % 2 == 0 ? 20 : 3);
      if (round % 5 == 1 && !rows.length.empty()) rows.length[random() % rows.length.size()] = 40;
      const RoughColumns columns = columns_like(random, rows, round % 5 == 2 ? 30 : longest);
      std::uint8_t slow[kBatch];
      keyed_roughly_plain(rows, columns, 255, slow);
      for (int l = 0; l < 8; ++l) {
        const int near = slow[random() % kBatch] - static_cast<int>(random() % 3);
        const auto limit = static_cast<std::uint8_t>(std::clamp(near, 0, 254));
        std::uint8_t fast[kBatch];
        keyed_roughly(rows, columns, limit, fast);
        for (std::size_t lane = 0; lane < kBatch; ++lane) {
          if (slow[lane] <= limit) {
            ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round << " limit " << int{limit};
            ++within;
          } else {
            ASSERT_GT(fast[lane], limit) << level << " " << round << " limit " << int{limit};
            ++beyond;
          }
        }
      }
    }
    EXPECT_GT(within, beyond / 8);
    EXPECT_GT(beyond, within / 8);
  });
}

TEST(CommonTonic, EveryLevelFindsTheTonicOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(29);
    for (int round = 0; round < test::rounds(400); ++round) {
      TonicQuery query;
      ClassTicks document;
      // Few different times, so that many tonics are equally good.
      const unsigned most = round % 2 == 0 ? 3 : 100'000;
      for (double& time : query.time) time = random() % 3 == 0 ? static_cast<double>(random() % most) : 0;
      for (const double time : query.time) query.total += time;
      for (std::size_t i = 0; i < 12; ++i) {
        document.time[i] = random() % 3 == 0 ? static_cast<std::int32_t>(random() % most) : 0;
      }
      const int first = static_cast<int>(random() % 12);
      ASSERT_EQ(common_tonic(query, document, first), common_tonic_plain(query, document, first)) << level << round;
    }
  });
}

TEST(CommonTonic, OfManyDocumentsAtOnceEveryLevelFindsThoseOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(31);
    for (int round = 0; round < test::rounds(60); ++round) {
      TonicQuery query;
      // Few different times, so that many tonics are equally good; or so long that sums need more than 32 bits.
      const unsigned most = std::array{3U, 200U, 100'000U}[static_cast<std::size_t>(round % 3)];
      for (double& time : query.time) time = random() % 3 == 0 ? static_cast<double>(random() % most) : 0;
      for (const double time : query.time) query.total += time;
      std::vector<std::array<std::int16_t, PitchTicks::kPitches>> times(random() % 40);
      std::vector<PitchTicks> documents;
      for (auto& time : times) {
        PitchTicks& document = documents.emplace_back();
        for (std::int16_t& one : time) {
          one = static_cast<std::int16_t>(random() % 3 == 0 ? random() % (round % 2 == 0 ? 3 : 1000) : 0);
          document.total += one;
        }
        document.time = time.data();
        document.first = static_cast<std::int32_t>(random() % 12);
      }
      std::vector<std::uint8_t> fast(documents.size());
      std::vector<std::uint8_t> slow(documents.size());
      common_tonics(query, documents, fast.data());
      common_tonics_plain(query, documents, slow.data());
      ASSERT_EQ(fast, slow) << level << " " << round;
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
