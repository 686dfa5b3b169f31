#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "rondo/query/reading.h"
#include "support/rounds.h"

namespace query_inputs_test {

using namespace rondo;

struct Row {
  std::size_t line = 0;
  std::vector<std::string> cells;
};

std::string unescaped(std::string text) {
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at + 1))
    text.replace(at, 2, "\n");
  return text;
}

std::vector<Row> rows() {
  std::ifstream in(std::string(RONDO_SOURCE_DIR) + "/tests/unit/query/inputs.tsv");
  std::vector<Row> out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.starts_with("# ")) continue;
    Row row{number, {}};
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.cells.push_back(cell);
    out.push_back(std::move(row));
  }
  return out;
}

/// Of a reading the cells that a row must have behind its text.
std::vector<std::string> cells_of(const Result<QueryReading>& reading) {
  if (!reading) return {"error", reading.error().code, "-", "-"};
  std::string notes;
  std::string lengths;
  for (const Note& note : reading->voice().notes) {
    notes += (notes.empty() ? "" : " ") + note.pitch.to_string();
    lengths += (lengths.empty() ? "" : " ") + note.duration.to_string();
  }
  std::string codes;
  for (const Diagnostic& warning : reading->warnings) codes += (codes.empty() ? "" : ",") + warning.code;
  return {std::string(to_string(reading->kind)), notes, reading->rhythm ? lengths : "-", codes.empty() ? "-" : codes};
}

TEST(QueryInputs, AreReadAsTheTableSays) {
  const auto table = rows();
  EXPECT_GE(table.size(), 200U);
  for (const Row& row : table) {
    ASSERT_EQ(row.cells.size(), 5U) << "line " << row.line;
    const std::vector<std::string> expected(row.cells.begin() + 1, row.cells.end());
    EXPECT_EQ(cells_of(read_query_text(unescaped(row.cells[0]))), expected)
        << "line " << row.line << ": " << row.cells[0];
  }
}

TEST(QueryInputs, SayWhyTheyWereReadSo) {
  for (const Row& row : rows()) {
    const auto reading = read_query_text(unescaped(row.cells[0]));
    if (!reading) {
      EXPECT_FALSE(reading.error().hint.empty()) << row.cells[0];
      continue;
    }
    EXPECT_FALSE(reading->because.empty()) << row.cells[0];
    EXPECT_THAT(describe(*reading), testing::StartsWith("read as "));
  }
}

TEST(QueryInputs, NamesThatRondoPrintsAreReadBackAsTheyWere) {
  std::uint32_t state = 12345;
  const auto random = [&state](int below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8U) % static_cast<std::uint32_t>(below));
  };
  for (int round = 0; round < test::rounds(500); ++round) {
    std::string text;
    int place = 7 * 4 + random(7);
    for (int i = 0; i < 12; ++i) {
      place = std::clamp(place + random(15) - 7, 14, 63);
      const Pitch pitch{static_cast<std::int8_t>(place % 7), static_cast<std::int8_t>(random(5) - 2),
                        static_cast<std::int8_t>(place / 7)};
      text += (text.empty() ? "" : " ") + pitch.to_string();
    }
    const auto reading = read_query_text(text);
    ASSERT_TRUE(reading) << text;
    EXPECT_EQ(cells_of(reading), (std::vector<std::string>{"note-names", text, "-", "-"}));
  }
}

TEST(QueryInputs, WithUnknownNotesCountThem) {
  EXPECT_EQ(read_query_text("C4 ? E4 ? G4")->unknown_notes, 2U);
  EXPECT_EQ(read_query_text("C4 ... G4")->unknown_stretches, 1U);
  EXPECT_EQ(read_query_text("C4 * G4")->unknown_stretches, 1U);
  EXPECT_EQ(read_query_text("CD??G")->unknown_notes, 2U);
  EXPECT_EQ(read_query_text("'4CD?G")->unknown_notes, 1U);
  EXPECT_FALSE(read_query_text("*UDDR")->has_wildcards()) << "the star begins a Parsons code";
  EXPECT_FALSE(read_query_text("'4CDEC")->has_wildcards());
}

TEST(QueryInputs, SayWhereUnknownNotesStand) {
  const auto unknown = [](std::string_view text) {
    const auto reading = read_query_text(text);
    EXPECT_TRUE(reading) << text;
    return reading ? reading->unknown : std::vector<UnknownNotes>{};
  };
  using Places = std::vector<UnknownNotes>;
  EXPECT_EQ(unknown("C4 D4 E4"), Places{});
  EXPECT_EQ(unknown("C4 ? E4 ? ? G4"), (Places{{1, 1, false}, {2, 2, false}}));
  EXPECT_EQ(unknown("? C4 E4 ..."), (Places{{0, 1, false}, {2, 0, true}}));
  EXPECT_EQ(unknown("C4 ? ... G4"), (Places{{1, 1, true}})) << "at least one";
  EXPECT_EQ(unknown("CD?F*A"), (Places{{2, 1, false}, {3, 0, true}}));
  EXPECT_EQ(unknown("'4CD?G*8A"), (Places{{2, 1, false}, {3, 0, true}}));
  EXPECT_EQ(unknown("'4CD/...G8A"), (Places{{2, 0, true}}));
  EXPECT_EQ(unknown("CD?E|G2*A2"), (Places{{2, 1, false}, {4, 0, true}}));
  EXPECT_EQ(unknown("[4c 4c] 8r ? 8d ... 8e"), (Places{{1, 1, false}, {2, 0, true}})) << "a tie is one note";
  // Between two notes lies one step more than notes; how the two lie to each other is not known.
  EXPECT_EQ(unknown("*UD?U"), (Places{{3, 0, false, false}}));
  EXPECT_EQ(unknown("*UD??U"), (Places{{3, 1, false, false}}));
  EXPECT_EQ(unknown("UD*U"), (Places{{3, 0, true, false}}));
  EXPECT_EQ(unknown("*?UD?"), (Places{{0, 1, false, false}, {3, 1, false, false}}));
  EXPECT_EQ(unknown("+2 ? -1"), (Places{{2, 0, false, false}}))
      << "an unknown interval, then one from the note it leads to";
  EXPECT_EQ(unknown("? +2 ... -1 ?"), (Places{{0, 1, false, false}, {2, 0, true, false}, {4, 1, false, false}}));
  EXPECT_THAT(describe(*read_query_text("C4 ? E4 ... G4 ?")), testing::EndsWith(": C4 ? E4 ... G4 ?"));
  std::string many = "C4";
  for (int i = 0; i < 65; ++i) many += " ? C4";
  EXPECT_EQ(read_query_text(many).error().code, "query-wildcards");
}

TEST(QueryInputs, PointAtWhatTheyCannotRead) {
  const auto odd = read_query_text("  C4 D4 hallo E4");
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, "query-unread");
  EXPECT_EQ(odd.error().place.column, 9U);
  EXPECT_THAT(odd.error().message, testing::HasSubstr("hallo"));
  const auto german = read_query_text("  c d es fis b");
  ASSERT_TRUE(german);
  ASSERT_FALSE(german->warnings.empty());
  EXPECT_EQ(german->warnings.front().place.column, 14U);
}

TEST(QueryInputs, PointAtPlacesInWhatWasCopied) {
  const auto quoted = read_query_text("\"C4 D4 hallo\"");
  ASSERT_FALSE(quoted);
  EXPECT_EQ(quoted.error().place.column, 8U);
  const auto line = read_query_text("X:1 K:C CD 4EF");
  ASSERT_TRUE(line);
  ASSERT_FALSE(line->warnings.empty());
  EXPECT_EQ(line->warnings.front().place.column, 12U) << line->warnings.front().message;
  const auto syllables = read_query_text("r\u00e9 mi \u0434\u043e hallo");
  ASSERT_FALSE(syllables);
  EXPECT_EQ(syllables.error().place.column, 10U);
}

TEST(QueryInputs, WordsOfATitleAreNamedAsSuch) {
  const auto title = read_query_text("twinkle twinkle");
  ASSERT_FALSE(title);
  EXPECT_THAT(title.error().hint, testing::HasSubstr("searched for as text"));
  const auto slip = read_query_text("C4 D4 w");
  ASSERT_FALSE(slip);
  EXPECT_THAT(slip.error().hint, testing::Not(testing::HasSubstr("searched for as text")));
}

TEST(QueryInputs, OfManyMelodiesTheFirstIsTakenAndSaid) {
  const auto reading = read_query_text("X:1\nT:One\nK:C\nCDE\n\nX:2\nT:Two\nK:C\nEDC\n");
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->warnings.size(), 1U);
  EXPECT_EQ(reading->warnings[0].code, "query-first-melody");
  EXPECT_THAT(reading->warnings[0].message, testing::HasSubstr("2 melodies; the first is taken: One"));
  EXPECT_THAT(reading->because, testing::HasSubstr("ABC"));
}

TEST(QueryInputs, AContourIsShownByNotesThatHaveIt) {
  // As high as it must be, however long: the range is that of the longest rise or fall.
  std::string text = "*";
  for (int i = 0; i < 500; ++i) text += "UUDDR";
  const auto reading = read_query_text(text);
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->voice().notes.size(), 2501U);
  for (std::size_t i = 1; i < 2501; ++i) {
    const int step = reading->voice().notes[i].pitch.midi() - reading->voice().notes[i - 1].pitch.midi();
    const char letter = text[i];
    EXPECT_EQ(letter, step > 0 ? 'U' : step < 0 ? 'D' : 'R') << i;
    EXPECT_LE(reading->voice().notes[i].pitch.octave, 5);
  }
}

}  // namespace query_inputs_test
