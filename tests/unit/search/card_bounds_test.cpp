#include "search/card_bounds.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "search/card_search.h"
#include "search/fast/window_query.h"
#include "support/generated_corpus.h"
#include "support/lines.h"
#include "support/rounds.h"

/// Bounds on a graphics card that the CPU emulates: never below a score, and the lists of the CPU to the last bit. And
/// those of a real one, where there is one.
namespace rondo::card_bounds_test {
namespace {

using test::HitRows;
using test::rows_of;

const char* const kSystems[] = {"shapeh", "shapel", "shapeg", "spline", "time", "P2", "ngr5"};

/// A line that gets in a bound's way: repeated notes, octave leaps, the widest leaps, odd times.
Line awkward_line(std::mt19937& random, int kind, std::size_t notes) {
  Line line = random_line(random, notes);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto n = static_cast<int>(i);
    const int pitch = kind == 0   ? 60                      // one note repeated
                      : kind == 1 ? 60 + 12 * (n % 3)       // octaves, which fold to one symbol
                      : kind == 2 ? (n % 2 == 0 ? 0 : 127)  // the widest leaps
                      : kind == 3 ? 60 + n % 4              // a pattern again and again
                                  : 40 + static_cast<int>(random() % 24);
    line.pitch[i] = static_cast<std::int16_t>(pitch);
    line.base40[i] = static_cast<std::int16_t>(pitch * 40 / 12);
    line.onset[i] = at;
    line.duration[i] = kind == 4 ? 61 : kind == 5 ? std::int64_t{1} << (i % 7) : 1 + static_cast<int>(i % 3);
    at += line.duration[i] + (kind == 6 ? 61 * static_cast<int>(random() % 3) : 0);
  }
  return line;
}

Corpus mixed_lines(std::size_t pieces) {
  return test::generated_corpus(pieces, 5, [](std::size_t number, Line& line, std::mt19937& random) {
    if (number % 4 == 1) {
      line = awkward_line(random, static_cast<int>(random() % 7), 1 + random() % 64);
    }
    if (number % 97 == 5) line = random_line(random, 65 + number % 50);
    if (number % 97 == 6) line = random_line(random, 1 + number % 6);
  });
}

struct Bounded {
  Corpus corpus;
  Index index;
  std::shared_ptr<gpu::Card> card;
  CardBounds bounds;
  std::mt19937 random{11};

  explicit Bounded(std::size_t pieces, std::shared_ptr<gpu::Card> on = gpu::emulated_card())
      : corpus(mixed_lines(pieces)),
        index(Index::of(corpus).value()),
        card(std::move(on)),
        bounds(CardBounds::load(index, card, 2, {}).value()) {}

  /// One that the card takes, of a kind by number.
  Line query(int round) {
    if (round % 5 == 4) return awkward_line(random, round / 5 % 7, 6 + random() % 59);
    if (round % 5 == 3) return random_line(random, 6 + random() % 59);
    for (;;) {
      const Document& from = corpus.documents[random() % corpus.documents.size()];
      if (from.voices.front().size() >= 6 && from.voices.front().size() <= 64) return from.voices.front();
    }
  }
};

ChosenSystem taught(const char* name, const Index& index) {
  ChosenSystem system = resolve_system(name).value();
  teach(index, *system.system);
  return system;
}

TEST(CardBounds, AreNeverBelowAScoreAndNgr5sAreTheScore) {
  Bounded with(300);
  const index::Snapshot& snapshot = with.index.snapshot();
  for (const char* const name : kSystems) {
    const ChosenSystem system = taught(name, with.index);
    const SearchPlan plan = system.system->plan();
    ASSERT_TRUE(CardBounds::can_bound(*system.row, plan)) << name;
    std::size_t compared = 0;
    std::size_t tight = 0;
    for (int round = 0; round < test::rounds(20); ++round) {
      const Line line = with.query(round);
      auto query = CardBounds::query(*system.row, plan, line);
      if (!query) continue;
      std::visit([](auto& bound) { bound.only_whole = 0; }, query->bound);
      std::vector<fast::SegmentView> views;
      for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
        views.push_back({&snapshot.segments[s], s, &snapshot.removed[s], nullptr, {}});
      }
      const auto answer = with.bounds.ask(*query, 1'000'000, gpu::kNoBound, views).value();
      ASSERT_EQ(answer.least, gpu::kNoBound);
      std::vector<std::vector<std::optional<std::int32_t>>> bound(snapshot.segments.size());
      for (std::size_t s = 0; s < bound.size(); ++s) bound[s].resize(snapshot.segments[s].size());
      for (const auto& one : answer.candidates) bound[one.segment][one.document] = one.bound;
      const auto prepared = system.system->prepare(line);
      Line document;
      for (std::size_t s = 0; s < bound.size(); ++s) {
        for (index::DocumentId d = 0; d < snapshot.segments[s].size(); ++d) {
          const auto& others = with.bounds.others(s);
          if (std::binary_search(others.begin(), others.end(), d)) continue;
          snapshot.segments[s].line(d, document);
          const Score score = prepared->score(document);
          const bool ranked = document.size() >= system.row->shortest && score.comparable &&
                              !(system.row->zero_is_none && score.value <= 0);
          ASSERT_TRUE(!ranked || bound[s][d]) << name << " lost document " << d << " of " << score.value;
          if (!ranked) continue;
          ++compared;
          const double most = query->most(*bound[s][d]);
          ASSERT_GE(most, score.value) << name << " round " << round << " document " << d;
          ASSERT_TRUE(query->least(score.value) <= *bound[s][d]);
          ASSERT_TRUE(!query->exact || most == score.value);
          if (most - score.value < 0.05 * std::max(1.0, std::abs(score.value))) ++tight;
        }
      }
    }
    if (test::kSanitized) continue;  // too few to tell
    EXPECT_GT(compared, 50U) << name;
    EXPECT_GT(tight * 20, compared) << name << ": a bound that bounds nothing";
  }
}

TEST(CardBounds, GiveTheListsOfTheCpuWhateverTheOptions) {
  Bounded with(900);
  for (const char* const name : kSystems) {
    const ChosenSystem system = taught(name, with.index);
    std::size_t on_card = 0;
    for (int round = 0; round < test::rounds(14); ++round) {
      SearchOptions options = test::varied_options(static_cast<std::size_t>(round), with.corpus, with.random);
      const Line query = with.query(round);
      const auto search = [&] { return rondo::search(with.index, *system.row, *system.system, query, options); };
      const SearchResult expected = search();
      CardUse use{nullptr, &with.bounds};
      options.card = &use;
      const SearchResult found = search();
      EXPECT_EQ(rows_of(found), rows_of(expected)) << name << " round " << round;
      EXPECT_EQ(found.compared, expected.compared);
      EXPECT_FALSE(use.failure);
      on_card += found.method == "graphics card" ? 1 : 0;
    }
    EXPECT_GE(on_card, static_cast<std::size_t>(test::rounds(14)) / 2) << name;
  }
}

TEST(CardBounds, AnswerManyAtOnceEachItsOwn) {
  Bounded with(300);
  std::vector<ChosenSystem> systems;
  for (const char* const name : kSystems) systems.push_back(taught(name, with.index));
  std::vector<Line> queries;
  for (int i = 0; i < 24; ++i) queries.push_back(with.query(i));
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < 24; i += 8) {
        const ChosenSystem& system = systems[i % systems.size()];
        SearchOptions options;
        const auto search = [&] { return rondo::search(with.index, *system.row, *system.system, queries[i], options); };
        const HitRows expected = rows_of(search());
        CardUse use{nullptr, &with.bounds};
        options.card = &use;
        EXPECT_EQ(rows_of(search()), expected);
      }
    });
  }
}

TEST(CardBounds, ACardThatIsLostLeavesTheSearchToTheCpu) {
  Bounded with(200, gpu::emulated_card({.calls_before_loss = 1}));
  const ChosenSystem system = taught("shapeh", with.index);
  const Line query = with.query(0);
  SearchOptions options;
  const HitRows expected = rows_of(rondo::search(with.index, *system.row, *system.system, query, options));
  std::optional<Error> failure;
  for (int i = 0; i < 3; ++i) {
    CardUse use{nullptr, &with.bounds};
    options.card = &use;
    EXPECT_EQ(rows_of(rondo::search(with.index, *system.row, *system.system, query, options)), expected);
    if (use.failure) failure = use.failure;
  }
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "device-failed");
  const Index index = Index::of(mixed_lines(50)).value();
  auto small = CardBounds::load(index, gpu::emulated_card({.memory = 100}), 1, {});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, "device-memory");
}

TEST(CardBounds, LeaveToTheCpuWhatTheyDoNotKnow) {
  for (const char* const name : {"contour", "P1", "P3", "GAR", "EMD", "rondo", "Orio"}) {
    const ChosenSystem system = resolve_system(name).value();
    EXPECT_FALSE(CardBounds::can_bound(*system.row, system.system->plan())) << name;
  }
  std::mt19937 random(3);
  const ChosenSystem ngr5 = resolve_system("ngr5").value();
  const auto query = [&](std::size_t notes) {
    return CardBounds::query(*ngr5.row, ngr5.system->plan(), random_line(random, notes)).has_value();
  };
  EXPECT_FALSE(query(5));
  EXPECT_TRUE(query(6));
  EXPECT_TRUE(query(64));
  EXPECT_FALSE(query(65));
}

TEST(CardBounds, TheRealCardHasTheBoundsOfTheEmulatedOne) {
  auto real = gpu::open_card();
  if (!real) GTEST_SKIP() << real.error().to_string();
  // More documents than a block of the card has, and many too many for one answer.
  Bounded with(3000);
  CardBounds card = CardBounds::load(with.index, *real, 2, {}).value();
  const auto& snapshot = with.index.snapshot();
  std::vector<fast::SegmentView> views;
  for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
    views.push_back({&snapshot.segments[s], s, &snapshot.removed[s], nullptr, {}});
  }
  std::vector<fast::SegmentView> whole = views;
  for (auto& view : whole) view.chosen = &snapshot.whole[view.number];
  for (const char* const name : kSystems) {
    const ChosenSystem system = taught(name, with.index);
    for (int round = 0; round < 6; ++round) {
      const auto query = CardBounds::query(*system.row, system.system->plan(), with.query(round));
      if (!query) continue;
      const auto& from = system.row->polyphonic || round % 2 == 0 ? whole : views;
      for (const std::size_t wanted : {std::size_t{40}, std::size_t{1'000'000}}) {
        const auto expected = with.bounds.ask(*query, wanted, gpu::kNoBound, from).value();
        const auto found = card.ask(*query, wanted, gpu::kNoBound, from).value();
        ASSERT_EQ(found.least, expected.least) << name << " round " << round;
        ASSERT_EQ(found.candidates.size(), expected.candidates.size()) << name << " round " << round;
        for (std::size_t i = 0; i < found.candidates.size(); ++i) {
          ASSERT_EQ(found.candidates[i].document, expected.candidates[i].document) << name;
          ASSERT_EQ(found.candidates[i].bound, expected.candidates[i].bound) << name;
        }
      }
    }
  }
}

TEST(CardBounds, TheRealCardGivesTheListsOfTheCpu) {
  auto real = gpu::open_card();
  if (!real) GTEST_SKIP() << real.error().to_string();
  Bounded with(2000, *real);
  std::vector<ChosenSystem> systems;
  for (const char* const name : kSystems) systems.push_back(taught(name, with.index));
  std::vector<Line> queries;
  for (int i = 0; i < 140; ++i) queries.push_back(with.query(i));
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 70; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < queries.size(); i += 70) {
        const ChosenSystem& system = systems[i % systems.size()];
        SearchOptions options;
        const auto search = [&] { return rondo::search(with.index, *system.row, *system.system, queries[i], options); };
        const HitRows expected = rows_of(search());
        CardUse use{nullptr, &with.bounds};
        options.card = &use;
        EXPECT_EQ(rows_of(search()), expected);
        EXPECT_FALSE(use.failure);
      }
    });
  }
}

}  // namespace
}  // namespace rondo::card_bounds_test
