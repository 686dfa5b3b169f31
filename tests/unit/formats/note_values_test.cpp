#include "formats/note_values.h"

#include <gmock/gmock.h>

#include <random>

#include "support/rounds.h"

namespace rondo::note_values_test {

/// Spans of these lengths one after the other, and how they are notated: "1/8 1/8 1/8 (3:2)" for a triplet, a dot for
/// each dot, ~ for a tie to the next value of the same span.
std::string notated(const std::vector<Fraction>& lengths, Fraction beat = {1, 4}) {
  std::vector<TimeSpan> spans;
  Fraction at;
  for (const Fraction length : lengths) {
    spans.push_back({at, at + length});
    at += length;
  }
  const auto rhythm = notate(spans, 0, beat, ValueRange{});
  if (!rhythm) return "none";
  std::string out;
  std::vector<Fraction> sounding(lengths.size());
  for (std::size_t i = 0; i < rhythm->values.size(); ++i) {
    const NoteValue& value = rhythm->values[i];
    const bool in_tuplet = value.tuplet != kNoTuplet;
    const Tuplet tuplet = in_tuplet ? rhythm->tuplets[value.tuplet] : Tuplet{1, 1, 0, 0};
    out += (out.empty() ? "" : " ") + value.base.to_string() + std::string(static_cast<std::size_t>(value.dots), '.');
    if (i + 1 < rhythm->values.size() && rhythm->values[i + 1].span == value.span) out += '~';
    if (in_tuplet && tuplet.first + tuplet.count == i + 1) {
      out += " (" + std::to_string(tuplet.num) + ":" + std::to_string(tuplet.numbase) + ")";
    }
    EXPECT_EQ(value.time, value.written() * Fraction(tuplet.numbase, tuplet.num));
    sounding[value.span] += value.time;
  }
  EXPECT_EQ(sounding, lengths);
  return out;
}

using F = Fraction;

TEST(NoteValues, PlainAndDottedValuesAreOneEach) {
  EXPECT_EQ(notated({F(1, 4), F(3, 8), F(7, 16), F(1, 256)}), "1/4 1/4. 1/4.. 1/256");
  EXPECT_EQ(notated({F(5, 8)}), "1/2~ 1/8");
  EXPECT_EQ(notated({F(6)}), "4.");
}

TEST(NoteValues, TripletsEndWithTheBeat) {
  EXPECT_EQ(notated({F(1, 12), F(1, 12), F(1, 12), F(1, 12), F(1, 6)}), "1/8 1/8 1/8 (3:2) 1/8 1/4 (3:2)");
  EXPECT_EQ(notated({F(1, 6), F(1, 6), F(1, 6)}), "1/4 1/4 1/4 (3:2)");
}

TEST(NoteValues, ATripletNoteThatIsHeldOverTheBeatIsTied) {
  EXPECT_EQ(notated({F(1, 12), F(1, 12), F(1, 3)}), "1/8 1/8 1/8~ (3:2) 1/4");
  EXPECT_EQ(notated({F(1, 6), F(1, 6), F(1, 6)}, F(1, 2)), "1/4 1/4 1/4 (3:2)");
}

TEST(NoteValues, OtherTuplets) {
  EXPECT_EQ(notated({F(1, 20), F(1, 20), F(1, 20), F(1, 10)}), "1/16 1/16 1/16 1/8 (5:4)");
  EXPECT_EQ(notated({F(1, 28), F(3, 14)}), "1/16 1/4. (7:4)");
}

TEST(NoteValues, ATupletMayStayIncomplete) {
  EXPECT_EQ(notated({F(1, 12), F(1, 12)}), "1/8 1/8 (3:2)");
  // Thirds and elevenths share no tuplet.
  EXPECT_EQ(notated({F(1, 28), F(3, 44)}), "1/16 (7:4) 1/16. (11:8)");
}

TEST(NoteValues, TicksAreNoNotation) {
  EXPECT_EQ(notated({F(239, 1920), F(1, 1920)}), "none");
  EXPECT_EQ(notated({F(1, 1920)}), "none");
  EXPECT_EQ(notated({F(95, 384), F(1, 384)}), "none");
  EXPECT_EQ(notated({F(13, 99'991)}), "none");
  EXPECT_EQ(notated({F(1, 512)}), "none");
  EXPECT_EQ(notated({F(500'000)}), "none");
}

TEST(NoteValues, WhateverIsNotatedSoundsAsLong) {
  std::mt19937 random(5);
  std::size_t written = 0;
  for (int round = 0; round < test::rounds(2000); ++round) {
    std::vector<Fraction> lengths;
    for (auto i = 1 + random() % 8; i > 0; --i) {
      const std::int64_t parts[] = {4, 8, 12, 16, 20, 24, 28, 48, 36, 1920};
      lengths.emplace_back(1 + static_cast<std::int64_t>(random() % 9), parts[random() % 10]);
    }
    written += notated(lengths) != "none" ? 1U : 0U;  // the sums are checked there
  }
  EXPECT_GT(written, test::rounds(500U));
}

}  // namespace rondo::note_values_test
