#include "study/json.h"

#include <gmock/gmock.h>

#include "unit/study/study_support.h"

namespace rondo::study {
namespace {

using test::must;

class StudyJsonTest : public testing::Test {
 protected:
  StudyJsonTest() {
    Study study = test::small_study();
    study.participants = {test::voter(1, study, {0, 1})};
    study.participants[0].moves = {{0, "a", 1, study.participants[0].answers[0].ranking, true, "t"}};
    json_ = Json::parse(to_json(study));
  }
  std::string code() const {
    auto study = study_from_json(json_.dump());
    return study ? "" : study.error().code;
  }
  std::string place() const { return study_from_json(json_.dump()).error().place.field; }

  Json json_;
};

TEST_F(StudyJsonTest, IsRefusedWhateverIsWrongWithIt) {
  EXPECT_EQ(code(), "");
  const Json good = json_;
  const auto wrong = [&](const char* pointer, const Json& value, const char* expected = "study-json") {
    json_ = good;
    json_[Json::json_pointer(pointer)] = value;
    EXPECT_EQ(code(), expected) << pointer << " " << value;
  };
  wrong("/rondo-study", 2);
  wrong("/name", "No Name", "study-name");
  wrong("/name", 5);
  wrong("/seed", -1);
  wrong("/seed", 1.5);
  wrong("/seed", std::uint64_t{1} << 60U);
  wrong("/state", "begun");
  wrong("/ties", 1);
  wrong("/queries", Json::array());
  wrong("/queries", "x");
  wrong("/queries/0", 3);
  wrong("/queries/0/candidates", Json::array());
  wrong("/queries/0/melody", Json::object());
  wrong("/queries/0/melody/notes", Json::array());
  wrong("/queries/1/melody/id", "id0");
  wrong("/queries/0/candidates/1/code", "c00");
  wrong("/queries/0/candidates/0/melody", nullptr);
  wrong("/participants/0/number", 0);
  wrong("/participants/0/background", Json::array());
  wrong("/participants/0/background", {{"years", 1e9}});
  wrong("/participants/0/answers/0/query", 9);
  wrong("/participants/0/answers/0/ranking", {{"nobody"}});
  wrong("/participants/0/answers/0/ranking", {{"c00", "c01"}});
  wrong("/participants/0/answers/1", good["participants"][0]["answers"][0]);
  wrong("/participants/0/moves/1", good["participants"][0]["moves"][0]);
  wrong("/participants/1", good["participants"][0]);
  EXPECT_EQ(study_from_json("").error().code, "study-json");
  EXPECT_EQ(study_from_json("[]").error().code, "study-json");
  EXPECT_EQ(study_from_json("{\"rondo-study\": 1").error().code, "study-json");
}

TEST_F(StudyJsonTest, SaysWhereItIsWrong) {
  json_["queries"][1]["candidates"][2]["code"] = 5;
  EXPECT_EQ(place(), "queries[2].candidates[3]");
}

TEST_F(StudyJsonTest, HoldsNothingToComeInBy) {
  const std::string text = json_.dump();
  for (const char* word : {"hash", "token", "csrf", "open_link"}) EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST(RankingJson, IsAListOfListsOfCodes) {
  EXPECT_EQ(must(ranking_from(Json::parse(R"([["a"],["b","c"]])"))), (Ranking{{"a"}, {"b", "c"}}));
  for (const char* text : {"{}", "null", "[1]", "[[1]]", "\"a\"", "[[[\"a\"]]]"}) {
    EXPECT_EQ(ranking_from(Json::parse(text)).error().code, "ranking-malformed") << text;
  }
  EXPECT_EQ(ranking_from(Json(std::vector<std::vector<std::string>>(501, {"a"}))).error().code, "ranking-malformed");
}

}  // namespace
}  // namespace rondo::study
