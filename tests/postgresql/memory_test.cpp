// The memory limit of the extension, without PostgreSQL: whichever allocation is refused, the call reports it, nothing
// is lost, and the same call succeeds when there is enough memory. This program has the allocation functions of the
// module.
#include "bridge/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "bridge/bridge.h"
#include "melody/limits.h"
#include "rondo/similarity/system.h"

bool rondo_interrupt_wanted() { return false; }

namespace {

namespace memory = rondo::postgresql::memory;

RondoBytes bytes(std::string_view text) { return {text.data(), text.size()}; }
/// What follows is the test's own, so there is no limit any more.
std::string copy(RondoBytes bytes) {
  rondo_memory_limit(-1);
  return bytes.size == 0 ? std::string() : std::string(bytes.data, bytes.size);
}

std::int64_t used() { return rondo_memory_use().used; }

/// While it exists, so many bytes more than now may be used.
class Allowance {
 public:
  explicit Allowance(std::int64_t more) { rondo_memory_limit(used() + more); }
  ~Allowance() { rondo_memory_limit(-1); }
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;
};

std::string random_notes(std::mt19937& rng, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (rng() % 4 == 0) out += "248"[rng() % 3];
    out += "CDEFGAB"[rng() % 7];
    if (rng() % 8 == 0) out += '/';
  }
  return "'4" + out;
}

std::string packed(std::string_view text) {
  RondoBytes out{};
  EXPECT_EQ(rondo_melody_in(bytes(text), &out), RONDO_OK) << text.substr(0, 100) << ' ' << rondo_error()->message;
  return copy(out);
}

std::string query_for(std::string_view text, std::string_view system) {
  RondoBytes out{};
  if (rondo_query_make(bytes(text), false, bytes(system), nullptr, 0, 7, &out) != RONDO_OK) return {};
  return copy(out);
}

/// A call of the bridge, or several; its result goes to the text.
using Call = std::function<RondoStatus(std::string&)>;

/// Repeats a call with more and more memory, each time enough for the allocation that was refused before, until it
/// succeeds. In large steps where there would be too many.
void refuse_each_allocation(const std::string& name, const Call& call, int steps = 150) {
  SCOPED_TRACE(name);
  std::string expected;
  ASSERT_EQ(call(expected), RONDO_OK) << rondo_error()->message;
  rondo_memory_release();
  const std::int64_t before = used();
  const std::int64_t peak = rondo_memory_use().peak;
  std::int64_t more = 0;
  int refused = 0;
  for (;; ++refused) {
    ASSERT_LT(refused, 100'000);
    std::string result;
    RondoStatus status = RONDO_OK;
    {
      const Allowance allowance(more);
      status = call(result);
    }
    if (status == RONDO_OK) {
      EXPECT_EQ(result, expected);
      break;
    }
    ASSERT_EQ(status, RONDO_OUT_OF_MEMORY) << rondo_error()->message;
    ASSERT_TRUE(rondo_memory_refused().by_limit);
    std::string().swap(result);
    rondo_memory_release();
    ASSERT_EQ(used(), before) << "after " << more << " bytes";
    const std::int64_t needed =
        rondo_memory_refused().used + static_cast<std::int64_t>(rondo_memory_refused().wanted) - before;
    more = std::max(needed, more + (peak - before) / steps);
  }
  EXPECT_GT(refused, 0);
}

TEST(Memory, EveryAllocationFunctionCounts) {
  const std::int64_t before = used();
  const auto counted = [&](std::int64_t least) { return used() - before >= least; };
  char* one = new char('x');
  EXPECT_TRUE(counted(1));
  delete one;
  char* many = new char[1000];
  EXPECT_TRUE(counted(1000));
  delete[] many;
  void* quiet = ::operator new(500, std::nothrow);
  EXPECT_TRUE(counted(500));
  ::operator delete(quiet, std::nothrow);
  void* quiet_many = ::operator new[](500, std::nothrow);
  EXPECT_TRUE(counted(500));
  ::operator delete[](quiet_many, std::nothrow);
  for (const std::size_t alignment : {32U, 64U, 4096U}) {
    const auto wanted = static_cast<std::align_val_t>(alignment);
    for (void* at : {::operator new(777, wanted), ::operator new(777, wanted, std::nothrow)}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0U);  // NOLINT: an address as a number
      EXPECT_TRUE(counted(777));
      ::operator delete(at, wanted);
    }
    void* list = ::operator new[](777, wanted);
    EXPECT_TRUE(counted(777));
    ::operator delete[](list, wanted);
    void* quiet_list = ::operator new[](777, wanted, std::nothrow);
    ::operator delete[](quiet_list, wanted, std::nothrow);
  }
  ::operator delete(nullptr);
  EXPECT_EQ(used(), before);
  EXPECT_GE(rondo_memory_use().peak, before + 1000);
}

TEST(Memory, RefusesWhatIsBeyondTheLimitAndNothingElse) {
  void* fits = nullptr;
  void* quiet = nullptr;
  bool refused = false;
  {
    const Allowance allowance(10'000);
    fits = ::operator new(5'000, std::nothrow);
    quiet = ::operator new(6'000, std::nothrow);
    try {
      ::operator delete(::operator new(6'000));
    } catch (const std::bad_alloc&) {
      refused = true;
    }
  }
  EXPECT_NE(fits, nullptr);
  EXPECT_EQ(quiet, nullptr);
  EXPECT_TRUE(refused);
  EXPECT_EQ(rondo_memory_refused().wanted, 6'000U);
  ::operator delete(fits);
  // A limit below what is in use: nothing more, not even a little; but what is there may be freed.
  rondo_memory_limit(1);
  void* none = ::operator new(1, std::nothrow);
  rondo_memory_limit(-1);
  EXPECT_EQ(none, nullptr);
  // More than the system has is no matter of the limit.
  volatile std::size_t too_much = std::size_t{1} << 62U;
  EXPECT_EQ(::operator new(too_much, std::nothrow), nullptr);
  EXPECT_FALSE(rondo_memory_refused().by_limit);
}

TEST(Memory, DestructorsThatAnExceptionRunsAreNotRefused) {
  struct Allocates {
    bool* done;
    ~Allocates() {
      ::operator delete(::operator new(1'000'000));
      *done = true;
    }
  };
  bool done = false;
  {
    const Allowance allowance(10'000);
    try {
      const Allocates one{&done};
      ::operator delete(::operator new(100'000));
    } catch (const std::bad_alloc&) {
    }
  }
  EXPECT_TRUE(done);
}

TEST(Memory, AnyAllocationOfAFunctionMayBeRefused) {
  std::mt19937 rng(1);
  const std::string notes = packed(random_notes(rng, 60));
  const std::string other = packed(random_notes(rng, 60));
  const std::string odd = packed(R"({"notes": [["0", "1/4", 60], ["1/4", "1/7", 62], ["11/28", "1/4", 64]]})");
  refuse_each_allocation("in, Plaine & Easie", [&](std::string& out) {
    RondoBytes made{};
    const RondoStatus status = rondo_melody_in(bytes("%G-2@3/4$xF 4'DEF/2.G/(8CDE)F//:/4''C'BA"), &made);
    out = copy(made);
    return status;
  });
  refuse_each_allocation("in, JSON", [&](std::string& out) {
    RondoBytes made{};
    const RondoStatus status = rondo_melody_in(
        bytes(R"({"clef": "G-2", "notes": [["0", "1/4", 60], ["1/4", "1/4", 62], ["1/2", "1/4", 64]]})"), &made);
    out = copy(made);
    return status;
  });
  for (const std::string& melody : {notes, odd}) {
    refuse_each_allocation("out", [&](std::string& out) {
      RondoBytes made{};
      const RondoStatus status = rondo_melody_out(bytes(melody), &made);
      out = copy(made);
      return status;
    });
  }
  for (const char* format : {"pae", "abc", "kern", "mei", "musicxml", "jsonl", "midi"}) {
    std::string file;
    refuse_each_allocation(format, [&](std::string& out) {
      RondoBytes made{};
      const RondoStatus status = rondo_melody_to(bytes(notes), format, &made);
      out = copy(made);
      if (status == RONDO_OK) file = out;
      return status;
    });
    for (const char* name : {format, ""}) {
      refuse_each_allocation(std::string("from ") + format, [&](std::string& out) {
        RondoBytes made{};
        const RondoStatus status = rondo_melody_from(bytes(file), bytes(name), 0, &made);
        out = copy(made);
        return status;
      });
    }
  }
  refuse_each_allocation("features", [&](std::string& out) {
    RondoBytes made{};
    const RondoStatus status = rondo_feature_text(bytes(notes), nullptr, &made);
    out = copy(made);
    return status;
  });
  refuse_each_allocation("feature", [&](std::string& out) {
    double value = 0;
    const RondoStatus status = rondo_feature_number(bytes(notes), "range", &value);
    out = std::to_string(value);
    return status;
  });
  std::string query;
  refuse_each_allocation("query in", [&](std::string& out) {
    RondoBytes made{};
    const RondoStatus status =
        rondo_query_in(bytes(R"({"melody": "'4CDECGABC", "system": "shapeh", "statistics": 7})"), &made);
    query = out = copy(made);
    return status;
  });
  refuse_each_allocation("query out", [&](std::string& out) {
    RondoBytes made{};
    const RondoStatus status = rondo_query_out(bytes(query), &made);
    out = copy(made);
    return status;
  });
  for (const rondo::SystemRow* row : rondo::systems()) {
    const std::string name(row->name);
    double score = 0;
    bool null = false;
    if (rondo_score(bytes(name), nullptr, 0, bytes(notes), bytes(other), &score, &null) == RONDO_FAILED) continue;
    refuse_each_allocation(
        "score " + name,
        [&](std::string& out) {
          const RondoStatus status = rondo_score(bytes(name), nullptr, 0, bytes(notes), bytes(other), &score, &null);
          out = std::to_string(score);
          return status;
        },
        40);
    refuse_each_allocation(
        "explain " + name,
        [&](std::string& out) {
          RondoBytes json{};
          const RondoStatus status = rondo_explain(bytes(name), nullptr, 0, bytes(notes), bytes(other), &json);
          out = copy(json);
          return status;
        },
        20);
  }
}

/// The segments of an index of some rows, and some rows that are in none.
class MemoryOfAnIndex : public testing::Test {
 protected:
  using Streams = std::array<std::string, RONDO_STREAMS>;

  void SetUp() override {
    std::mt19937 rng(5);
    for (int i = 0; i < 150; ++i) rows_.push_back(packed(random_notes(rng, 3 + rng() % 40)));
    rows_.push_back(packed("'4C^E^G/D^F/E/C"));
    rows_.push_back("");
    ASSERT_EQ(build(rows_, streams_), RONDO_OK);
    // What the windows of all rows are is asked of the index itself.
    std::string pairs;
    ASSERT_EQ(statistics(pairs), RONDO_OK);
    ASSERT_EQ(rondo_statistics_keep(7, 1, bytes(pairs)), RONDO_OK);
  }
  void TearDown() override { rondo_memory_release(); }

  static RondoStatus build(const std::vector<std::string>& rows, Streams& out) {
    RondoBuilder* made = nullptr;
    if (const RondoStatus status = rondo_builder_make(1, &made); status != RONDO_OK) return status;
    const std::unique_ptr<RondoBuilder, decltype(&rondo_builder_free)> builder(made, rondo_builder_free);
    std::uint64_t tid = 65537;
    for (const std::string& row : rows) {
      if (const RondoStatus status = rondo_builder_add(builder.get(), tid++, bytes(row)); status != RONDO_OK) {
        return status;
      }
    }
    RondoBytes streams[RONDO_STREAMS];
    std::uint64_t melodies = 0;
    const RondoStatus status = rondo_builder_finish(builder.get(), streams, &melodies);
    for (std::size_t i = 0; i < RONDO_STREAMS && status == RONDO_OK; ++i) out[i] = copy(streams[i]);
    return status;
  }

  /// As server/load.c does it. With a folder the segment is shared, under a new name each time.
  RondoStatus load(RondoCache*& cache, const char* folder = nullptr) {
    const std::uint32_t index[3] = {1, 2, 3};
    if (const RondoStatus status = rondo_cache_get(index, &cache); status != RONDO_OK) return status;
    RondoPosition position{};
    if (rondo_cache_position(cache, &position)) return RONDO_OK;
    if (const RondoStatus status = rondo_cache_begin(cache); status != RONDO_OK) return status;
    RondoBytes streams[RONDO_STREAMS];
    for (std::size_t i = 0; i < RONDO_STREAMS; ++i) streams[i] = bytes(streams_[i]);
    RondoSegmentId id{};
    if (folder != nullptr) std::memcpy(id.bytes, &++segments_, sizeof segments_);
    bool mapped = true;
    RondoStatus status = rondo_cache_map(cache, "/nowhere", id, rows_.size(), {}, &mapped);
    if (status != RONDO_OK) return status;
    EXPECT_FALSE(mapped);
    status = rondo_cache_add(cache, folder, 200'000, id, streams);
    if (status == RONDO_OK && folder != nullptr) {
      status = rondo_cache_map(cache, folder, id, rows_.size(), {}, &mapped);
    }
    if (status != RONDO_OK) return status;
    for (std::size_t i = 0; i < 20; ++i) {
      status = rondo_cache_pending(cache, 1'000'000 + i, bytes(rows_[i * 3]));
      if (status != RONDO_OK) return status;
    }
    return folder == nullptr ? rondo_cache_commit(cache, {1, 1, 1}) : RONDO_OK;
  }

  RondoStatus statistics(std::string& out) {
    RondoCache* cache = nullptr;
    if (const RondoStatus status = load(cache); status != RONDO_OK) return status;
    RondoBytes pairs{};
    const RondoStatus status = rondo_cache_statistics(cache, &pairs);
    if (status == RONDO_OK) out = copy(pairs);
    return status;
  }

  RondoStatus search(const std::string& query, std::string& out) {
    RondoCache* cache = nullptr;
    if (const RondoStatus status = load(cache); status != RONDO_OK) return status;
    RondoSearch* made = nullptr;
    if (const RondoStatus status = rondo_search_make(cache, bytes(query), 4, &made); status != RONDO_OK) return status;
    const std::unique_ptr<RondoSearch, decltype(&rondo_search_free)> search(made, rondo_search_free);
    for (;;) {
      RondoHit hit{};
      if (const RondoStatus status = rondo_search_next(search.get(), &hit); status != RONDO_OK) return status;
      if (hit.end) return RONDO_OK;
      const std::int64_t limit = rondo_memory_use().limit;
      rondo_memory_limit(-1);
      const std::int64_t before = used();
      out += std::to_string(hit.tid) + ' ' + std::to_string(hit.distance) + '\n';
      if (limit >= 0) rondo_memory_limit(limit + used() - before);
    }
  }

  RondoStatus distances(const std::string& query, std::string& out) {
    RondoScorer* made = nullptr;
    if (const RondoStatus status = rondo_scorer_make(bytes(query), &made); status != RONDO_OK) return status;
    const std::unique_ptr<RondoScorer, decltype(&rondo_scorer_free)> scorer(made, rondo_scorer_free);
    double sum = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      double distance = 0;
      double rule = 0;
      std::int32_t notes = 0;
      bool null = false;
      RondoStatus status = rondo_scorer_distance(scorer.get(), bytes(rows_[i]), &distance, &null);
      if (status == RONDO_OK) status = rondo_scorer_tie(scorer.get(), bytes(rows_[i]), &rule, &notes);
      if (status != RONDO_OK) return status;
      sum += (null ? 0 : distance) + rule + notes;
    }
    rondo_memory_limit(-1);
    out = std::to_string(sum);
    return RONDO_OK;
  }

  std::vector<std::string> rows_;
  Streams streams_;
  std::uint64_t segments_ = 0;
};

TEST_F(MemoryOfAnIndex, AnyAllocationOfABuildMayBeRefused) {
  refuse_each_allocation("build", [&](std::string& out) {
    Streams streams;
    const RondoStatus status = build(rows_, streams);
    if (status == RONDO_OK) out = streams[RONDO_STREAM_MELODIES];
    return status;
  });
}

TEST_F(MemoryOfAnIndex, ABuilderTakesNoMoreThanItSays) {
  std::mt19937 rng(8);
  for (const auto& [notes, count] : {std::pair{4U, 1}, {4U, 700}, {4U, 5000}, {20U, 700}, {20U, 3000}, {300U, 500}}) {
    const std::string row = packed(random_notes(rng, notes));
    const std::int64_t before = used();
    RondoBuilder* builder = nullptr;
    ASSERT_EQ(rondo_builder_make(1, &builder), RONDO_OK);
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(rondo_builder_add(builder, static_cast<std::uint64_t>(i) << 16U | 1U, bytes(row)), RONDO_OK);
    }
    rondo_memory_limit(before + static_cast<std::int64_t>(rondo_builder_memory(builder)) + RONDO_BUILDER_BYTES);
    RondoBytes streams[RONDO_STREAMS];
    std::uint64_t melodies = 0;
    const RondoStatus status = rondo_builder_finish(builder, streams, &melodies);
    rondo_memory_limit(-1);
    EXPECT_EQ(status, RONDO_OK) << notes << " notes, " << count << " rows";
    rondo_builder_free(builder);
  }
}

TEST_F(MemoryOfAnIndex, AnyAllocationOfReadingMayBeRefused) {
  refuse_each_allocation("statistics", [&](std::string& out) { return statistics(out); });
  std::string pairs;
  ASSERT_EQ(statistics(pairs), RONDO_OK);
  refuse_each_allocation("keeping statistics", [&](std::string&) { return rondo_statistics_keep(7, 1, bytes(pairs)); });
}

TEST_F(MemoryOfAnIndex, AnyAllocationOfSharingMayBeRefused) {
  char folder[] = "/tmp/rondo_memory_test_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  rondo_memory_release();
  refuse_each_allocation("sharing", [&](std::string&) {
    RondoCache* cache = nullptr;
    return load(cache, folder);
  });
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_EQ(entry.path().extension(), "") << "a draft was left";
  }
  EXPECT_GT(files, 0U);
  std::filesystem::remove_all(folder);
}

TEST_F(MemoryOfAnIndex, AnyAllocationOfASearchMayBeRefused) {
  int searched = 0;
  for (const rondo::SystemRow* row : rondo::systems()) {
    const std::string name(row->name);
    const std::string query = query_for("'4CDECGABCDEFG", name);
    if (query.empty()) continue;
    refuse_each_allocation(
        "search " + name, [&](std::string& out) { return search(query, out); }, 60);
    refuse_each_allocation(
        "scorer " + name, [&](std::string& out) { return distances(query, out); }, 30);
    ++searched;
  }
  EXPECT_GT(searched, 15);
}

TEST_F(MemoryOfAnIndex, CachesOfOtherIndexesMakeRoom) {
  RondoCache* cache = nullptr;
  ASSERT_EQ(load(cache), RONDO_OK);
  const std::int64_t full = used();
  rondo_memory_limit(full + full / 8);
  const std::uint32_t other[3] = {1, 2, 4};
  const RondoStatus status = rondo_cache_get(other, &cache) == RONDO_OK ? rondo_cache_begin(cache) : RONDO_FAILED;
  rondo_memory_limit(-1);
  EXPECT_EQ(status, RONDO_OK);
  EXPECT_LT(used(), full);
  RondoPosition position{};
  ASSERT_EQ(load(cache), RONDO_OK);
  EXPECT_TRUE(rondo_cache_position(cache, &position));
}

/// JSON values allocate in their destructor, so what may be needed is asked for before; it must be enough.
TEST(Memory, UpperBoundsOfReading) {
  const auto many = [](std::string begin, std::string_view one, std::string_view end, std::size_t size) {
    while (begin.size() + one.size() + end.size() < size) begin += one;
    return begin.append(end);
  };
  constexpr std::size_t kSize = 1U << 20U;
  std::string keys = R"({"a":0)";
  for (int i = 0; keys.size() < kSize; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  for (const std::string& text :
       {many(R"({"notes":[{})", ",{}", "]}", kSize), many(R"({"notes":[[])", ",[]", "]}", kSize),
        many(R"({"notes":[0)", ",0", "]}", kSize), many(R"({"notes":[1e)", "9", "]}", kSize),
        many(R"({"notes":[""])", R"(,"")", "]}", kSize), many(R"({"notes":[["")", R"(,["")", "", kSize), keys + "}",
        keys, many(R"({"notes":[["0","1/4",60])", R"(,["0","1/4",60])", "]}", kSize),
        many(R"({"pae":"'4)", "C", "\"}", kSize), many("'4", "C", "", kSize), many("@data:'4", "C^E", "\n", kSize)}) {
    SCOPED_TRACE(text.substr(0, 30));
    for (const bool query : {false, true}) {
      RondoBytes out{};
      const Allowance allowance(static_cast<std::int64_t>(memory::to_read(text.size())));
      const RondoStatus status = query ? rondo_query_in(bytes(text), &out) : rondo_melody_in(bytes(text), &out);
      EXPECT_NE(status, RONDO_OUT_OF_MEMORY) << query;
    }
    rondo_memory_release();
  }
}

TEST(Memory, UpperBoundsOfWriting) {
  std::mt19937 rng(3);
  for (const std::string& text :
       {std::string("'4") + std::string(20'000, 'C'), random_notes(rng, 20'000), std::string("'4C"),
        std::string("%G-2@3/4$xFCG '4C^E^G/8(C)D~D/;5DCE/"), std::string("'4CDE,,C^''''G")}) {
    const std::string melody = packed(text);
    SCOPED_TRACE(text.substr(0, 30) + " " + std::to_string(melody.size()));
    // Those that make JSON values; others may be refused at any moment.
    for (const char* format : {"jsonl", "features", "out"}) {
      RondoBytes out{};
      const Allowance allowance(static_cast<std::int64_t>(memory::to_write(melody.size())));
      const std::string_view name = format;
      const RondoStatus status = name == "features" ? rondo_feature_text(bytes(melody), nullptr, &out)
                                 : name == "out"    ? rondo_melody_out(bytes(melody), &out)
                                                    : rondo_melody_to(bytes(melody), format, &out);
      EXPECT_NE(status, RONDO_OUT_OF_MEMORY) << format;
    }
    rondo_memory_release();
  }
}

}  // namespace
