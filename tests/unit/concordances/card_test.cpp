#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "concordances/concordances.h"
#include "generate/generate.h"
#include "gpu/open_card.h"
#include "support/scratch.h"

/// Concordances on a graphics card that the CPU emulates: the result, and what happens when the card breaks.
namespace rondo::concordances::card_test {
namespace {

namespace fs = std::filesystem;

Collection generated(const fs::path& path, std::uint64_t pieces) {
  auto collection = Collection::open(path, OpenMode::create).value();
  const Generator generator(12);
  for (std::uint64_t i = 0; i < pieces; ++i) EXPECT_TRUE(collection.put(generator.piece(i)));
  return collection;
}

Options on(Device device) {
  Options out;
  out.least_score = 0.45;
  out.device = device;
  return out;
}

Job prepare(Collection& collection, const Options& options, const gpu::EmulatedCard& like = {}) {
  const gpu::StandInCard card(gpu::emulated_card(like));
  return Job::prepare(collection, nullptr, options).value();
}

std::string found_by(Collection& collection, const Options& options, const fs::path& journal) {
  Job job = prepare(collection, options);
  const auto done = job.run(journal);
  EXPECT_TRUE(done.has_value() && *done) << (done ? "stopped" : done.error().to_string());
  const fs::path journals[] = {journal};
  const Concordances found = job.collect(journals).value();
  std::ostringstream out;
  for (const Pair& pair : found.pairs) {
    out << found.melodies[pair.a].id << ' ' << found.melodies[pair.b].id << ' ' << std::hexfloat << pair.ab << ' '
        << pair.ba << ' ' << pair.ab_probability.value() << ' ' << pair.ba_probability.value() << '\n';
  }
  return out.str();
}

TEST(ConcordancesOnACard, FindTheSamePairs) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 120);
  const std::string expected = found_by(collection, on(Device::cpu), scratch / "cpu");
  EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 3);
  EXPECT_EQ(found_by(collection, on(Device::cuda), scratch / "card"), expected);
}

TEST(ConcordancesOnACard, ReachTheSameProbability) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 120);
  const auto probable = [](Options options) {
    options.least_score = 0;
    options.least_probability = 0.5;
    return options;
  };
  const std::string expected = found_by(collection, probable(on(Device::cpu)), scratch / "cpu");
  EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 3);
  EXPECT_EQ(found_by(collection, probable(on(Device::cuda)), scratch / "card"), expected);
}

TEST(ConcordancesOnACard, StopWithAnErrorWhenTheCardIsLostAndGoOnOnTheCpu) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 120);
  const std::string expected = found_by(collection, on(Device::cpu), scratch / "cpu");
  int run = 0;
  for (const gpu::EmulatedCard like : {gpu::EmulatedCard{.calls_before_loss = 0},
                                       {.calls_before_loss = 1},
                                       {.calls_before_loss = 40},
                                       {.memory = 3000}}) {
    const fs::path journal = scratch / ("journal" + std::to_string(run++));
    {
      Job job = prepare(collection, on(Device::cuda), like);
      const auto done = job.run(journal);
      ASSERT_FALSE(done);
      EXPECT_EQ(done.error().code, like.memory == 3000 ? "device-memory" : "device-failed");
    }
    EXPECT_EQ(found_by(collection, on(Device::cpu), journal), expected);
  }
}

TEST(ConcordancesOnACard, GoOnOnTheCardWhatTheCpuBegan) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 120);
  const std::string expected = found_by(collection, on(Device::cpu), scratch / "cpu");
  std::stop_source stop;
  Job begun = prepare(collection, on(Device::cpu));
  const auto done = begun.run(scratch / "journal", stop.get_token(), [&](const Progress& progress) {
    if (progress.done * 2 > progress.total) stop.request_stop();
  });
  ASSERT_TRUE(done);
  EXPECT_FALSE(*done) << "it was to be stopped half-way";
  EXPECT_EQ(found_by(collection, on(Device::cuda), scratch / "journal"), expected);
}

TEST(ConcordancesOnACard, UnderAutoTheCpuDoesWhatTheCardDoesNot) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 120);
  const std::string expected = found_by(collection, on(Device::cpu), scratch / "cpu");
  for (const std::size_t calls : {std::size_t{0}, std::size_t{20}}) {
    const fs::path journal = scratch / ("journal" + std::to_string(calls));
    Job job = prepare(collection, on(Device::automatic), {.calls_before_loss = calls});
    ASSERT_TRUE(job.run(journal).value());
    ASSERT_TRUE(job.card_warning());
    EXPECT_EQ(job.card_warning()->code, "device-failed");
    EXPECT_EQ(found_by(collection, on(Device::cpu), journal), expected);
  }
}

TEST(ConcordancesOnACard, SayThatACardComparesWithOneSystemOnly) {
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 10);
  Options options = on(Device::cuda);
  options.system = "shapeh";
  const auto job = Job::prepare(collection, nullptr, options);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, "device-system");
}

TEST(ConcordancesOnACard, SayWhyThereIsNone) {
  const Scratch scratch;
  Collection collection = generated(scratch / "a.db", 10);
  if (gpu::open_card()) GTEST_SKIP() << "there is a card";
  Options options = on(Device::cpu);
  options.device = Device::cuda;
  const auto job = Job::prepare(collection, nullptr, options);
  ASSERT_FALSE(job);
  EXPECT_TRUE(job.error().code == "device-not-built" || job.error().code == "device-missing") << job.error().code;
  EXPECT_FALSE(job.error().hint.empty());
  options.device = Device::automatic;
  EXPECT_EQ(Job::prepare(collection, nullptr, options).value().device(), "cpu");
}

}  // namespace
}  // namespace rondo::concordances::card_test
