// Index files with wrong values and right checksums: refused, or searched without harm.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "generate/generate.h"
#include "search/index/snapshot.h"
#include "search/search.h"
#include "support/index_repair.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"

namespace rondo {
namespace {

using index::SectionKind;

class IndexDeception : public testing::Test {
 protected:
  IndexDeception() {
    auto collection = Collection::open(folder_ / "c.db", OpenMode::create).value();
    for (std::uint64_t i = 0; i < 40; ++i) EXPECT_TRUE(collection.put(Generator(5).piece(i)));
    file_ = Index::path_for(folder_ / "c.db");
    EXPECT_TRUE(Index::update(collection, file_));
    // A second segment, and removed documents in the first.
    EXPECT_TRUE(collection.remove(Generator(5).piece(3).id));
    for (std::uint64_t i = 40; i < 50; ++i) EXPECT_TRUE(collection.put(Generator(5).piece(i)));
    EXPECT_TRUE(Index::update(collection, file_));
    original_.resize(std::filesystem::file_size(file_));
    std::ifstream(file_, std::ios::binary).read(original_.data(), static_cast<std::streamsize>(original_.size()));
  }

  /// Where a section of the first segment lies in the file, and its length.
  [[nodiscard]] std::pair<std::size_t, std::size_t> section(SectionKind kind) const {
    constexpr std::size_t kFirstSegment = 8192;
    index::SegmentHeader header{};
    std::memcpy(&header, original_.data() + kFirstSegment, sizeof header);
    for (std::uint32_t i = 0; i < header.sections; ++i) {
      index::Section found{};
      std::memcpy(&found, original_.data() + kFirstSegment + sizeof header + i * sizeof found, sizeof found);
      if (found.kind == kind) return {kFirstSegment + found.offset, found.length};
    }
    ADD_FAILURE() << "no section " << static_cast<int>(kind);
    return {0, 0};
  }

  /// The file with these bytes at a place and all checksums right.
  template <typename Value>
  Result<Index> opened_with(std::size_t at, Value value) {
    std::string bytes = original_;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return opened(std::move(bytes));
  }
  Result<Index> opened(std::string bytes) {
    test::repair_index(bytes);
    const auto copy = folder_ / "deceptive.index";
    std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return Index::open(copy);
  }

  static void search_with(const Index& index, const SystemRow& row) {
    const auto system = system_named(row.name);
    teach(index, *system);
    const Line query = make_line(Generator(5).piece(7).voices.front());
    (void)search(index, row, *system, query, {.k = 3, .time_limit = std::chrono::seconds(5)},
                 [](PieceKey) { return std::string("x"); });
  }

  Scratch folder_;
  std::filesystem::path file_;
  std::string original_;
};

TEST_F(IndexDeception, TheOriginalIsFineAndRepairChangesNothing) {
  std::string bytes = original_;
  test::repair_index(bytes);
  EXPECT_EQ(bytes, original_);
  EXPECT_TRUE(opened(original_));
}

TEST_F(IndexDeception, ValuesThatLeadAstrayAreRefused) {
  const auto refused = [&](SectionKind kind, std::size_t offset, auto value, const char* what) {
    auto index = opened_with(section(kind).first + offset, value);
    EXPECT_FALSE(index.has_value()) << what;
    if (!index) {
      EXPECT_EQ(index.error().code, "index-damaged") << what;
      EXPECT_FALSE(index.error().hint.empty()) << what;
    }
  };
  const auto u32 = [](std::uint32_t value) { return value; };
  const auto u64 = [](std::uint64_t value) { return value; };
  const auto i64 = [](std::int64_t value) { return value; };
  refused(SectionKind::frames, 4, u32(0xFFFFFFFF), "a list of bars beyond all");
  refused(SectionKind::bar_times, 8, i64(0), "a bar at a time with denominator 0");
  refused(SectionKind::bar_times, 8, i64(-1), "a negative denominator");
  refused(SectionKind::time_codes, 8, i64(0), "a rest with denominator 0");
  refused(SectionKind::time_codes, 24, i64(0), "a duration with denominator 0");
  refused(SectionKind::time_codes, 16, i64(0), "no duration");
  refused(SectionKind::time_codes, 16, i64(-3), "a negative duration");
  refused(SectionKind::time_codes, 16, i64(1) << 62, "a duration that overflows");
  refused(SectionKind::time_codes, 24, i64(7919), "a duration off the grid");
  refused(SectionKind::time_codes, 0, i64(-1'000'000), "a note before the one before it");
  refused(SectionKind::frames, 0, u32(0), "a grid of no ticks");
  refused(SectionKind::frames, 0, u32(0xFFFFFFFF), "a grid finer than any");
  refused(SectionKind::pitch_codes, 0, std::int16_t{32767}, "a pitch beyond all octaves");
  refused(SectionKind::pitch_codes, 0, std::int16_t{400}, "a pitch that cannot be played");
  refused(SectionKind::pitch_codes, 0, std::int16_t{-1}, "a pitch below all keys");
  refused(SectionKind::runs, 0, u32(0), "fewer notes than there are");
  refused(SectionKind::runs, 0, u32(0xFFFFFFFF), "more notes than there are");
  refused(SectionKind::runs, 4, u32(3), "documents that belong to no run");
  refused(SectionKind::runs, 8, u64(1), "notes that belong to no document");
  refused(SectionKind::structures, 0, std::uint8_t{126}, "a structure without a meaning");
  refused(SectionKind::structures, 0, std::uint8_t{255}, "a chain too many");
  refused(SectionKind::structure_codes, 0, std::uint8_t{77}, "an unknown archetype");
  refused(SectionKind::structure_codes, 4, u32(100'000), "a structure longer than any");
  refused(SectionKind::structure_starts, 0, u64(1), "chains that begin elsewhere");
  refused(SectionKind::three_counts, 0, u64(1) << 63, "a window that occurs too often");
  refused(SectionKind::three_counts, 0, u64(0), "a window that does not occur");
  refused(SectionKind::three_sizes, 0, u32(0xFFFFFFFF), "a list of more documents than there are");
  refused(SectionKind::three_sizes, 0, u32(0), "a list of no documents");
  refused(SectionKind::three_offsets, 8, u64(1) << 40, "a list outside of its section");
  refused(SectionKind::four_keys, 8, u64(0), "keys out of order");
  refused(SectionKind::rhythm_lists, 0, std::uint8_t{127}, "a document that is not there");
}

TEST_F(IndexDeception, NoWrongValueBringsASearchDown) {
  // Any word of the file, replaced by values that programs do not expect.
  std::mt19937_64 random(11);
  const std::uint64_t values[] = {
      0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  int searched = 0;
  for (int round = 0; round < test::rounds(1500); ++round) {
    std::string bytes = original_;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t width = std::size_t{1} << (random() % 4);
      const std::size_t at = 8192 + random() % ((bytes.size() - 8192 - 8) / width) * width;
      const std::uint64_t value = random() % 4 == 0 ? random() : values[random() % std::size(values)];
      std::memcpy(bytes.data() + at, &value, width);
    }
    const auto index = opened(std::move(bytes));
    if (!index) continue;
    ++searched;
    const auto rows = systems();
    search_with(*index, *rows[random() % rows.size()]);
  }
  EXPECT_GT(searched, test::rounds(50)) << "some changes do no harm: the keys of voices, metric weights, padding";
}

TEST_F(IndexDeception, ATableOfContentsThatLiesIsRefused) {
  // The table in force is that of the newer superblock.
  std::uint64_t offset = 0;
  std::memcpy(&offset, original_.data() + 24, sizeof offset);
  std::mt19937_64 random(12);
  for (std::size_t at = offset; at + 8 <= original_.size(); at += 8) {
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}, std::uint64_t{1} << 62,
                                      std::uint64_t{original_.size()}, random()}) {
      auto index = opened_with(at, value);
      if (index) search_with(*index, *find_system("shapeh"));
    }
  }
}

}  // namespace
}  // namespace rondo
