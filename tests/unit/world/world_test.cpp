// A world in one thread: twenty people and processes, a server that is killed, a disk that fails, a network that cuts
// off; see docs/architecture.md. A seed repeats a run exactly:
//   RONDO_WORLD_SEED=17 build/tests/unit_world       that world
//   RONDO_WORLD_SEEDS=5000 build/tests/unit_world    so many, instead of those of every build
//   RONDO_WORLD_FROM=20000                           the first of them

#include <gtest/gtest.h>

#include "support/rounds.h"
#include "unit/world/deliver.h"
#include "unit/world/machine.h"
#include "unit/world/others.h"
#include "unit/world/participants.h"
#include "unit/world/researchers.h"

namespace rondo::world {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The people of a world and what they do.
class People {
 public:
  explicit People(World& world) : world_(world) {
    for (std::int64_t n = 1; n <= 6; ++n) participants_.emplace_back("s0", n, fmt::format("10.1.0.{}", n));
    participants_.emplace_back("s0", 0, "10.1.0.7");
    for (int n = 0; n < 2; ++n) researchers_.emplace_back(fmt::format("10.2.0.{}", n), n == 1);
    researchers_.emplace_back("10.2.0.9", false);
    for (int n = 0; n < 4; ++n) searchers_.emplace_back(fmt::format("10.3.0.{}", n));
  }

  void step() {
    pass_time();
    if (world_.once_in(3)) world_.work(false);
    const std::uint64_t who = world_.below(40);
    if (who < 17) {
      world_.one_of(participants_).act(world_);
    } else if (who < 25) {
      world_.one_of(researchers_).act(world_);
    } else if (who < 33) {
      world_.one_of(searchers_).act(world_);
    } else if (who < 36) {
      importer_.act(world_);
    } else if (who < 38) {
      keeper_.act(world_);
    } else if (who == 38) {
      newcomers();
    } else if (world_.once_in(3)) {
      attacker_.act(world_);
    }
  }

 private:
  void pass_time() {
    if (world_.once_in(400)) return world_.advance(13 * 3600.0);  // sessions end
    world_.advance(world_.once_in(10) ? 30 : 0.001 * static_cast<double>(world_.below(3000)));
  }

  /// Of the later studies: those who were invited, or have the open link.
  void newcomers() {
    constexpr std::size_t kMost = 12;  // twenty people in all
    if (participants_.size() >= kMost) return;
    const std::string study = fmt::format("s{}", world_.below(3));
    if (world_.durable.studies.count(study) == 0) return;
    const auto& people = world_.durable.studies.at(study).participants;
    const std::int64_t number = people.empty() || world_.once_in(2) ? 0 : people.back().number;
    participants_.emplace_back(study, number, fmt::format("10.4.0.{}", participants_.size()));
  }

  World& world_;
  std::vector<TakesPart> participants_;
  std::vector<Researches> researchers_;
  std::vector<Searches> searchers_;
  Imports importer_;
  KeepsFiles keeper_;
  Attacks attacker_;
};

/// What happened, as a number.
std::uint64_t run(std::uint64_t seed) {
  constexpr int kSteps = 120;
  World world(seed);
  People people(world);
  try {
    for (int i = 0; i < kSteps; ++i) people.step();
    world.settle();
    world.check_files();
    world.crash(true);
    world.check_files();
  } catch (const Violation&) {
    throw;
  } catch (const std::exception& other) {
    world.fail(other.what());
  }
  return world.trace();
}

class WorldTest : public testing::Test {
 protected:
  WorldTest() {
    SimDisk::the().install();
    SimRandom::install();
    (void)Fixture::the();
  }
};

TEST_F(WorldTest, KeepsItsPromisesWhateverHappens) {
  const std::uint64_t from = number_from("RONDO_WORLD_SEED", number_from("RONDO_WORLD_FROM", 1));
  const std::uint64_t count =
      std::getenv("RONDO_WORLD_SEED") != nullptr ? 1 : number_from("RONDO_WORLD_SEEDS", test::kSanitized ? 12 : 300);
  int broken = 0;
  for (std::uint64_t seed = from; seed < from + count && broken < 5; ++seed) {
    try {
      (void)run(seed);
    } catch (const Violation& violation) {
      ++broken;
      ADD_FAILURE() << violation.what();
    }
  }
}

TEST_F(WorldTest, ASeedRepeatsARunExactly) {
  for (const std::uint64_t seed : {7U, 8U, 9U}) EXPECT_EQ(run(seed), run(seed)) << seed;
}

}  // namespace
}  // namespace rondo::world
