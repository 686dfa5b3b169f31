// `rondo systems`: the table of systems for people, for programs and as pages.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.h"
#include "requirements/requirement.h"
#include "rondo/similarity/system.h"
#include "support/data.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;

class CliSystems : public Program {
 protected:
  static std::size_t alterations() {
    std::size_t count = 0;
    for (const rondo::Requirement* requirement : rondo::requirements()) count += requirement->alterations.size();
    return count;
  }
  static std::string page(const std::string& name) {
    return slurp(std::filesystem::path(RONDO_SOURCE_DIR) / "docs" / name);
  }
};

TEST_F(CliSystems, ThePagesAreWhatTheProgramWrites) {
  EXPECT_EQ(rondo("systems --format markdown").out, page("systems.md"))
      << "rondo systems --format markdown > docs/systems.md";
  EXPECT_EQ(rondo("systems --requirements --format markdown").out, page("requirements.md"))
      << "rondo systems --requirements --format markdown > docs/requirements.md";
}

TEST_F(CliSystems, JsonCarriesEverythingARowSays) {
  const json all = json::parse(rondo("systems --format json").out);
  ASSERT_EQ(all.size(), rondo::systems().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const rondo::SystemRow& row = *rondo::systems()[i];
    const json& one = all[i];
    EXPECT_EQ(one["name"], row.name);
    EXPECT_EQ(one["title"], row.title);
    EXPECT_EQ(one["explanation"], row.explanation);
    EXPECT_EQ(one["reference"], row.reference);
    EXPECT_EQ(one["evidence"], to_string(row.evidence));
    EXPECT_EQ(one.value("evidence_note", ""), row.evidence_note);
    EXPECT_EQ(one.contains("published_adr"), row.published_adr.has_value()) << row.name;
    EXPECT_EQ(one.value("published_adr", 0.0), row.published_adr.value_or(0.0));
    EXPECT_EQ(one["invariant"]["transposition"], row.invariant.transposition);
    EXPECT_EQ(one["invariant"]["octave"], row.invariant.octave);
    EXPECT_EQ(one["invariant"]["tempo"], row.invariant.tempo);
    EXPECT_EQ(one["shortest"], row.shortest);
    EXPECT_EQ(one["polyphonic"], row.polyphonic);
    EXPECT_EQ(one["zero_is_none"], row.zero_is_none);
    EXPECT_EQ(one.value("standard_parts", ""), row.standard_parts);
    ASSERT_EQ(one["parameters"].size(), row.parameters.size()) << row.name;
    for (std::size_t p = 0; p < row.parameters.size(); ++p) {
      EXPECT_EQ(one["parameters"][p]["name"], row.parameters[p].name);
      EXPECT_EQ(one["parameters"][p]["explanation"], row.parameters[p].explanation);
      EXPECT_EQ(one["parameters"][p]["default"], row.parameters[p].standard);
      EXPECT_EQ(one["parameters"][p]["lowest"], row.parameters[p].lowest);
      EXPECT_EQ(one["parameters"][p]["highest"], row.parameters[p].highest);
    }
    EXPECT_EQ(one["requirements"].size(), alterations()) << row.name;
    EXPECT_EQ(json::parse(rondo("systems '" + std::string(row.name) + "' --format json").out), one);
  }
}

TEST_F(CliSystems, TheTableOfRequirementsFitsEightyColumns) {
  const auto done = rondo("systems --requirements");
  std::istringstream lines(done.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(count, rondo::systems().size() + 1);
  EXPECT_THAT(done.err, HasSubstr("octave-equivalence"));
  EXPECT_THAT(rondo("systems P1").out, testing::ContainsRegex("pitch-variation +some notes +0% .*not"));
  EXPECT_EQ(json::parse(rondo("systems P1 --requirements --format json").out).size(), alterations());
}

TEST_F(CliSystems, RequirementsAreMeasuredOnAnyMelodies) {
  write("tunes.pae",
        "@id:one\n@clef:G-2\n@keysig:xF\n@timesig:4/4\n@data:'4GABG/8GABGDEDG/2.A4B\n\n"
        "@id:two\n@clef:G-2\n@keysig:\n@timesig:3/4\n@data:'4CEG/''C'GE/C8DEFG/4AFD/2.C\n\n");
  const auto done = rondo("systems P1 --requirements --measure tunes.pae --format tsv");
  ASSERT_EQ(done.code, 0) << done.err;
  // Two melodies; nothing but an octave was done to them.
  EXPECT_THAT(done.out, HasSubstr("P1\toctave-equivalence\tup\t2\t2\t1.0000\t1.0000\t1.0000\t1.0000\n"));
  const auto filled = rondo("systems ngr5 --requirements --measure tunes.pae --melodies 5 --format tsv");
  EXPECT_THAT(filled.out, HasSubstr("ngr5\toctave-equivalence\tup\t5\t5\t1.0000\t"));
  EXPECT_EQ(rondo("systems P1 --requirements --melodies 5").code, 2) << "measure what?";
  write("short.pae", "@id:one\n@data:'4GABG\n");
  const auto none = rondo("systems P1 --requirements --measure short.pae");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("12 to 80 notes"));
  EXPECT_EQ(rondo("systems --measure tunes.pae").code, 2) << "measure what?";
  EXPECT_EQ(rondo("systems --format tsv").code, 2);
  EXPECT_EQ(rondo("systems P1 --format markdown").code, 2);
  EXPECT_EQ(rondo("systems P9 --requirements").code, 1);
}

}  // namespace
