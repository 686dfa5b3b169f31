#include "rondo/melody/builder.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

TEST(VoiceBuilder, JoinsTiesHoweverLongTheVoiceIs) {
  VoiceBuilder builder;
  for (int i = 0; i < 1000; ++i) builder.note(Fraction(i, 4), Fraction(1, 4), Pitch{0, 0, 4});
  EXPECT_TRUE(builder.note(Fraction(1000, 4), Fraction(1, 4), Pitch{0, 0, 4}, true));
  const auto voice = builder.finish();
  ASSERT_TRUE(voice.has_value());
  EXPECT_EQ(voice->notes.size(), 1000U);
  EXPECT_EQ(voice->notes.back().duration, Fraction(1, 2));
}

}  // namespace
}  // namespace rondo
