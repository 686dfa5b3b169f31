#include "concordances/length_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/rounds.h"

/// The bound by lengths against the total that the definition gives the same two melodies in the same transposition.
namespace rondo::concordances {
namespace {

using explained::Costs;
using explained::Features;

Features features_from(std::mt19937& random, std::size_t notes) {
  Features out;
  for (std::size_t i = 0; i < notes; ++i) {
    out.pitch.push_back(static_cast<std::int16_t>(60 + random() % 4));
    out.length.push_back(static_cast<std::int16_t>(static_cast<int>(random() % 33) - explained::kMostLength));
  }
  for (auto* column : {&out.next, &out.change, &out.place}) column->assign(notes, 0);
  out.rhythm = true;
  return out;
}

/// The same pitches, each note some steps longer or shorter: around the border of what is alike.
Features stretched(std::mt19937& random, const Features& from) {
  Features out = from;
  for (auto& length : out.length) {
    const int by = kAlikeSteps - 1 + static_cast<int>(random() % 4);
    const int to = length + (random() % 2 == 0 ? by : -by);
    length = static_cast<std::int16_t>(std::clamp(to, -explained::kMostLength, explained::kMostLength));
  }
  return out;
}

std::vector<std::int8_t> lengths_of(const Features& features) {
  return {features.length.begin(), features.length.end()};
}
std::vector<std::uint8_t> pitches_of(const Features& features) {
  std::vector<std::uint8_t> out;
  for (const std::int16_t pitch : features.pitch) out.push_back(static_cast<std::uint8_t>(pitch - 60));
  return out;
}

TEST(LengthBound, AsksForNoMoreThanTheAlignmentHas) {
  // What nothing but lengths costs is closest to the bound; then with what a note of another pitch is worth.
  RondoPlan plan{.near = 0.15,
                 .far = -0.15,
                 .length = 0.5,
                 .change = 0,
                 .place = 0,
                 .interval = 0,
                 .weight = 0.25,
                 .gap = 0.75,
                 .long_notes = 0.8,
                 .overhang = 0,
                 .beyond = 0.3};
  std::mt19937 random(17);
  std::size_t close = 0;
  for (int round = 0; round < test::rounds(3000); ++round) {
    plan.near = round % 3 == 0 ? 0.6 : 0.15;
    plan.length = round % 5 == 0 ? 0.1 : 0.5;
    const Costs costs(explained::settings_of(plan), true);
    const Features query = features_from(random, 2 + random() % 20);
    const Features document = round % 2 == 0 ? stretched(random, query) : features_from(random, 2 + random() % 20);
    const std::int32_t total = explained::align(costs, query, document, 0);
    std::vector<std::uint8_t> needs;
    append_alike_needs(costs, lengths_of(query), total, needs);
    ASSERT_EQ(needs.size(), query.size() + 1);
    const std::uint32_t common = explained::CommonNotes(query.pitch).in(document.pitch, 0);
    const std::uint32_t alike =
        AlikeNotes(pitches_of(query), lengths_of(query)).common(pitches_of(document), lengths_of(document).data(), 0);
    EXPECT_LE(needs[common], alike) << "round " << round;
    close += needs[common] > 0 && needs[common] == alike ? 1 : 0;
  }
  EXPECT_GT(close, 0U) << "a bound that is never reached says little";
}

}  // namespace
}  // namespace rondo::concordances
