#include "study/answering.h"

#include <gmock/gmock.h>

#include "store/sqlite.h"
#include "study/order.h"
#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using test::must;
using testing::ElementsAre;
using testing::SizeIs;

class AnsweringTest : public testing::Test {
 protected:
  AnsweringTest() {
    must(studies_.add(study_, "me"));
    set_state(State::open);
    const auto invitations = must(studies_.invite("castle", {"Ann", "Bob"}, "me"));
    ann_ = must(Access(studies_).join("castle", invitations[0].code));
    bob_ = must(Access(studies_).join("castle", invitations[1].code));
  }
  void set_state(State state) {
    Changes changes;
    changes.state = state;
    must(studies_.change("castle", changes, "me"));
  }
  /// Index in the study of the query that Ann sees as number n.
  std::size_t index_of(std::size_t n) const { return query_order(study_.settings.seed, ann_.number, 2)[n - 1]; }
  std::string code(std::size_t query, std::size_t candidate) const {
    return study_.queries[query].candidates[candidate].code;
  }
  static Answering::Save save(std::int64_t basis, std::string id, Ranking ranking, bool done = false) {
    return {basis, std::move(id), std::move(ranking), done};
  }

  Scratch scratch_;
  Study study_ = test::small_study();
  Studies studies_ = must(Studies::open(scratch_ / "c.db", OpenMode::create));
  Seat ann_;
  Seat bob_;
};

TEST_F(AnsweringTest, WantsConsentBeforeItShowsOrTakesAnything) {
  Answering ann(studies_, ann_);
  EXPECT_EQ(ann.task(1).error().code, "consent-missing");
  EXPECT_EQ(ann.save(1, save(0, "a", {})).error().code, "consent-missing");
  EXPECT_EQ(ann.tell({}).error().code, "consent-missing");
  EXPECT_FALSE(must(ann.overview()).consented);
  must(ann.consent());
  EXPECT_TRUE(must(ann.overview()).consented);
  EXPECT_THAT(must(ann.task(1)).candidates, SizeIs(4));
}

TEST_F(AnsweringTest, ShowsQueriesAndCandidatesInThePersonsOwnOrder) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  for (std::size_t n = 1; n <= 2; ++n) {
    const auto task = must(ann.task(n));
    const Query& query = study_.queries[index_of(n)];
    EXPECT_EQ(task.query.notes, must(piece_of(query.melody)).voices.front().notes);
    EXPECT_TRUE(task.query.name.empty()) << "the name of a voice tells where it is from";
    const auto order = candidate_order(study_.settings.seed, ann_.number, index_of(n), 4);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(task.candidates[i].code, query.candidates[order[i]].code);
  }
  EXPECT_EQ(ann.task(0).error().code, "study-query-missing");
  EXPECT_EQ(ann.task(3).error().code, "study-query-missing");
}

TEST_F(AnsweringTest, KeepsEverySaveAndCountsVersions) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  const std::size_t q = index_of(1);
  const auto first = must(ann.save(1, save(0, "a", {{code(q, 0)}})));
  EXPECT_EQ(first.answer.version, 1);
  const auto second = must(ann.save(1, save(1, "b", {{code(q, 1)}, {code(q, 0)}}, true)));
  EXPECT_EQ(second.answer.version, 2);
  const auto task = must(ann.task(1));
  EXPECT_THAT(task.answer.ranking, ElementsAre(ElementsAre(code(q, 1)), ElementsAre(code(q, 0))));
  EXPECT_TRUE(task.answer.done);
  const auto overview = must(ann.overview());
  EXPECT_EQ(overview.queries[0].ranked, 2U);
  EXPECT_EQ(overview.queries[0].total, 4U);
  EXPECT_TRUE(overview.queries[0].done);
  EXPECT_EQ(overview.queries[1].ranked, 0U);
  const Study after = must(studies_.load("castle", true));
  EXPECT_THAT(after.participants[0].moves, SizeIs(2));
  EXPECT_TRUE(after.participants[1].moves.empty()) << "Bob has done nothing";
}

TEST_F(AnsweringTest, TwoDevicesNeverOverwriteEachOther) {
  Answering phone(studies_, ann_);
  Answering desk(studies_, ann_);
  must(phone.consent());
  const std::size_t q = index_of(1);
  must(phone.save(1, save(0, "phone-1", {{code(q, 0)}})));
  const auto late = must(desk.save(1, save(0, "desk-1", {{code(q, 1)}})));
  EXPECT_TRUE(late.conflict);
  EXPECT_EQ(late.answer.version, 1);
  EXPECT_THAT(late.answer.ranking, ElementsAre(ElementsAre(code(q, 0)))) << "what the phone saved";
  EXPECT_THAT(must(phone.task(1)).answer.ranking, ElementsAre(ElementsAre(code(q, 0))));
  EXPECT_FALSE(must(desk.save(1, save(1, "desk-2", {{code(q, 1)}}))).conflict);
}

TEST_F(AnsweringTest, ASaveWhoseAnswerGotLostIsNotDoneTwice) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  const std::size_t q = index_of(1);
  const auto first = must(ann.save(1, save(0, "a", {{code(q, 0)}})));
  must(ann.save(1, save(1, "b", {{code(q, 1)}})));
  const auto again = must(ann.save(1, save(0, "a", {{code(q, 0)}})));
  EXPECT_FALSE(again.conflict);
  EXPECT_EQ(again.answer.version, 1);
  EXPECT_EQ(again.answer.saved, first.answer.saved);
  EXPECT_EQ(must(ann.task(1)).answer.version, 2) << "nothing went back";
  set_state(State::closed);
  EXPECT_EQ(must(ann.save(1, save(1, "b", {{code(q, 1)}}))).answer.version, 2) << "also after the end";
}

TEST_F(AnsweringTest, TakesNothingThatIsNoRankingOfThatQuery) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  const std::size_t q = index_of(1);
  EXPECT_EQ(ann.save(1, save(0, "a", {{"nobody"}})).error().code, "ranking-unknown");
  EXPECT_EQ(ann.save(1, save(0, "a", {{code(1 - q, 0)}})).error().code, "ranking-unknown") << "of the other query";
  EXPECT_EQ(ann.save(1, save(0, "a", {{code(q, 0)}, {code(q, 0)}})).error().code, "ranking-twice");
  EXPECT_EQ(ann.save(1, save(0, "a", {{}})).error().code, "ranking-tier");
  EXPECT_EQ(ann.save(1, save(0, "a", {{code(q, 0), code(q, 1)}})).error().code, "ranking-ties");
  EXPECT_EQ(ann.save(1, save(0, "", {})).error().code, "save-malformed");
  EXPECT_EQ(ann.save(1, save(0, std::string(101, 'x'), {})).error().code, "save-malformed");
  EXPECT_EQ(must(ann.task(1)).answer.version, 0);
}

TEST_F(AnsweringTest, AClosedStudyTakesNoMoreAnswers) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  set_state(State::closed);
  EXPECT_EQ(ann.save(1, save(0, "a", {})).error().code, "study-closed");
  EXPECT_EQ(ann.tell({}).error().code, "study-closed");
  EXPECT_EQ(must(ann.overview()).settings.state, State::closed);
}

TEST_F(AnsweringTest, RemembersWhatAPersonTells) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  const Background told{30, {"organ", "voice"}, "perfect pitch"};
  must(ann.tell(told));
  EXPECT_EQ(must(ann.overview()).background, told);
  EXPECT_EQ(must(Answering(studies_, bob_).overview()).background, std::nullopt);
  EXPECT_EQ(ann.tell({-1, {}, ""}).error().code, "background-years");
  EXPECT_EQ(ann.tell({5, std::vector<std::string>(31, "x"), ""}).error().code, "study-text");
}

TEST_F(AnsweringTest, AFullDiskIsToldAndLosesNothing) {
  Answering ann(studies_, ann_);
  must(ann.consent());
  const std::size_t q = index_of(1);
  must(ann.save(1, save(0, "first", {{code(q, 0)}})));
  must(studies_.database().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  must(studies_.database().execute("PRAGMA max_page_count = " + must(studies_.database().text("PRAGMA page_count"))));
  std::int64_t version = 1;
  Result<Answering::Outcome> outcome;
  while (version < 5000) {
    outcome = ann.save(1, save(version, "s" + std::to_string(version), {{code(q, 1)}, {code(q, 0)}}));
    if (!outcome) break;
    ++version;
  }
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, "disk-full");
  EXPECT_EQ(must(ann.task(1)).answer.version, version) << "all that was acknowledged, and no more";
  must(studies_.database().execute("PRAGMA max_page_count = 1000000"));
  EXPECT_EQ(must(ann.save(1, save(version, "again", {}))).answer.version, version + 1);
}

}  // namespace
}  // namespace rondo::study
