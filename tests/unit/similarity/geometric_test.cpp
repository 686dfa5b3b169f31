#include "similarity/systems/geometric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "similarity/points.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

Points points_of(std::vector<Point> points) { return Points{std::move(points), 8}; }

TEST(P1, FindsTheQueryTransposedAndLaterWithNotesBetween) {
  // C D E as quarters; a fourth higher after two other notes, with an extra voice above.
  const Line query = quarters("C4 D4 E4");
  EXPECT_EQ(score_of("P1", query, quarters("A4 B4 F4 G4 A4 C4")).value, 1);
  // D comes late: two of three coincide, which is none for P1.
  EXPECT_EQ(score_of("P1", query, line_of("C4 3/8 D4 1/8 E4 1/4")).value, 0);
  // The same tune in eighths is another one: not tempo invariant.
  EXPECT_EQ(score_of("P1", query, line_of("C4 1/8 D4 1/8 E4 1/8")).value, 0);
}

TEST(P2, CountsTheNotesThatCoincide) {
  const Line query = quarters("C4 D4 E4 F4");
  EXPECT_EQ(score_of("P2", query, quarters("G4 A4 B4 C5")).value, 1);  // all, a fifth up
  // One wrong note: three of four.
  EXPECT_EQ(score_of("P2", query, quarters("C4 D4 G4 F4")).value, 0.75);
  // Repeated notes: of C D E F only one at a time meets a C.
  EXPECT_EQ(score_of("P2", query, line_of("C4 1")).value, 0.25);
}

TEST(P2, FindsTheQueryInAPolyphonicPiece) {
  Piece piece;
  piece.voices = {voice_of("C5 1/2 B4 1/2"), voice_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4")};
  const auto system = system_named("P2");
  EXPECT_EQ(system->prepare(quarters("C4 D4 E4 F4"))->score(make_points(piece)).value, 1);
}

TEST(P3, MeasuresCommonTimeAsAShareOfTheQuery) {
  // C for a half, D for a half. Against C for a quarter, then D for a half a quarter late: with no shift C meets for
  // 1/4, D from 3/4 to 1 for 1/4: 1/2. Shifted by a quarter, C lies at 1/4..3/4 over nothing (the document's C ends
  // at 1/4) and D at 3/4..5/4 meets 1/2..1 for 1/4. Shifted by -... D exactly on D (document D at 1/2): shift 0 gives
  // C 0..1/4 in common (1/4) and D 1/2..1 in full (1/2): 3/4 of the query's whole note.
  EXPECT_EQ(score_of("P3", line_of("C4 1/2 D4 1/2"), line_of("C4 1/4 r 1/4 D4 1/2")).value, 0.75);
  EXPECT_EQ(score_of("P3", line_of("C4 1/2 D4 1/2"), line_of("G4 1/2 A4 1/2")).value, 1);
  // One long note covers both halves only at one pitch at a time.
  EXPECT_EQ(score_of("P3", line_of("C4 1/2 D4 1/2"), line_of("C4 1")).value, 0.5);
}

TEST(P3, OverlappingNotesOfOnePitchCountOnce) {
  Piece piece;
  piece.voices = {voice_of("C4 1"), voice_of("C4 1")};
  const Points merged = make_points(piece);
  EXPECT_EQ(merged.points.size(), 1U);
  EXPECT_EQ(system_named("P3")->prepare(line_of("C4 1/2"))->score(merged).value, 1);
}

// The definitions, tried out shift by shift.
std::int64_t slow_p2(const Points& query, const Points& document) {
  std::int64_t best = 0;
  for (const Point& q : query.points) {
    for (const Point& d : document.points) {
      std::int64_t count = 0;
      for (const Point& a : query.points) {
        for (const Point& b : document.points) {
          if (a.pitch + d.pitch - q.pitch == b.pitch && a.onset + d.onset - q.onset == b.onset) ++count;
        }
      }
      best = std::max(best, count);
    }
  }
  return best;
}

std::int64_t slow_p3(const Points& query, const Points& document) {
  std::set<std::pair<std::int32_t, std::int64_t>> shifts;
  for (const Point& q : query.points) {
    for (const Point& d : document.points) {
      for (const std::int64_t t : {d.onset - q.onset, d.onset - q.end, d.end - q.onset, d.end - q.end}) {
        shifts.insert({d.pitch - q.pitch, t});
      }
    }
  }
  std::int64_t best = 0;
  for (const auto& [pitch, time] : shifts) {
    std::int64_t common = 0;
    for (const Point& a : query.points) {
      for (const Point& b : document.points) {
        if (a.pitch + pitch != b.pitch) continue;
        common += std::max<std::int64_t>(0, std::min(a.end + time, b.end) - std::max(a.onset + time, b.onset));
      }
    }
    best = std::max(best, common);
  }
  return best;
}

TEST(Geometric, FastAndSlowAgreeOnRandomMelodies) {
  std::mt19937 random(3);
  for (int i = 0; i < test::rounds(3000); ++i) {
    const Points a = make_points(random_line(random, 1 + random() % 6));
    const Points b = make_points(random_line(random, 1 + random() % 8));
    const std::int64_t grid = common_grid(a, b);
    const Points query = on_grid(a, grid);
    const Points document = on_grid(b, grid);
    EXPECT_EQ(geometric::most_coinciding(query, document).gain, slow_p2(query, document));
    EXPECT_EQ(geometric::longest_common_time(query, document).gain, slow_p3(query, document));
  }
}

TEST(Geometric, TheExplanationAddsUpToTheScore) {
  std::mt19937 random(4);
  for (const char* name : {"P2", "P3"}) {
    const auto system = system_named(name);
    for (int i = 0; i < test::rounds(200); ++i) {
      const Line query = random_line(random, 8);
      const Line document = random_line(random, 10);
      const auto prepared = system->prepare(query);
      const Explanation why = prepared->explain(document);
      double sum = 0;
      for (const Step& step : why.steps) sum += step.score;
      EXPECT_NEAR(sum, why.total, 1e-12);
      EXPECT_EQ(why.score, prepared->score(document));
    }
  }
}

TEST(Geometric, MergingFindsWhatSortingFinds) {
  std::mt19937_64 random(5);
  for (int round = 0; round < test::rounds(300); ++round) {
    const auto some = [&](std::size_t notes, std::int64_t spread) {
      std::map<std::int32_t, std::int64_t> free_from;  // notes of one pitch do not overlap
      std::vector<Point> points;
      std::int64_t onset = 0;
      for (std::size_t i = 0; i < notes; ++i) {
        onset += static_cast<std::int64_t>(random() % 3) * spread;
        const auto pitch = static_cast<std::int32_t>(60 + random() % 7);
        const std::int64_t begin = std::max(onset, free_from[pitch]);
        const std::int64_t end = begin + 1 + static_cast<std::int64_t>(random() % 4);
        free_from[pitch] = end;
        points.push_back({begin, end, pitch});
      }
      std::sort(points.begin(), points.end());
      return points_of(std::move(points));
    };
    const Points query = some(1 + random() % 12, 2);
    const Points document = some(1 + random() % 40, 1 + static_cast<std::int64_t>(random() % 3));
    const auto same = [](const geometric::Shift& a, const geometric::Shift& b) {
      return a.gain == b.gain && a.pitch == b.pitch && a.time == b.time;
    };
    EXPECT_TRUE(
        same(geometric::most_coinciding_merged(query, document), geometric::most_coinciding_sorted(query, document)));
    EXPECT_TRUE(same(geometric::longest_common_time_merged(query, document),
                     geometric::longest_common_time_sorted(query, document)));
  }
}

TEST(Geometric, AShiftAtTheEdgesIsZeroNotNegative) {
  EXPECT_EQ(geometric::longest_common_time(points_of({{0, 8, 60}}), points_of({{100, 104, 72}})).gain, 4);
}

}  // namespace
}  // namespace rondo
