#include "study/studies.h"

#include <gmock/gmock.h>

#include <thread>

#include "search/candidates.h"
#include "store/sqlite.h"
#include "study/access.h"
#include "study/json.h"
#include "study/picks.h"
#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using rondo::test::sql;
using test::must;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class StudiesTest : public testing::Test {
 protected:
  Studies open(OpenMode mode = OpenMode::create) { return must(Studies::open(db_, mode)); }

  Scratch scratch_;
  std::filesystem::path db_ = scratch_ / "c.db";
};

TEST_F(StudiesTest, AStudyComesBackAsItWasStored) {
  Study study = test::small_study();
  study.settings.instructions = "Rank.\nTranspositions count as identical.";
  study.queries[0].candidates[1].folded = {{"other", "part"}};
  study.queries[1].candidates[0].planted = true;
  study.participants = {test::voter(1, study, {2, 0}), test::participant(2)};
  study.participants[0].background = Background{12.5, {"viola"}, "none"};
  study.participants[0].moves = {{0, "a", 1, study.participants[0].answers[0].ranking, true, "t"}};
  Studies studies = open();
  must(studies.add(study, "me"));
  EXPECT_EQ(must(studies.load("castle", true)), study);
  EXPECT_EQ(must(studies.load("castle")).participants[0].moves.size(), 0U);
  EXPECT_EQ(studies.add(study, "me").error().code, "study-exists");
  EXPECT_EQ(studies.load("else").error().code, "study-missing");
  EXPECT_EQ(studies.load("").error().code, "study-missing");
}

TEST_F(StudiesTest, AStudyThatWasExportedIsTheSameElsewhere) {
  Study study = test::small_study();
  study.participants = {test::voter(3, study, {1, 2}), test::voter(5, study, {})};
  study.participants[1].label = "Zoë \"Z\"";
  EXPECT_EQ(must(study_from_json(to_json(study))), study);
  Studies studies = open();
  must(studies.add(must(study_from_json(to_json(study))), "me"));
  EXPECT_EQ(to_json(must(studies.load("castle", true))), to_json(study));
}

TEST_F(StudiesTest, AStateIsNotThatOfAnotherHistoryAfterARestore) {
  std::string before;
  {
    Studies studies = open();
    must(studies.add(test::small_study(), "me"));
  }
  std::filesystem::copy_file(Studies::path_for(db_), scratch_ / "copy");
  {
    Studies studies = open(OpenMode::write);
    must(studies.invite("castle", {"A"}, "me"));
    before = must(studies.state_of("castle"));
  }
  std::filesystem::rename(scratch_ / "copy", Studies::path_for(db_));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the times of changes have milliseconds
  Studies studies = open(OpenMode::write);
  must(studies.invite("castle", {"B"}, "me"));
  EXPECT_NE(must(studies.state_of("castle")), before);
}

TEST_F(StudiesTest, AParticipantIsLeftOutWithAReasonThatIsKept) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {2, 0}), test::voter(2, study, {0})};
  Studies studies = open();
  must(studies.add(study, "me"));
  const std::string before = must(studies.state_of("castle"));
  must(studies.leave_out("castle", 2, "restarted", "me"));
  EXPECT_NE(must(studies.state_of("castle")), before);
  EXPECT_EQ(must(studies.load("castle")).participants[1].excluded, "restarted");
  EXPECT_EQ(must(studies.summary("castle")).excluded, 1U);
  EXPECT_EQ(must(study_from_json(to_json(must(studies.load("castle"))))).participants[1].excluded, "restarted");
  must(studies.leave_out("castle", 2, "", "me"));
  EXPECT_EQ(must(studies.summary("castle")).excluded, 0U);
  EXPECT_EQ(studies.leave_out("castle", 9, "x", "me").error().code, "study-participant");
  EXPECT_EQ(studies.leave_out("castle", 1, "a\nb", "me").error().code, "study-text");
}

TEST_F(StudiesTest, WhoWithdrawsLeavesNothingButACount) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {2, 0}), test::voter(2, study, {0})};
  study.participants[1].label = "Secret Person";
  study.participants[1].background = Background{3, {"serpent"}, "a remark"};
  study.participants[1].moves = {{0, "a", 1, study.participants[1].answers[0].ranking, true, "t"}};
  Studies studies = open();
  must(studies.add(study, "me"));
  must(studies.renew("castle", {2}, "me"));
  const Withdrawal receipt = must(studies.withdraw("castle", 2, "me"));
  EXPECT_EQ(receipt.answers, 1U);
  EXPECT_EQ(receipt.moves, 1U);
  const Study after = must(studies.load("castle", true));
  EXPECT_THAT(after.participants, SizeIs(1));
  EXPECT_EQ(after.withdrawn, 1U);
  EXPECT_EQ(must(study_from_json(to_json(after))).withdrawn, 1U);
  for (const AuditLine& line : must(studies.audit("castle"))) {
    EXPECT_THAT(line.detail, testing::Not(HasSubstr("participant 2")));
    EXPECT_THAT(line.detail, testing::Not(HasSubstr("Secret")));
  }
  EXPECT_EQ(studies.withdraw("castle", 2, "me").error().code, "study-participant");
}

TEST_F(StudiesTest, EveryChangedRowIsNoticedWhenTheStudyIsLoaded) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {2, 0}), test::voter(2, study, {1})};
  study.participants[0].background = Background{12.5, {"viola"}, "none"};
  study.participants[0].moves = {{0, "a", 1, study.participants[0].answers[0].ranking, true, "t"}};
  for (const char* change :
       {"UPDATE answer SET ranking = replace(ranking, 'c02', 'c03')",
        "UPDATE answer SET done = 0 WHERE participant = 1",
        "UPDATE answer SET saved = '2026-01-02T00:00:01.000Z' WHERE participant = 2",
        "UPDATE move SET ranking = replace(ranking, 'c02', 'c03')", "UPDATE move SET at = 'u'",
        "UPDATE query SET melody = replace(melody, 'Menuet', 'Menuer') WHERE number = 1",
        "UPDATE candidate SET id = 'x' WHERE key = 3", "UPDATE candidate SET planted = 1 - planted WHERE key = 2",
        "UPDATE participant SET label = 'p3' WHERE number = 2",
        "UPDATE participant SET background = replace(background, '12.5', '12.6')", "UPDATE study SET seed = seed + 1",
        "UPDATE study SET title = 'The cattle'"}) {
    std::filesystem::remove(Studies::path_for(db_));
    {
      Studies studies = open();
      must(studies.add(study, "me"));
      EXPECT_EQ(must(studies.load("castle", true)), study);
    }
    // Triggers call a function that other programs do not have; a flipped bit needs neither.
    std::string drop;
    for (const char* table : {"study", "query", "candidate", "participant", "answer", "move"}) {
      drop += "DROP TRIGGER " + std::string(table) + "_updated;";
    }
    sql(Studies::path_for(db_), drop + change);
    auto loaded = open(OpenMode::read).load("castle", true);
    ASSERT_FALSE(loaded.has_value()) << change;
    EXPECT_EQ(loaded.error().code, "store-corrupt") << change;
  }
}

TEST_F(StudiesTest, FilesOfTheVersionBeforeGetTheirChecksums) {
  Study study = test::small_study();
  study.participants = {test::voter(1, study, {2, 0})};
  {
    Studies studies = open();
    must(studies.add(study, "me"));
  }
  std::string back = "PRAGMA user_version = 2; DROP TABLE pick;";
  for (const char* table : {"study", "query", "candidate", "participant", "answer", "move"}) {
    const std::string name = table;
    back += "DROP TRIGGER " + name + "_updated; DROP TRIGGER " + name + "_inserted; ALTER TABLE " + name +
            " DROP COLUMN checksum;";
  }
  sql(Studies::path_for(db_), back);
  Studies studies = open(OpenMode::write);
  EXPECT_EQ(must(studies.load("castle", true)).participants, study.participants);
  must(studies.import_votes("castle", {test::voter(9, study, {1})}, "me"));
  EXPECT_THAT(must(studies.load("castle")).participants, SizeIs(2));
}

TEST_F(StudiesTest, WithoutAFileThereAreNoStudies) {
  EXPECT_EQ(Studies::open(db_, OpenMode::write).error().code, "studies-missing");
  EXPECT_FALSE(std::filesystem::exists(Studies::path_for(db_)));
}

TEST_F(StudiesTest, TheFileIsNobodyElsesBusiness) {
  const Studies studies = open();
  const auto mode = std::filesystem::status(studies.path()).permissions();
  EXPECT_EQ(mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
            std::filesystem::perms::none);
}

TEST_F(StudiesTest, AnotherProgramsFileIsLeftAlone) {
  sql(Studies::path_for(db_), "CREATE TABLE other (x)");
  EXPECT_EQ(Studies::open(db_, OpenMode::create).error().code, "store-foreign");
  EXPECT_EQ(sql(Studies::path_for(db_), "SELECT count(*) FROM sqlite_schema"), "1");
  EXPECT_EQ(sql(Studies::path_for(db_), "PRAGMA journal_mode"), "delete");
}

TEST_F(StudiesTest, ManyProcessesMayMakeTheFileAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path db = scratch_ / ("c" + std::to_string(round));
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        Study study = test::small_study();
        study.settings.name += std::to_string(i);
        must(must(Studies::open(db, OpenMode::create)).add(study, "me"));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(must(must(Studies::open(db, OpenMode::write)).list()), SizeIs(6));
  }
}

TEST_F(StudiesTest, AFileOfANewerRondoIsNotTouched) {
  { const Studies studies = open(); }
  sql(Studies::path_for(db_), "PRAGMA user_version = 99");
  EXPECT_EQ(Studies::open(db_, OpenMode::write).error().code, "store-newer");
}

TEST_F(StudiesTest, CodesAreShownOnceAndKeptAsFingerprintsOnly) {
  Studies studies = open();
  must(studies.add(test::small_study(), "me"));
  const auto invitations = must(studies.invite("castle", {"Ann", ""}, "me"));
  ASSERT_THAT(invitations, SizeIs(2));
  EXPECT_EQ(invitations[0].number, 1);
  EXPECT_EQ(invitations[1].number, 2);
  EXPECT_THAT(invitations[0].code, testing::MatchesRegex("[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}"));
  EXPECT_NE(invitations[0].code, invitations[1].code);
  const std::string letters = invitations[0].code;
  EXPECT_EQ(sql(studies.path(), "SELECT count(*) FROM participant WHERE instr(code_hash, '" + letters + "')"), "0");
}

TEST_F(StudiesTest, ANewCodeEndsTheOldOneAndKeepsTheAnswers) {
  Studies studies = open();
  Study study = test::small_study();
  study.settings.state = State::open;
  study.participants = {test::voter(1, study, {2, 0})};
  must(studies.add(study, "me"));
  Access access(studies);
  const std::string first = must(studies.renew("castle", {1}, "me")).at(0).code;
  const std::string session = must(access.begin_participant(must(access.join("castle", first)))).token;
  EXPECT_TRUE(must(access.find(session)));
  const auto renewed = must(studies.renew("castle", {1}, "me"));
  ASSERT_THAT(renewed, SizeIs(1));
  EXPECT_EQ(renewed[0].label, study.participants[0].label);
  EXPECT_FALSE(access.join("castle", first)) << "the old code";
  EXPECT_FALSE(must(access.find(session))) << "its session";
  EXPECT_EQ(must(access.join("castle", renewed[0].code)).number, 1);
  EXPECT_EQ(must(studies.load("castle")).participants[0].answers, study.participants[0].answers);
  EXPECT_EQ(must(studies.audit("castle")).at(0).what, "new code");
  EXPECT_EQ(studies.renew("castle", {1, 7}, "me").error().code, "study-participant");
  EXPECT_TRUE(access.join("castle", renewed[0].code)) << "of several, all are renewed or none";
}

TEST_F(StudiesTest, AStudyGoesFromDraftToOpenToClosedAndBackToOpen) {
  Studies studies = open();
  must(studies.add(test::small_study(), "me"));
  Changes changes;
  changes.state = State::closed;
  EXPECT_EQ(studies.change("castle", changes, "me").error().code, "study-state");
  changes.state = State::open;
  must(studies.change("castle", changes, "me"));
  changes.state = State::draft;
  EXPECT_EQ(studies.change("castle", changes, "me").error().code, "study-state");
  for (const State state : {State::closed, State::open}) {
    changes.state = state;
    must(studies.change("castle", changes, "me"));
    EXPECT_EQ(must(studies.summary("castle")).settings.state, state);
  }
}

TEST_F(StudiesTest, TiesAreSettledWhenItOpens) {
  Studies studies = open();
  must(studies.add(test::small_study(), "me"));
  Changes ties;
  ties.ties = true;
  must(studies.change("castle", ties, "me"));
  Changes opened;
  opened.state = State::open;
  must(studies.change("castle", opened, "me"));
  ties.ties = false;
  EXPECT_EQ(studies.change("castle", ties, "me").error().code, "study-ties");
  EXPECT_TRUE(must(studies.load("castle")).settings.ties);
}

TEST_F(StudiesTest, TheAuditLogTellsWhoDidWhatLatestFirst) {
  Studies studies = open();
  must(studies.add(test::small_study(), "me"));
  must(studies.invite("castle", {"Ann"}, "web"));
  must(studies.set_open_link("castle", true, "web"));
  const auto lines = must(studies.audit("castle"));
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[0].what, "open link");
  EXPECT_EQ(lines[1].what, "invite");
  EXPECT_EQ(lines[1].who, "web");
  EXPECT_EQ(lines[2].what, "create");
}

TEST_F(StudiesTest, ItsStateIsAnotherAfterEveryChangeOfTheVotes) {
  Studies studies = open();
  Study study = test::small_study();
  must(studies.add(study, "me"));
  std::set<std::string> states = {must(studies.state_of("castle"))};
  must(studies.import_votes("castle", {test::voter(1, study, {0})}, "me"));
  EXPECT_TRUE(states.insert(must(studies.state_of("castle"))).second);
  Changes changes;
  changes.title = "Other";
  must(studies.change("castle", changes, "me"));
  EXPECT_TRUE(states.insert(must(studies.state_of("castle"))).second);
  must(studies.remove("castle", "me"));
  must(studies.add(study, "me"));
  EXPECT_TRUE(states.insert(must(studies.state_of("castle"))).second) << "another study of the same name";
}

TEST_F(StudiesTest, VotesImportedAgainReplaceTheOnesBeforeAndNeverCountTwice) {
  Studies studies = open();
  const Study study = test::small_study();
  must(studies.add(study, "me"));
  must(studies.import_votes("castle", {test::voter(1, study, {0, 1})}, "me"));
  must(studies.import_votes("castle", {test::voter(1, study, {2})}, "me"));
  const Study after = must(studies.load("castle", true));
  ASSERT_THAT(after.participants, SizeIs(1));
  ASSERT_THAT(after.participants[0].answers, SizeIs(1));
  EXPECT_THAT(after.participants[0].answers[0].ranking, ElementsAre(ElementsAre("c02")));
  EXPECT_THAT(after.participants[0].moves, SizeIs(2)) << "what was there is still told";
  must(studies.invite("castle", {"Ann"}, "me"));
  Participant ann = test::voter(1, study, {0});
  ann.label = "Ann";
  EXPECT_EQ(studies.import_votes("castle", {ann}, "me").error().code, "votes-participant");
}

TEST_F(StudiesTest, AFullFileStoresNothingInPart) {
  Studies studies = open();
  must(studies.database().execute("PRAGMA max_page_count = " + must(studies.database().text("PRAGMA page_count"))));
  EXPECT_EQ(studies.add(test::small_study(40), "me").error().code, "disk-full");
  must(studies.database().execute("PRAGMA max_page_count = 1000000"));
  EXPECT_TRUE(must(studies.list()).empty());
  must(studies.add(test::small_study(40), "me"));
}

class MakeStudyTest : public StudiesTest {
 protected:
  MakeStudyTest() {
    for (int i = 0; i < 6; ++i) must(music_.put(rondo::test::sample(i)));
    set_.name = "set";
    set_.recipe.query = "id0";
    using Status = rondo::Candidate::Status;
    set_.candidates = {{"id0", 0, "query", Status::chosen, "", ""},
                       {"id1", 0, "filter", Status::chosen, "", ""},
                       {"id2", 1, "filter", Status::chosen, "", ""},
                       {"id3", 0, "filter", Status::folded, "id1", "part"},
                       {"id4", 0, "filter", Status::folded, "id0", "transposition"},
                       {"id5", 0, "filter", Status::excluded, "", ""}};
    must(save_candidates(music_, set_));
    settings_.name = "made";
  }
  static std::vector<std::string> ids(const Query& query) {
    std::vector<std::string> out;
    for (const Candidate& candidate : query.candidates) out.push_back(candidate.melody.id);
    return out;
  }

  Collection music_ = rondo::test::open_collection(db_);
  CandidateSet set_;
  Settings settings_;
};

TEST_F(MakeStudyTest, TakesTheChosenWithThoseFoldedIntoThem) {
  settings_.plant_query = true;
  const Study study = must(make_study(music_, settings_, {"set"}));
  EXPECT_THAT(ids(study.queries[0]), ElementsAre("id0", "id1", "id2"));
  EXPECT_TRUE(study.queries[0].candidates[0].planted);
  EXPECT_THAT(study.queries[0].candidates[0].folded, ElementsAre(Folded{"id4", "transposition"}));
  EXPECT_THAT(study.queries[0].candidates[1].folded, ElementsAre(Folded{"id3", "part"}));
  EXPECT_EQ(must(piece_of(study.queries[0].candidates[2].melody)).voices.front(), rondo::test::sample(2).voices[1]);
}

TEST_F(MakeStudyTest, WithoutTheQueryOneOfItsTwinsStandsForTheOthers) {
  const Study study = must(make_study(music_, settings_, {"set"}));
  EXPECT_THAT(ids(study.queries[0]), ElementsAre("id4", "id1", "id2"));
  EXPECT_FALSE(study.queries[0].candidates[0].planted);
}

TEST_F(MakeStudyTest, LeavesOutWhatWasDroppedByHand) {
  Studies studies = open();
  must(save_picks(studies, set_, {"id1"}, Pick::drop));
  const Study study = must(make_study(music_, settings_, {"set"}, &studies));
  EXPECT_THAT(ids(study.queries[0]), ElementsAre("id4", "id2")) << "with id3, which was folded into it";
  must(save_picks(studies, set_, {"id2"}, Pick::drop));
  EXPECT_THAT(ids(must(make_study(music_, settings_, {"set"}, &studies)).queries[0]), ElementsAre("id4"));
}

TEST_F(MakeStudyTest, IsNotChangedByChangesOfTheCollection) {
  Studies studies = open();
  must(studies.add(must(make_study(music_, settings_, {"set"})), "me"));
  const Study before = must(studies.load("made"));
  must(music_.remove("id1"));
  Piece other = rondo::test::sample(9);
  other.id = "id2";
  must(music_.put(other));
  EXPECT_EQ(must(studies.load("made")), before);
}

TEST_F(MakeStudyTest, SaysWhatIsMissing) {
  EXPECT_EQ(make_study(music_, settings_, {}).error().code, "study-queries");
  EXPECT_EQ(make_study(music_, settings_, {"none"}).error().code, "candidates-missing");
  EXPECT_EQ(make_study(music_, settings_, {"set", "set"}).error().code, "study-query-twice");
  for (const char* name : {"", "Big", "a b", "../x", "import", "\xC3\xA4"}) {
    settings_.name = name;
    EXPECT_EQ(make_study(music_, settings_, {"set"}).error().code, "study-name") << name;
  }
}

}  // namespace
}  // namespace rondo::study
