// The trial of systems on altered melodies of the demonstration, and the record of it.

#include "rondo/requirements/trial.h"

#include <gmock/gmock.h>

#include <map>

#include "rondo/formats/format.h"
#include "support/data.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace {

using rondo::RequirementFigures;
using rondo::Verdict;

std::vector<rondo::Piece> demo() {
  const std::filesystem::path folder = std::filesystem::path(RONDO_SOURCE_DIR) / "data" / "demo";
  rondo::CollectingSink sink;
  for (const std::string format : {"pae", "abc"}) {
    for (const auto& file : files_below(folder, "." + format)) read_text(format, slurp(file), sink);
  }
  EXPECT_TRUE(sink.skipped.empty());
  return std::move(sink.pieces);
}

/// As `rondo systems --requirements --measure data/demo` has it.
const rondo::TrialMaterial& material() {
  static const rondo::TrialMaterial made = make_trial(demo()).value();
  return made;
}

Verdict verdict_of(const rondo::SystemRow& row, std::string_view requirement) {
  const std::vector<const rondo::Requirement*> wanted = {rondo::find_requirement(requirement)};
  return verdict(try_requirements(row, material(), wanted).front());
}

Verdict verdict_of(std::string_view system, std::string_view requirement) {
  return verdict_of(*rondo::find_system(system), requirement);
}

/// How many notes the two have in common at the same place: pitch as it is spelt, time as it is written, and the bar
/// lines. The opposite of what the requirements ask for.
class Literal final : public rondo::System {
 public:
  class Query final : public rondo::PreparedQuery {
   public:
    explicit Query(rondo::Line line) : line_(std::move(line)) {}
    using PreparedQuery::score;
    [[nodiscard]] rondo::Score score(const rondo::Line& document) const override {
      const auto seconds = [](const rondo::Line& line, std::int64_t ticks) {
        return static_cast<double>(ticks) / static_cast<double>(line.ticks_per_whole);
      };
      double same = 0;
      for (std::size_t i = 0; i < std::min(line_.size(), document.size()); ++i) {
        const bool equal = line_.base40[i] == document.base40[i] &&
                           seconds(line_, line_.onset[i]) == seconds(document, document.onset[i]);
        same += equal ? 1 : 0;
      }
      return {line_.bars.size() == document.bars.size() ? same : -same};
    }
    [[nodiscard]] rondo::Explanation explain(const rondo::Line& document) const override {
      return {score(document), {}, 0, ""};
    }

   private:
    rondo::Line line_;
  };
  [[nodiscard]] std::unique_ptr<rondo::PreparedQuery> prepare(const rondo::Line& query) const override {
    return std::make_unique<Query>(query);
  }
};

const rondo::SystemRow kLiteral = {
    .name = "literal",
    .make = [](const rondo::Parameters& /*parameters*/) -> std::unique_ptr<rondo::System> {
      return std::make_unique<Literal>();
    },
};

TEST(Requirements, TheVerdictComesFromWhatIsLeftOfTheRank) {
  RequirementFigures figures;
  figures.unaltered = 0.8;
  figures.altered = 0.76;
  EXPECT_EQ(verdict(figures), Verdict::meets) << "0.76 is 95% of 0.8";
  figures.altered = 0.75;
  EXPECT_EQ(verdict(figures), Verdict::partly);
  figures.altered = 0.39;
  EXPECT_EQ(verdict(figures), Verdict::fails);
  figures.unaltered = 0;
  EXPECT_EQ(verdict(figures), Verdict::fails) << "nothing was found in the first place";
}

// Intervals modulo the octave hear no difference; places on the staff do.
TEST(Requirements, OctaveEquivalence) {
  EXPECT_EQ(verdict_of("ngr5", "octave-equivalence"), Verdict::meets);
  EXPECT_EQ(verdict_of(kLiteral, "octave-equivalence"), Verdict::fails);
}

// A change of key touches few windows of three notes; P1 wants one transposition for all notes.
TEST(Requirements, DegreeEquality) {
  EXPECT_EQ(verdict_of("shapeh", "degree-equality"), Verdict::meets);
  EXPECT_NE(verdict_of("P1", "degree-equality"), Verdict::meets);
}

// MIDI numbers do not tell B flat from A sharp; names do.
TEST(Requirements, NoteEquality) {
  EXPECT_EQ(verdict_of("P2", "note-equality"), Verdict::meets);
  EXPECT_NE(verdict_of("vk-pitch", "note-equality"), Verdict::meets);
}

// P2 loses as many notes as were changed; P1 wants all.
TEST(Requirements, PitchVariation) {
  EXPECT_EQ(verdict_of("P2", "pitch-variation"), Verdict::meets);
  EXPECT_EQ(verdict_of("P1", "pitch-variation"), Verdict::fails);
}

// All notes of the query are still there for P1; the highest of each chord are another melody.
TEST(Requirements, HarmonicSimilarity) {
  EXPECT_EQ(verdict_of("P1", "harmonic-similarity"), Verdict::meets);
  EXPECT_NE(verdict_of("ngr5", "harmonic-similarity"), Verdict::meets);
}

TEST(Requirements, VoiceSeparation) {
  EXPECT_EQ(verdict_of("P2", "voice-separation"), Verdict::meets);
  EXPECT_NE(verdict_of("contour", "voice-separation"), Verdict::meets);
}

// Only a system that counts bars can fail, and none of the table's lives by them.
TEST(Requirements, TimeSignatureEquivalence) {
  EXPECT_EQ(verdict_of("P2", "time-signature-equivalence"), Verdict::meets);
  EXPECT_EQ(verdict_of(kLiteral, "time-signature-equivalence"), Verdict::fails);
}

// Ratios of durations stay; the geometric systems shift but do not stretch.
TEST(Requirements, TempoEquivalence) {
  EXPECT_EQ(verdict_of("spline", "tempo-equivalence"), Verdict::meets);
  EXPECT_EQ(verdict_of("P2", "tempo-equivalence"), Verdict::fails);
}

TEST(Requirements, DurationEquality) {
  EXPECT_EQ(verdict_of("rhythm", "duration-equality"), Verdict::meets);
  EXPECT_EQ(verdict_of("P1", "duration-equality"), Verdict::fails);
}

// The contour knows no rhythm; P1 wants every onset.
TEST(Requirements, DurationVariation) {
  EXPECT_EQ(verdict_of("contour", "duration-variation"), Verdict::meets);
  EXPECT_EQ(verdict_of("P1", "duration-variation"), Verdict::fails);
}

TEST(Requirements, MelodiesAreFoundAmongManyAndWithoutTheirKin) {
  const rondo::TrialMaterial& made = material();
  EXPECT_EQ(made.queries.size(), 24U);
  EXPECT_GT(made.distractors.documents.size(), 400U);
  EXPECT_EQ(made.families.size(), made.distractors.documents.size());
  std::map<std::string, int> families;
  for (const rondo::Piece& query : made.queries) ++families[std::string(query.metadata.field("family"))];
  families.erase("");
  for (const auto& [family, count] : families) EXPECT_EQ(count, 1) << family;
}

TEST(Requirements, ACollectionWithoutAMelodyToAlterIsSaid) {
  rondo::Piece chords;
  chords.id = "short";
  chords.voices.push_back(voice_of("C4 1/4 D4 1/4"));
  const auto made = rondo::make_trial(std::vector{chords});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, "trial-empty");
  EXPECT_EQ(rondo::make_trial({}).error().code, "trial-empty");
}

TEST(Requirements, FiguresSurviveTheirTable) {
  const RequirementFigures one{"P3", "octave-equivalence", 48, 1, 2.0 / 3, 0.5, 2.25};
  const auto back = rondo::read_figures(write_figures(std::vector{one}));
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 1U);
  EXPECT_EQ(back->front(), rounded(one));
  EXPECT_EQ(back->front().altered, 0.6667);
  for (const std::string bad : {"P3\tx\t48\t1\t0.5\t0.5\n", "P3\tx\t48\t1\t1\t1\t0.5\n", "P3\tx\t48\t1\tnan\t0.5\t1\n",
                                "P3\tx\t-1\t1\t1\t1\t1\n", "\n"}) {
    const auto broken = rondo::read_figures(rondo::write_figures({}) + bad);
    ASSERT_FALSE(broken.has_value()) << bad;
    EXPECT_EQ(broken.error().place.line, 2U);
  }
}

const char* const kHint = "measure again as docs/requirements.md says";

TEST(Requirements, EverySystemAndRequirementIsRecorded) {
  for (const rondo::SystemRow* row : rondo::systems()) {
    EXPECT_EQ(rondo::recorded_figures(row->name).size(), rondo::requirements().size()) << row->name << ": " << kHint;
  }
  EXPECT_EQ(rondo::recorded_figures().size(), rondo::systems().size() * rondo::requirements().size());
}

// All requirements under systems of every kind that are quick: n-grams, edit distance, geometry, alignment of windows,
// alignment of notes. The others are measured by hand, as the page says.
TEST(Requirements, TheRecordIsWhatIsMeasured) {
  if (rondo::test::kPatience > 1) GTEST_SKIP() << "figures are compared in the release build";
  for (const std::string system : {"ngr5", "contour", "P2", "shapeh", "vk-pitch", "opti3"}) {
    std::vector<RequirementFigures> now;
    for (const RequirementFigures& one :
         try_requirements(*rondo::find_system(system), material(), rondo::requirements())) {
      now.push_back(rounded(one));
    }
    EXPECT_EQ(write_figures(now), write_figures(rondo::recorded_figures(system))) << kHint;
  }
}

TEST(Requirements, TheRecordOfAMixtureIsWhatIsMeasured) {
  const std::vector<const rondo::Requirement*> wanted = {rondo::find_requirement("duration-variation")};
  const RequirementFigures now = rounded(try_requirements(*rondo::find_system("Orio"), material(), wanted).front());
  EXPECT_THAT(rondo::recorded_figures("Orio"), testing::Contains(now)) << kHint;
}

}  // namespace
