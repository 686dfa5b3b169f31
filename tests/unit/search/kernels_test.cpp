#include "search/kernels/chain_align.h"
#include "search/kernels/common_amounts.h"
#include "search/kernels/letters_align.h"
#include "search/kernels/nearest_work.h"
#include "search/kernels/pitch_edits.h"
#include "search/kernels/priced_work.h"
#include "search/kernels/rated_align.h"
#include "search/kernels/symbols_align.h"
#include "search/kernels/tally.h"
#include "support/heaps.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

TEST(Levels, AtLeastThePlainOneIsThereAndAnUnknownOneIsRefused) {
  EXPECT_EQ(levels().front(), "plain");
  EXPECT_FALSE(use_level("abacus"));
  EXPECT_TRUE(use_level("best"));
}

TEST(LettersAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(9);
    for (int round = 0; round < test::rounds(60); ++round) {
      std::vector<std::uint16_t> query(random() % 30);
      for (std::uint16_t& letter : query) letter = static_cast<std::uint16_t>(random() % 3);
      LetterColumns columns;
      columns.columns = random() % 40;
      columns.letter.resize(columns.columns * kBatch);
      for (std::uint16_t& letter : columns.letter) letter = static_cast<std::uint16_t>(random() % 3);
      for (std::uint32_t& length : columns.length)
        length = static_cast<std::uint32_t>(random() % (columns.columns + 1));
      const auto cost = [&] { return static_cast<std::uint16_t>(random() % 20); };
      const LetterCosts costs{cost(), cost(), cost(), cost()};
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      letters_align(query, columns, costs, fast);
      letters_align_plain(query, columns, costs, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(PitchEdits, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(13);
    for (int round = 0; round < test::rounds(120); ++round) {
      std::vector<std::uint8_t> query(1 + random() % 30);
      for (std::uint8_t& pitch : query) pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 131));
      PitchColumns columns;
      columns.columns = random() % 40;
      columns.pitch.resize(columns.columns * kBatch);
      for (std::uint8_t& pitch : columns.pitch)
        pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 141));
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        for (std::size_t j = random() % 41; j < columns.columns; ++j) {
          columns.pitch[j * kBatch + lane] = PitchColumns::kNoPitch;
        }
      }
      for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{12}, query.size()}) {
        std::uint8_t fast[kBatch];
        std::uint8_t slow[kBatch];
        pitch_edits(query, columns, static_cast<std::uint8_t>(most), fast);
        pitch_edits_plain(query, columns, static_cast<std::uint8_t>(most), slow);
        for (std::size_t lane = 0; lane < kBatch; ++lane) {
          ASSERT_EQ(fast[lane], slow[lane]) << level << ", round " << round << ", most " << most;
        }
      }
    }
  });
}

TEST(PitchEdits, EveryLevelFindsTheGainsOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(23);
    for (int round = 0; round < test::rounds(40); ++round) {
      std::vector<std::uint8_t> query(round % 4 == 0 ? 400 : 1 + random() % 60);
      for (std::uint8_t& pitch : query) pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 131));
      PitchColumns columns;
      columns.columns = round % 5 == 0 ? kMostGainColumns : random() % 40;
      columns.pitch.resize(columns.columns * kBatch);
      for (std::size_t j = 0; j < columns.columns; ++j) {
        for (std::size_t lane = 0; lane < kBatch; ++lane) {
          const auto pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 141));
          columns.pitch[j * kBatch + lane] = j > 20 + lane ? PitchColumns::kNoPitch : pitch;
          // One that has all the query has.
          if (lane == 3) columns.pitch[j * kBatch + lane] = query[j % query.size()];
        }
      }
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      pitch_gains(query, columns, fast);
      pitch_gains_plain(query, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(CommonAmounts, EveryLevelGivesTheNumbersOfThePlainOne) {
  const auto check = [](std::string_view level, auto amount, std::mt19937& random) {
    using Amount = decltype(amount);
    PitchAmounts<Amount> query;
    for (std::size_t p = random() % 20; p < 128; p += 1 + random() % 12) {
      query.pitch.push_back(static_cast<std::uint8_t>(p));
      query.amount.push_back(static_cast<Amount>(random() % 9));
    }
    std::vector<Amount> document(512);
    for (Amount& one : document) one = static_cast<Amount>(random() % 3 == 0 ? random() % 120 : 0);
    const std::size_t size = 1 + random() % 250;
    std::vector<Amount> fast(512);
    std::vector<Amount> slow(512);
    EXPECT_EQ(common_amounts(query, document.data(), size, fast.data()),
              common_amounts_plain(query, document.data(), size, slow.data()))
        << level;
    EXPECT_EQ(fast, slow) << level;
  };
  at_every_level([&](std::string_view level) {
    std::mt19937 random(19);
    for (int round = 0; round < test::rounds(80); ++round) {
      check(level, std::uint8_t{}, random);
      check(level, std::int16_t{}, random);
    }
  });
}

TEST(SymbolsAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(17);
    for (int round = 0; round < test::rounds(80); ++round) {
      SymbolColumns columns;
      columns.columns = random() % 40;
      columns.symbol.resize(columns.columns * kBatch);
      for (std::uint8_t& symbol : columns.symbol) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<std::uint8_t> query(random() % 30);
      for (std::uint8_t& symbol : query) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<std::uint8_t> longer(random() % 600);
      for (std::uint8_t& symbol : longer) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<SymbolScores> scores(query.size());
      for (SymbolScores& one : scores) {
        for (std::uint8_t& score : one) score = static_cast<std::uint8_t>(random() % 7);
      }
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      equal_symbols(query, columns, fast);
      equal_symbols_plain(query, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
      for (const auto& symbols : {query, longer}) {
        edits_saved(symbols, columns, fast);
        edits_saved_plain(symbols, columns, slow);
        for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
      }
      // Of up to 30 symbols on either side, so that all together fit a byte.
      std::vector<SymbolScores> saves = scores;
      for (SymbolScores& each : saves) {
        for (std::uint8_t& one : each) one = static_cast<std::uint8_t>(one % 9);
      }
      pairs_saved(saves, columns, fast);
      pairs_saved_plain(saves, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
      scored_symbols(scores, columns, fast);
      scored_symbols_plain(scores, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(RatedAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(21);
    for (int round = 0; round < test::rounds(90); ++round) {
      RatedRows rows;
      rows.band = round % 5 > 0;
      rows.places = round % 5 == 2 || round % 5 == 4;
      rows.beats = round % 5 >= 3;
      rows.gap = between(random, 0, 300);
      const int highest = 110 + between(random, 0, 3) * 300;  // from one octave to many
      const auto pitch = [&] { return static_cast<std::int16_t>(between(random, 100, highest) * kRatedStep); };
      for (std::size_t i = 1 + random() % 30; i > 0; --i) {
        rows.pitch.push_back(pitch());
        rows.place.push_back(between(random, 0, kRatedWhole));
        rows.beat.push_back(between(random, 0, kRatedBeat));
      }
      RatedColumns columns;
      columns.columns = 1 + random() % 30;
      columns.farthest = static_cast<std::int16_t>((highest - 100) * kRatedStep);
      for (std::size_t j = 0; j < columns.columns * kBatch; ++j) {
        columns.pitch.push_back(pitch());
        columns.place.push_back(between(random, 0, kRatedWhole));
        columns.beat.push_back(rated_beat(static_cast<std::uint8_t>(between(random, 0, 255))));
      }
      std::int16_t fast[kBatch];
      std::int16_t slow[kBatch];
      rated_align(rows, columns, fast);
      rated_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(ChainAlign, HasCostsWorkedOutByHand) {
  at_every_level([](std::string_view) {
    ChainRows rows{.kind = {4}, .part = {{300}, {343}, {0}}, .gap = {1200}, .forms = 470, .kinds = 587};
    const auto cost = [&](std::int16_t kind, std::int16_t size, std::int16_t direction, std::uint16_t gap) {
      ChainColumns columns;
      columns.reach(1);
      std::fill(std::begin(columns.length), std::end(columns.length), 1U);
      std::fill(columns.kind.begin(), columns.kind.end(), kind);
      std::fill(columns.part[kChainSize].begin(), columns.part[kChainSize].end(), size);
      std::fill(columns.part[kChainDirection].begin(), columns.part[kChainDirection].end(), direction);
      std::fill(columns.gap.begin(), columns.gap.end(), gap);
      std::uint16_t out[kBatch];
      chain_align(rows, columns, out);
      EXPECT_EQ(out[0], out[kBatch - 1]);
      return out[0];
    };
    EXPECT_EQ(cost(4, 300, 343, 800), 0);
    EXPECT_EQ(cost(5, 300, 343, 800), 470);
    EXPECT_EQ(cost(6, 300, 343, 800), 587);
    EXPECT_EQ(cost(7, 400, -343, 800), 587 + 100 + 686);
    EXPECT_EQ(cost(7, 9000, 343, 100), 1300);  // both stand alone
    EXPECT_EQ(cost(7, 9000, 343, 65'535), 587 + 8700);
    rows.gap[0] = 65'535;
    EXPECT_EQ(cost(31, 30'000, 0, 65'535), 587 + 29'700 + 343);
  });
}

TEST(ChainAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(22);
    for (int round = 0; round < test::rounds(90); ++round) {
      ChainRows rows;
      rows.forms = between(random, 400, 500);
      rows.kinds = between(random, 501, 799);
      const int most = round % 3 == 0 ? 7000 : 300;  // sums that stop at the greatest number, too
      const auto part = [&] { return between(random, -most / 3, most); };
      const auto gap = [&] { return static_cast<std::uint16_t>(random() % (round % 2 == 0 ? 1500 : 30'000)); };
      for (std::size_t i = random() % 30; i > 0; --i) {
        rows.kind.push_back(between(random, 0, kChainKinds - 1));
        for (auto& one : rows.part) one.push_back(part());
        rows.gap.push_back(gap());
      }
      ChainColumns columns;
      columns.reach(1 + random() % 30);
      for (std::uint32_t& length : columns.length)
        length = static_cast<std::uint32_t>(random() % (columns.columns + 1));
      for (std::size_t at = 0; at < columns.columns * kBatch; ++at) {
        columns.kind[at] = between(random, 0, kChainKinds - 1);
        for (auto& one : columns.part) one[at] = part();
        columns.gap[at] = gap();
      }
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      chain_align(rows, columns, fast);
      chain_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

/// Some of them on one place.
Heaps random_heaps(std::mt19937& random) {
  Heaps out;
  out.clear(1 + random() % 90);
  for (std::size_t i = 0; i < out.size; ++i) {
    out.time[i] = static_cast<float>(random() % 4000) / 100;
    out.pitch[i] = static_cast<float>(100 + random() % 80);
    out.weight[i] = 1 / static_cast<float>(out.size);
    if (i > 0 && random() % 4 == 0) {
      out.time[i] = out.time[i - 1];
      out.pitch[i] = out.pitch[i - 1];
    }
  }
  out.pad();
  return out;
}

TEST(NearestWork, EveryLevelGivesNearlyTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(19);
    for (int round = 0; round < test::rounds(60); ++round) {
      const Heaps query = random_heaps(random);
      const Heaps document = random_heaps(random);
      const std::vector<HeapPlacing> placings = {{1, 0}, {0.8F, 3}, {1.25F, -6}};
      for (const HeapSides sides : {HeapSides{true, true}, HeapSides{true, false}, HeapSides{false, true}}) {
        float fast[3];
        float slow[3];
        nearest_work(query, document, placings, sides, 1e9F, fast);
        nearest_work_plain(query, document, placings, sides, 0, slow);
        for (std::size_t p = 0; p < 3; ++p) ASSERT_NEAR(fast[p], slow[p], 1e-4F) << level << " " << round;
        nearest_work(query, document, placings, sides, slow[1] / 2, fast);
        EXPECT_GE(fast[1], slow[1] / 2 - 1e-4F);
        EXPECT_LE(fast[1], slow[1] + 1e-4F);
      }
    }
  });
}

TEST(NearestWork, EveryHeapGoesToTheNearestPlace) {
  // One heap at (0, 0) and one at (3, 4), half the weight each, against one place at the origin: half of 5. The other
  // way round the one heap is there already.
  const Heaps query = test::heaps({{0, 0, 0.5F}, {3, 4, 0.5F}});
  const Heaps document = test::heaps({{0, 0, 1}});
  const std::vector<HeapPlacing> placings = {{1, 0}};
  float work = -1;
  nearest_work(query, document, placings, {true, true}, 1e9F, &work);
  EXPECT_FLOAT_EQ(work, 2.5F);
  nearest_work(query, document, placings, {false, true}, 1e9F, &work);
  EXPECT_FLOAT_EQ(work, 0.0F);
}

TEST(PricedWork, EveryLevelGivesTheColumnsAndNearlyTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(29);
    for (int round = 0; round < test::rounds(60); ++round) {
      const Heaps rows = random_heaps(random);
      const Heaps columns = random_heaps(random);
      Ways fast;
      Ways slow;
      lay_ways(rows, columns, fast);
      lay_ways_plain(rows, columns, slow);
      ASSERT_EQ(fast.rows, slow.rows);
      ASSERT_EQ(fast.columns, slow.columns);
      ASSERT_EQ(fast.way.size(), slow.way.size());
      for (std::size_t i = 0; i < fast.way.size(); ++i) ASSERT_NEAR(fast.way[i], slow.way[i], 1e-4F) << level;
      EXPECT_NEAR(fast.longest, slow.longest, 1e-4F) << level;
      std::vector<float> price(columns.size);
      // In thirds, so that many columns are equally good.
      for (float& one : price) one = static_cast<float>(static_cast<int>(random() % 90) - 60) / 3;
      for (const bool may_stay : {false, true}) {
        std::vector<std::uint32_t> fast_column(slow.rows);
        std::vector<std::uint32_t> slow_column(slow.rows);
        const float sum = cheapest_columns(slow, rows.weight.data(), price.data(), may_stay, fast_column.data());
        const float expected =
            cheapest_columns_plain(slow, rows.weight.data(), price.data(), may_stay, slow_column.data());
        EXPECT_NEAR(sum, expected, 1e-3F) << level;
        ASSERT_EQ(fast_column, slow_column) << level << " " << round;
      }
    }
  });
}

TEST(TallyKernels, EveryLevelDoesWhatThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(11);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
      std::vector<std::uint8_t> bits((size + 63) / 64 * 8);
      for (std::uint8_t& byte : bits) byte = static_cast<std::uint8_t>(random());
      std::vector<std::uint8_t> fast(size);
      for (std::uint8_t& byte : fast) byte = static_cast<std::uint8_t>(random());
      std::vector<std::uint8_t> slow = fast;
      add_where(bits.data(), 100, fast);
      add_where_plain(bits.data(), 100, slow);
      ASSERT_EQ(fast, slow) << level << " " << size;
      for (const int least : {0, 1, 127, 128, 200, 255}) {
        const auto border = static_cast<std::uint8_t>(least);
        EXPECT_EQ(count_at_least(fast, border), count_at_least_plain(fast, border)) << level;
        for (const int most : {0, 127, 130, 254, 255}) {
          std::vector<std::uint32_t> found{7};  // it appends
          std::vector<std::uint32_t> expected{7};
          places_within(fast, border, static_cast<std::uint8_t>(most), 5, found);
          places_within_plain(fast, border, static_cast<std::uint8_t>(most), 5, expected);
          EXPECT_EQ(found, expected) << level << ", " << least << " to " << most;
        }
      }
    }
  });
}

TEST(ListKernels, ShortNumbersAreCountedAndSummedAtEveryLevel) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(37);
    for (int round = 0; round < test::rounds(400); ++round) {
      std::vector<std::uint8_t> bytes;
      ShortNumbers expected;
      const std::size_t numbers = 1 + random() % 300;
      // Rarely three bytes, or the last one cut off: then nothing is said.
      const bool longer = random() % 8 == 0;
      const bool cut_off = random() % 8 == 0;
      while (expected.count < numbers) {
        const std::uint32_t most = random() % 3 == 0 ? 1U << 14U : 1U << 7U;
        const auto number = static_cast<std::uint32_t>(random() % most);
        expected.sum += number;
        ++expected.count;
        if (number >= 0x80) bytes.push_back(static_cast<std::uint8_t>(number | 0x80U));
        bytes.push_back(static_cast<std::uint8_t>(number < 0x80 ? number : number >> 7U));
      }
      if (longer) {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size());
        bytes.insert(at, {0x80, 0x81, 0x01});
      }
      if (cut_off) bytes.push_back(0x80);
      if (longer || cut_off) expected = {};
      const ShortNumbers plain = short_numbers_plain(bytes);
      const ShortNumbers fast = short_numbers(bytes);
      ASSERT_EQ(plain.count, expected.count) << round;
      ASSERT_EQ(plain.sum, expected.sum) << round;
      ASSERT_EQ(fast.count, expected.count) << level << " " << round;
      ASSERT_EQ(fast.sum, expected.sum) << level << " " << round;
    }
    EXPECT_EQ(short_numbers({}).count, 0U);
  });
}

TEST(ListKernels, BitsAreCountedAtEveryLevel) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(41);
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 8, 63, 64, 65, 1000, 70'000}) {
      std::vector<std::uint8_t> bytes(size, 0xFF);
      EXPECT_EQ(bits_in(bytes), 8 * size) << level;
      std::uint64_t expected = 0;
      for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
        for (unsigned bit = 0; bit < 8; ++bit) expected += byte >> bit & 1U;
      }
      EXPECT_EQ(bits_in(bytes), expected) << level << " " << size;
      EXPECT_EQ(bits_in_plain(bytes), expected) << size;
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
