// The bound that the search of the system rondo rests on, against the scores of its definition.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "search/fast/rondo_columns.h"
#include "search/fast/rondo_losses.h"
#include "search/search.h"
#include "support/generated_corpus.h"
#include "support/hostile_melodies.h"
#include "support/kernel_levels.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo::fast {
namespace {

RondoPlan plan_of(const System& system) { return std::get<RondoPlan>(system.plan()); }

/// Scores of all documents of a segment, by the definition; NaN where they cannot be compared.
std::vector<double> scores_of(const Segment& segment, const System& system, const Line& query) {
  const auto prepared = system.prepare(query);
  std::vector<double> out;
  Line line;
  for (DocumentId d = 0; d < segment.size(); ++d) {
    segment.line(d, line);
    const Score score = prepared->score(line);
    out.push_back(score.comparable ? score.value : std::nan(""));
  }
  return out;
}

template <typename Unit>
std::vector<double> bounds_of(const Segment& segment, const RondoQuery& query, double goal) {
  const RondoColumns columns(segment);
  Losses<Unit> losses(query, goal, segment.size());
  for (std::size_t r = 0; r < segment.runs().size(); ++r) {
    const index::Run& run = segment.runs()[r];
    if (run.notes == 0 || run.notes > kLongestInLanes) continue;
    [[maybe_unused]] std::vector<std::uint16_t> places;
    if constexpr (sizeof(Unit) == 2) query.loss_of_places(losses.unit(), run.notes, places);
    for (DocumentId begin = run.first_document; begin < segment.run_end(r); begin += kernels::kBatch) {
      Unit loss[kernels::kBatch];
      const auto block = columns.block(r, (begin - run.first_document) / kernels::kBatch);
      if constexpr (sizeof(Unit) == 1) {
        kernels::explained_loss(losses.rows(), block, loss);
      } else {
        kernels::explained_loss(losses.rows(), block, places, loss);
      }
      const std::size_t lanes = std::min<std::size_t>(kernels::kBatch, segment.run_end(r) - begin);
      std::copy(loss, loss + lanes, losses.of(begin));
    }
  }
  std::vector<double> out;
  for (const Unit loss : losses.all()) out.push_back(losses.best_score(loss));
  return out;
}

Corpus hostile_corpus(std::mt19937& random, std::size_t pieces) {
  Corpus corpus;
  for (std::size_t i = 0; i < pieces; ++i) {
    Document& document = corpus.documents.emplace_back();
    document.id = "h" + std::to_string(i);
    document.key = PieceKey{static_cast<std::int64_t>(i + 1)};
    Line line = gpu::hostile_melodies::line_from(random, 2 + random() % 40, static_cast<int>(random() % 6));
    line.ticks_per_whole = 4;
    for (std::size_t n = 0; n < line.size(); ++n) {  // no longer than an index holds
      line.duration[n] = std::min<std::int64_t>(line.duration[n], 100'000);
      line.onset[n] = n == 0 ? 0 : line.onset[n - 1] + line.duration[n - 1];
    }
    for (std::int16_t& pitch : line.pitch) {
      pitch = static_cast<std::int16_t>(pitch + 40);
      line.base40.push_back(static_cast<std::int16_t>(Pitch::from_midi(pitch).base40()));
    }
    document.voices.push_back(std::move(line));
  }
  return corpus;
}

class RondoBound : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(RondoBound, IsNeverBelowTheScoreWhateverTheMelodies) {
  const ChosenSystem chosen = resolve_system("rondo", GetParam()).value();
  std::mt19937 random(5);
  for (int round = 0; round < test::rounds(6); ++round) {
    const Corpus corpus =
        round % 2 == 0 ? hostile_corpus(random, 150) : test::generated_corpus(150, 5, [](auto&&...) {});
    const Index index = Index::of(corpus).value();
    const Segment& segment = index.snapshot().segments.front();
    for (int q = 0; q < 6; ++q) {
      const Line& query = corpus.documents[random() % corpus.documents.size()].voices.front();
      const auto rondo = RondoQuery::of(plan_of(*chosen.system), query);
      if (!rondo) continue;
      const std::vector<double> scores = scores_of(segment, *chosen.system, query);
      kernels::at_every_level([&](std::string_view level) {
        const auto check = [&](const std::vector<double>& bounds, const char* what) {
          for (DocumentId d = 0; d < segment.size(); ++d) {
            if (std::isnan(scores[d]) || segment.notes_of(d).count > kLongestInLanes) continue;
            ASSERT_GE(bounds[d], scores[d]) << level << " " << what << " document " << d;
          }
        };
        check(bounds_of<std::uint8_t>(segment, *rondo, 0.4), "bytes");
        check(bounds_of<std::uint8_t>(segment, *rondo, 0.9), "bytes, a high goal");
        check(bounds_of<std::uint16_t>(segment, *rondo, 0), "16 bits");
        check(bounds_of<std::uint16_t>(segment, *rondo, -5), "16 bits, a low goal");
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, RondoBound,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"near=0.9", "far=0.9", "place=4", "length=2"},
                                         std::vector<std::string>{"gap=4", "long=1", "weight=1", "overhang=20"},
                                         std::vector<std::string>{"gap=0", "interval=1", "beyond=0", "change=2"}));

TEST(RondoBound, ExcludesNearlyEverythingThatDoesNotResembleTheQuery) {
  const Corpus corpus = test::generated_corpus(1000, 6, [](auto&&...) {});
  const Index index = Index::of(corpus).value();
  const Segment& segment = index.snapshot().segments.front();
  const ChosenSystem chosen = resolve_system("rondo", {}).value();
  std::size_t reach = 0;
  std::size_t exceed = 0;
  for (std::size_t q = 0; q < 400; q += 40) {
    const Line& query = corpus.documents[q].voices.front();
    if (query.size() < 12) continue;
    const auto rondo = RondoQuery::of(plan_of(*chosen.system), query);
    const std::vector<double> scores = scores_of(segment, *chosen.system, query);
    const std::vector<double> bounds = bounds_of<std::uint8_t>(segment, *rondo, 0.4);
    for (std::size_t d = 0; d < scores.size(); ++d) {
      reach += scores[d] >= 0.4 ? 1 : 0;
      exceed += bounds[d] >= 0.4 ? 1 : 0;
    }
  }
  EXPECT_GT(reach, 0U);
  EXPECT_LT(exceed, reach + 100) << "of ten thousand";
}

}  // namespace
}  // namespace rondo::fast
