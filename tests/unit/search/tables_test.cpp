#include <gtest/gtest.h>

#include <random>

#include "search/fast/pitch_times.h"
#include "search/fast/spread.h"
#include "search/fast/time_numbers.h"
#include "search/index.h"
#include "search/index/snapshot.h"
#include "search/kernels/level.h"
#include "search/kernels/tune.h"
#include "similarity/systems/kranenburg_features.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo::fast {
namespace {

using index::Segment;

/// Melodies with rests, overlaps, and more pitches and times than there are codes for.
Index with_rare_values() {
  std::mt19937 random(11);
  Corpus corpus;
  for (std::size_t i = 0; i < 500; ++i) {
    Document document;
    document.id = std::to_string(i);
    Line line = random_line(random, 1 + random() % 40);
    line.pitch[line.size() / 2] = static_cast<std::int16_t>(i % 128);
    line.base40[line.size() / 2] = static_cast<std::int16_t>(i);  // more pitches than have codes
    if (i % 4 != 0) line.duration.back() = static_cast<std::int64_t>(i + 1);
    document.voices.push_back(std::move(line));
    corpus.documents.push_back(std::move(document));
  }
  return Index::of(corpus).value();
}

std::vector<Segment::Notes> all_notes(const Segment& segment) {
  std::vector<index::DocumentId> documents(segment.size());
  for (std::size_t d = 0; d < documents.size(); ++d) documents[d] = static_cast<index::DocumentId>(d);
  std::vector<Segment::Notes> out;
  segment.notes_of(documents, out);
  return out;
}

TEST(NotesOf, ManyDocumentsAtOnceAreThoseOfEach) {
  const Index index = with_rare_values();
  const Segment& segment = index.snapshot().segments.front();
  const std::vector<Segment::Notes> notes = all_notes(segment);
  ASSERT_EQ(notes.size(), segment.size());
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    EXPECT_EQ(notes[d].first, segment.notes_of(d).first);
    EXPECT_EQ(notes[d].count, segment.notes_of(d).count);
  }
}

TEST(TimeNumbers, StandForTheTimesBetweenOnsets) {
  const Index index = with_rare_values();
  const Segment& segment = index.snapshot().segments.front();
  const TimeNumbers numbers(segment);
  EXPECT_TRUE(std::is_sorted(numbers.ticks().begin(), numbers.ticks().end()));
  std::size_t known = 0;
  std::vector<std::uint8_t> found;
  for (const Segment::Notes& notes : all_notes(segment)) {
    if (!numbers.read(segment, notes, found)) continue;
    ++known;
    std::vector<std::int32_t> onset(notes.count);
    std::vector<std::int32_t> duration(notes.count);
    ASSERT_TRUE(segment.ticks(notes, onset.data(), duration.data()));
    ASSERT_EQ(found.size(), notes.count);
    for (std::size_t i = 0; i < notes.count; ++i) {
      const std::int32_t time = i + 1 < notes.count ? onset[i + 1] - onset[i] : duration[i];
      EXPECT_EQ(numbers.ticks()[found[i]], time);
    }
  }
  EXPECT_GT(known, segment.size() / 8);
  EXPECT_LT(known, segment.size());  // those with rare times are not known
}

TEST(Spread, LaysOutWhatTheSegmentSays) {
  const Index index = with_rare_values();
  const Segment& segment = index.snapshot().segments.front();
  ASSERT_TRUE(segment.has_pitch_exceptions());
  const std::vector<Segment::Notes> notes = all_notes(segment);
  std::mt19937 random(3);
  for (std::size_t begin = 0; begin < notes.size();) {
    const std::size_t lanes = std::min(1 + random() % kernels::kBatch, notes.size() - begin);
    const auto batch = std::span(notes).subspan(begin, lanes);
    std::vector<std::int16_t> pitch(batch.back().count * kernels::kBatch, -1);
    std::vector<float> duration(batch.back().count * kernels::kBatch, -1);
    spread(
        batch, segment.midi_by_code(), [&](const Segment::Notes& n) { return segment.pitch_codes(n); },
        segment.has_pitch_exceptions(), [&](std::uint64_t n) { return static_cast<std::int16_t>(segment.midi(n)); },
        pitch.data());
    spread(
        batch, segment.duration_by_code(), [&](const Segment::Notes& n) { return segment.time_codes(n); },
        segment.has_time_exceptions(), [&](std::uint64_t n) { return segment.duration(n); }, duration.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t i = 0; i < batch[lane].count; ++i) {
        EXPECT_EQ(pitch[i * kernels::kBatch + lane], segment.midi(batch[lane].first + i));
        EXPECT_EQ(duration[i * kernels::kBatch + lane], segment.duration(batch[lane].first + i));
      }
    }
    begin += lanes;
  }
}

TEST(Tuning, GivesEveryBestTranspositionAndHardlyAnyOther) {
  std::mt19937 random(5);
  std::size_t given = 0;
  std::size_t best = 0;
  kernels::TuneWork work;
  for (int round = 0; round < test::rounds(2000); ++round) {
    // Few pitches and lengths: then several transpositions are often equally good.
    const auto melody = [&](std::size_t notes) {
      Line line;
      line.ticks_per_whole = 8;
      const int lengths = 1 + static_cast<int>(random() % 4);
      std::int64_t at = 0;
      for (std::size_t i = 0; i < notes; ++i) {
        line.pitch.push_back(60);
        line.base40.push_back(static_cast<std::int16_t>(random() % (round % 3 == 0 ? kernels::kTunedPitches : 40)));
        line.onset.push_back(at);
        line.duration.push_back(1 + static_cast<int>(random() % 4) % lengths * (round % 7 == 0 ? 997 : 1));
        at += line.duration.back();
      }
      return line;
    };
    const Line query = melody(1 + random() % 12);
    const Line document = melody(1 + random() % 30);
    const auto features = [](const Line& line) { return kranenburg::make_features(line, {}); };
    const auto times = [](const Line& line) {
      PitchTimes out;
      EXPECT_TRUE(out.fill(line.size(), [&](std::size_t i) {
        return PitchTimes::Note{line.base40[i], static_cast<std::int32_t>(line.duration[i])};
      }));
      return out;
    };
    const auto own = features(query);
    const auto other = features(document);
    std::vector<std::int32_t> expected;
    kranenburg::best_transpositions(own, other, expected);
    // Those count from the lowest notes.
    for (std::int32_t& t : expected) t += other.lowest - own.lowest;
    const kernels::TunedQuery tuned(times(query).found());
    const PitchTimes on_pitches = times(document);
    const std::size_t size = kernels::tune_plain(tuned, on_pitches.found(), work);
    const std::vector<std::int32_t> found(work.best.begin(), work.best.begin() + static_cast<std::ptrdiff_t>(size));
    for (const std::string_view level : kernels::levels()) {
      ASSERT_TRUE(kernels::use_level(level));
      ASSERT_EQ(kernels::tune(tuned, on_pitches.found(), work), size) << level;
      ASSERT_TRUE(std::equal(found.begin(), found.end(), work.best.begin())) << level;
    }
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    ASSERT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end())) << round;
    given += found.size();
    best += expected.size();
  }
  EXPECT_TRUE(kernels::use_level("best"));
  EXPECT_LT(given, best + best / 10);
}

}  // namespace
}  // namespace rondo::fast
