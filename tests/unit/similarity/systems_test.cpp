// What must hold of every system in the table, whichever it is.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

/// A perfect fourth up: 5 semitones, 17 of base 40.
Line fourth_up(Line line) {
  for (auto& pitch : line.pitch) pitch = static_cast<std::int16_t>(pitch + 5);
  for (auto& pitch : line.base40) pitch = static_cast<std::int16_t>(pitch + 17);
  return line;
}

Line slower(Line line, int times) {
  for (auto& onset : line.onset) onset *= times;
  for (auto& duration : line.duration) duration *= times;
  return line;
}

class EverySystem : public testing::TestWithParam<const SystemRow*> {
 protected:
  EverySystem() : system_(GetParam()->make(Parameters(GetParam()->parameters))) {
    std::mt19937 random(11);
    for (int i = 0; i < test::rounds(60); ++i) lines_.push_back(random_line(random, 4 + random() % 20));
    for (const Line& line : lines_) system_->learn(line);
  }
  std::unique_ptr<System> system_;
  std::vector<Line> lines_;
};

TEST_P(EverySystem, SaysWhatItIs) {
  const SystemRow& row = *GetParam();
  EXPECT_FALSE(row.name.empty());
  EXPECT_FALSE(row.title.empty());
  EXPECT_GT(row.explanation.size(), 60U);
  EXPECT_FALSE(row.reference.empty());
  if (row.evidence != Evidence::exact) {
    EXPECT_FALSE(row.evidence_note.empty()) << "say what is unknown";
  }
  for (const Parameter& p : row.parameters) {
    EXPECT_FALSE(p.explanation.empty());
    EXPECT_LE(p.lowest, p.standard);
    EXPECT_LE(p.standard, p.highest);
  }
}

TEST_P(EverySystem, RanksAMelodyItselfFirst) {
  for (const Line& query : lines_) {
    const auto prepared = system_->prepare(query);
    const Score own = prepared->score(query);
    if (!own.comparable) continue;
    EXPECT_FALSE(std::isnan(own.value));
    EXPECT_FALSE(own.value == 0 && std::signbit(own.value)) << "a minus zero is shown as such";
    for (const Line& other : lines_) {
      const Score score = prepared->score(other);
      // A global or unnormalised score of a longer melody may exceed it; never that of an equally long one.
      if (score.comparable && other.size() == query.size()) {
        EXPECT_LE(score.value, own.value) << GetParam()->name;
      }
    }
  }
}

TEST_P(EverySystem, HasTheInvariancesItClaims) {
  const SystemRow& row = *GetParam();
  for (std::size_t i = 0; i + 1 < lines_.size(); ++i) {
    const auto prepared = system_->prepare(lines_[i]);
    const Score plain = prepared->score(lines_[i + 1]);
    if (row.invariant.transposition) {
      EXPECT_EQ(prepared->score(fourth_up(lines_[i + 1])), plain) << row.name;
    }
    if (row.invariant.tempo) {
      EXPECT_EQ(prepared->score(slower(lines_[i + 1], 3)), plain) << row.name;
    }
  }
}

TEST_P(EverySystem, TooShortIsNotComparableAndNeverACrash) {
  const Line empty;
  const Line one = quarters("C4");
  const Line two = quarters("C4 D4");
  const std::vector<const Line*> cases = {&empty, &one, &two, lines_.data()};
  for (const Line* query : cases) {
    const auto prepared = system_->prepare(*query);
    for (const Line* document : cases) {
      const Score score = prepared->score(*document);
      EXPECT_FALSE(std::isnan(score.value) || std::isinf(score.value));
      (void)prepared->tie_break(*document);
      EXPECT_EQ(prepared->explain(*document).score, score);
      if (query->size() < GetParam()->shortest || document->size() < GetParam()->shortest) {
        EXPECT_FALSE(score.comparable) << GetParam()->name << " " << query->size() << " " << document->size();
      }
    }
  }
}

TEST_P(EverySystem, ExplainsExactlyTheScoreItGives) {
  for (std::size_t i = 0; i + 1 < lines_.size(); ++i) {
    const auto prepared = system_->prepare(lines_[i]);
    const Explanation why = prepared->explain(lines_[i + 1]);
    EXPECT_EQ(why.score, prepared->score(lines_[i + 1])) << GetParam()->name;
    for (const Step& step : why.steps) {
      EXPECT_LE(step.query.end, lines_[i].size());
      EXPECT_LE(step.document.end, lines_[i + 1].size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EverySystem, testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& tested) {
                           std::string name;
                           for (const char c : tested.param->name)
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

TEST(Systems, HaveDifferentNames) {
  std::set<std::string_view> names;
  for (const SystemRow* row : systems()) EXPECT_TRUE(names.insert(row->name).second) << row->name;
  EXPECT_EQ(find_system("no-such"), nullptr);
}

}  // namespace
}  // namespace rondo
