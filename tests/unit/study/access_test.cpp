#include "study/access.h"

#include <gmock/gmock.h>

#include "study/secrets.h"
#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using rondo::test::sql;
using test::must;

class AccessTest : public testing::Test {
 protected:
  AccessTest() { must(studies_.add(test::small_study(), "me")); }
  void open_study() {
    Changes changes;
    changes.state = State::open;
    must(studies_.change("castle", changes, "me"));
  }

  Scratch scratch_;
  Studies studies_ = must(Studies::open(scratch_ / "c.db", OpenMode::create));
  Access access_{studies_};
};

TEST_F(AccessTest, TheTokenIsKeptAsAMemoryHardHashAndReplacedByANewOne) {
  EXPECT_EQ(must(access_.token_hash()), "");
  const std::string first = must(access_.make_token("me"));
  EXPECT_GE(first.size() * 5, 256U) << "bits";
  const std::string hash = must(access_.token_hash());
  EXPECT_TRUE(hash.starts_with("$argon2id$")) << hash;
  EXPECT_TRUE(is_password(hash, first));
  EXPECT_FALSE(is_password(hash, first + "x"));
  const auto session = must(access_.begin_researcher());
  ASSERT_TRUE(must(access_.find(session.token)).has_value());
  const std::string second = must(access_.make_token("me"));
  EXPECT_FALSE(is_password(must(access_.token_hash()), first));
  EXPECT_TRUE(is_password(must(access_.token_hash()), second));
  EXPECT_FALSE(must(access_.find(session.token)).has_value()) << "who came in by the old one is out";
}

TEST_F(AccessTest, ACodeOpensItsOwnStudyOnceThatIsOpen) {
  Study other = test::small_study();
  other.settings.name = "other";
  must(studies_.add(other, "me"));
  const std::string code = must(studies_.invite("castle", {"Ann"}, "me"))[0].code;
  EXPECT_EQ(access_.join("castle", code).error().code, "study-not-open");
  open_study();
  EXPECT_EQ(must(access_.join("castle", code)).number, 1);
  std::string typed;
  for (const char c : code) typed += c == '-' ? ' ' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(must(access_.join("castle", typed)).number, 1) << "as people type";
  EXPECT_EQ(access_.join("other", code).error().code, "code-unknown");
  EXPECT_EQ(access_.join("none", code).error().code, "code-unknown");
  EXPECT_EQ(access_.join("castle", "").error().code, "code-unknown");
  EXPECT_EQ(access_.join("castle", code.substr(1)).error().code, "code-unknown");
}

TEST_F(AccessTest, AnOpenLinkMakesParticipantsWhoCanComeBackByACode) {
  open_study();
  EXPECT_EQ(access_.join_by_link("castle", "").error().code, "code-unknown");
  const std::string link = must(studies_.set_open_link("castle", true, "me"));
  const auto first = must(access_.join_by_link("castle", "open-" + link));
  const auto second = must(access_.join_by_link("castle", link));
  EXPECT_NE(first.seat.number, second.seat.number);
  EXPECT_EQ(must(access_.join("castle", first.code)).number, first.seat.number);
  const std::string newer = must(studies_.set_open_link("castle", true, "me"));
  EXPECT_EQ(access_.join_by_link("castle", link).error().code, "code-unknown") << "an old one";
  Changes changes;
  changes.state = State::closed;
  must(studies_.change("castle", changes, "me"));
  EXPECT_EQ(access_.join_by_link("castle", newer).error().code, "study-closed");
  must(studies_.set_open_link("castle", false, "me"));
  EXPECT_EQ(access_.join_by_link("castle", newer).error().code, "code-unknown");
}

TEST_F(AccessTest, SessionsKnowTheirOwnerUntilTheyEnd) {
  open_study();
  const std::string code = must(studies_.invite("castle", {"Ann"}, "me"))[0].code;
  const Seat seat = must(access_.join("castle", code));
  const auto secret = must(access_.begin_participant(seat));
  EXPECT_NE(secret.token, secret.csrf);
  const auto visitor = must(access_.find(secret.token));
  ASSERT_TRUE(visitor.has_value());
  ASSERT_TRUE(visitor->seat.has_value());
  EXPECT_EQ(visitor->seat->participant, seat.participant);
  EXPECT_EQ(visitor->seat->name, "castle");
  EXPECT_EQ(visitor->csrf, secret.csrf);
  EXPECT_FALSE(must(access_.find("")).has_value());
  EXPECT_FALSE(must(access_.find(secret.token + "x")).has_value());
  EXPECT_EQ(sql(studies_.path(), "SELECT count(*) FROM session WHERE instr(hash, '" + secret.token + "')"), "0");
  must(access_.end(secret.token));
  EXPECT_FALSE(must(access_.find(secret.token)).has_value());
}

TEST_F(AccessTest, AnExpiredSessionIsNobodys) {
  must(access_.make_token("me"));
  const auto secret = must(access_.begin_researcher());
  sql(studies_.path(), "UPDATE session SET expires = 1");
  EXPECT_FALSE(must(access_.find(secret.token)).has_value());
  must(access_.begin_researcher());
  EXPECT_EQ(sql(studies_.path(), "SELECT count(*) FROM session"), "1") << "the old one is gone";
}

TEST(Secrets, LettersAreUnlikeEachOtherAndNeverTheSame) {
  const std::string letters = random_letters(10'000);
  EXPECT_EQ(letters.find_first_of("01loO"), std::string::npos);
  EXPECT_NE(random_letters(80), random_letters(80));
  EXPECT_NE(fingerprint("a", std::string(32, 'k')), fingerprint("a", std::string(32, 'l')));
  EXPECT_EQ(fingerprint("a").size(), 32U);
  EXPECT_FALSE(same_secret("", "a"));
  EXPECT_TRUE(same_secret("ab", "ab"));
  EXPECT_FALSE(is_password("no hash", "x"));
  EXPECT_FALSE(is_password(std::string(1000, '$'), "x"));
}

}  // namespace
}  // namespace rondo::study
