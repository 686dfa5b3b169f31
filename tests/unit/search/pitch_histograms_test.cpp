#include "search/index/pitch_histograms.h"

#include <gtest/gtest.h>

#include <random>

#include "search/index.h"
#include "search/index/snapshot.h"
#include "support/lines.h"

namespace rondo {
namespace {

using index::PitchHistograms;

/// Melodies of which some cannot be kept: too wide, off the grid, too long.
Corpus corpus_of_all_kinds() {
  std::mt19937 random(91);
  Corpus corpus;
  for (int i = 0; i < 200; ++i) {
    Line line = random_line(random, 1 + random() % 30);
    const auto kind = random() % 5;
    if (kind == 0) line.pitch[random() % line.size()] = 20;
    if (kind == 1) line.duration[random() % line.size()] = 100 * line.ticks_per_whole;
    if (kind == 2) line.ticks_per_whole *= 7;
    Document& document = corpus.documents.emplace_back();
    document.id = "p" + std::to_string(i);
    document.voices.push_back(std::move(line));
  }
  return corpus;
}

TEST(PitchHistograms, TellHowLongDocumentsStayOnEachPitch) {
  const Index index = Index::of(corpus_of_all_kinds()).value();
  const index::Segment& segment = index.snapshot().segments.front();
  const PitchHistograms* const kept = segment.histograms();
  ASSERT_NE(kept, nullptr);
  std::size_t known = 0;
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    segment.line(d, line);
    const PitchHistograms::Document& own = kept->document(d);
    EXPECT_EQ(own.on_grid, index::Segment::kTicks % line.ticks_per_whole == 0);
    if (!own.known) continue;
    ++known;
    const auto ticks = [&](std::int64_t time) { return time * index::Segment::kTicks / line.ticks_per_whole; };
    std::array<std::int64_t, PitchHistograms::kPitches> time{};
    std::int64_t sounding = 0;
    std::int64_t moment = 0;
    std::int64_t total = 0;
    std::size_t rests = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      ASSERT_GE(line.pitch[i], own.low);
      ASSERT_LE(line.pitch[i], own.high);
      ASSERT_EQ(ticks(line.duration[i]) % PitchHistograms::kUnit, 0);
      const std::int64_t units = ticks(line.duration[i]) / PitchHistograms::kUnit;
      time[static_cast<std::size_t>(line.pitch[i] - own.low)] += units;
      sounding += units;
      moment += units * line.pitch[i];
      total += ticks(line.duration[i]);
      if (i == 0) continue;
      const std::int64_t silence = line.onset[i] - line.onset[i - 1] - line.duration[i - 1];
      if (silence > 0) ++rests;
      total += ticks(std::max<std::int64_t>(0, silence));
    }
    for (std::size_t p = 0; p < time.size(); ++p) EXPECT_EQ(kept->row(d).time[p], time[p]);
    EXPECT_EQ(own.sounding, sounding);
    EXPECT_EQ(own.moment, moment);
    EXPECT_EQ(own.total, total);
    EXPECT_EQ(own.rests, rests);
  }
  EXPECT_GT(known, segment.size() / 4);
  EXPECT_LT(known, segment.size());
}

TEST(PitchHistograms, AreMadeOnceForAllViewsOfASegment) {
  const Index index = Index::of(corpus_of_all_kinds()).value();
  const Index opening = index.opening(5);
  EXPECT_EQ(opening.snapshot().segments.front().histograms(), index.snapshot().segments.front().histograms());
}

}  // namespace
}  // namespace rondo
