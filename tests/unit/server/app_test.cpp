// The application without sockets: bytes are parsed as from one, and handed to it.

#include "server/app.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "gpu/open_card.h"
#include "search/shared_cache.h"
#include "server/server.h"
#include "server/session.h"
#include "unit/store/store_support.h"

namespace rondo::server {
namespace {

using test::must;
using testing::HasSubstr;

class AppTest : public testing::Test {
 protected:
  AppTest() {
    {
      Collection collection = test::open_collection(scratch_ / "c.db");
      for (int i = 0; i < 40; ++i) must(collection.put(test::sample(i)));
      Piece silent;
      silent.id = "silent";
      must(collection.put(silent));
    }
    AppOptions options;
    options.collection = scratch_ / "c.db";
    app_ = must(App::open(options));
    session_ = must(app_->session());
  }

  Response ask(std::string_view bytes) {
    auto request = parse_request(bytes, *app_);
    return request ? app_->handle(*request, *session_) : app_->refusal(request.error());
  }
  Response get(std::string_view target, std::string_view headers = "") {
    return ask(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", target, headers));
  }
  static nlohmann::json json(const Response& response) { return nlohmann::json::parse(response.body); }

  Scratch scratch_;
  std::unique_ptr<App> app_;
  std::shared_ptr<Session> session_;
};

TEST_F(AppTest, SearchesByIdAndLeavesThatOneOut) {
  const Response response = get("/api/v1/search?id=id3&k=5");
  ASSERT_EQ(response.status, 200U) << response.body;
  const auto answer = json(response);
  EXPECT_EQ(answer["hits"].size(), 5U);
  EXPECT_EQ(answer["compared"], 39);
  for (const auto& hit : answer["hits"]) EXPECT_NE(hit["id"], "id3");
}

TEST_F(AppTest, AnswersTheSameWhereAGraphicsCardSearches) {
  AppOptions options;
  options.collection = scratch_ / "c.db";
  options.device = Device::automatic;
  const gpu::StandInCard card(gpu::emulated_card());
  const auto on_card = must(App::open(options));
  const auto session = must(on_card->session());
  for (const char* target : {"/api/v1/search?id=id3&k=5", "/api/v1/search?q=%274CDECCDEC&where=notes%3E3",
                             "/api/v1/search?id=id7&fold_duplicates=1", "/api/v1/search?id=id7&system=P2",
                             // More resemble the query than are asked for; pages after the first.
                             "/api/v1/search?id=id3&k=1", "/api/v1/search?id=id3&k=2&offset=1",
                             "/api/v1/search?id=id3&k=3&sort=title", "/api/v1/search?id=id3&k=2&composer=Telemann"}) {
    const auto request =
        must(parse_request(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", target), *on_card));
    auto found = json(on_card->handle(request, *session));
    auto expected = json(get(target));
    found.erase("milliseconds");
    expected.erase("milliseconds");
    EXPECT_EQ(found, expected) << target;
  }
}

TEST_F(AppTest, CountsFacetsOfWhatResemblesTheQuery) {
  const auto answer = json(get("/api/v1/search?id=id3&k=40"));
  const auto& relevant = answer["relevant"];
  std::size_t resemble = 0;
  for (const auto& hit : answer["hits"]) resemble += hit["score"].get<double>() >= relevant["cut"] ? 1 : 0;
  EXPECT_EQ(relevant["count"], resemble);
  EXPECT_LT(resemble, 39U);
  std::size_t counted = 0;
  for (const auto& value : answer["facets"]["composer"]) counted += value["count"].get<std::size_t>();
  EXPECT_EQ(counted, resemble);
}

TEST_F(AppTest, ComparesWholePiecesAlsoAfterOneWasRemoved) {
  // Nothing is warmed, so the pieces are read by the search.
  struct Never final : Background {
    void run(Work /*work*/, Clock::time_point /*earliest*/) override {}
  };
  AppOptions options;
  options.collection = scratch_ / "c.db";
  options.background = [](BackgroundTask task) -> std::unique_ptr<Background> {
    if (task == BackgroundTask::prepare) return background_thread(task);
    return std::make_unique<Never>();
  };
  app_ = must(App::open(options));
  session_ = must(app_->session());
  must(test::open_collection(scratch_ / "c.db", OpenMode::write).remove("id7"));
  const Response response = get("/api/v1/search?id=id3&system=P3&k=40");
  ASSERT_EQ(response.status, 200U) << response.body;
  EXPECT_EQ(response.body.find("\"id7\""), std::string::npos);
}

TEST_F(AppTest, VotesGoToTheFileThatHasTheName) {
  const std::filesystem::path file = study::Studies::path_for(scratch_ / "c.db");
  (void)must(study::Studies::open(scratch_ / "c.db", OpenMode::create));
  std::filesystem::copy_file(file, scratch_ / "copy");
  EXPECT_EQ(must(session_->studies())->path(), file);
  must(must(session_->studies())->note("somebody", "", "before"));
  std::filesystem::remove(file.string() + "-wal");
  std::filesystem::rename(scratch_ / "copy", file);
  must(must(session_->studies())->note("somebody", "", "after"));
  const auto lines = must(must(study::Studies::open(scratch_ / "c.db", OpenMode::read)).audit());
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().what, "after");
}

TEST_F(AppTest, PagesAndTheirFilesWaitRatherThanBeRefused) {
  const auto patient = [&](const char* target) {
    return app_->plan(must(parse_request(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", target), *app_)))
        .patient;
  };
  EXPECT_TRUE(patient("/"));
  EXPECT_TRUE(patient("/assets/app.css"));
  EXPECT_FALSE(patient("/api/v1/collection"));
}

TEST_F(AppTest, TellsForEveryPlainModeWhatResemblesTheQuery) {
  for (const char* system : {"2010-domain", "rhythm", "contour", "P1"}) {
    const auto answer = json(get(fmt::format("/api/v1/search?id=id3&k=40&system={}", system)));
    ASSERT_TRUE(answer["relevant"].is_object()) << system;
    std::size_t resemble = 0;
    for (const auto& hit : answer["hits"]) resemble += hit["score"].get<double>() >= answer["relevant"]["cut"] ? 1 : 0;
    EXPECT_EQ(answer["relevant"]["count"], resemble) << system;
    EXPECT_LE(resemble, answer["total"].get<std::size_t>()) << system;
    if (resemble == 0) continue;
    std::size_t counted = 0;
    for (const auto& value : answer["facets"]["composer"]) counted += value["count"].get<std::size_t>();
    EXPECT_EQ(counted, resemble) << system;
  }
}

TEST_F(AppTest, CountsNothingWhereNothingWasFound) {
  const auto answer = json(get("/api/v1/search?q=C0%20C9%20?%20C0%20C9"));
  ASSERT_TRUE(answer.contains("facets")) << answer.dump();
  EXPECT_EQ(answer["total"], 0);
  for (const auto& values : answer["facets"]) EXPECT_TRUE(values.empty()) << answer["facets"].dump();
}

TEST_F(AppTest, CountsFacetsOfAllPiecesWhereNoMelodyIsLookedFor) {
  const auto answer = json(get("/api/v1/search?where=notes%3E0&k=1"));
  // sample(): even numbers are Telemann's, odd ones Händel's.
  EXPECT_EQ(answer["facets"]["composer"],
            nlohmann::json::parse(R"([{"value": "Händel", "count": 20}, {"value": "Telemann", "count": 20}])"));
  EXPECT_EQ(answer["facets"]["library"], nlohmann::json::parse(R"([{"value": "D-Dl", "count": 40}])"));
  EXPECT_EQ(json(get("/api/v1/search?id=id3&k=50&composer=Telemann"))["hits"].size(), 20U);
  const auto chosen = json(get("/api/v1/search?where=notes%3E0&k=50&composer=Telemann"));
  EXPECT_EQ(chosen["hits"].size(), 20U);
  EXPECT_EQ(chosen["facets"]["composer"].size(), 2U) << "what choosing the other would bring is still told";
  EXPECT_EQ(chosen["facets"]["library"][0]["count"], 20);
  EXPECT_EQ(json(get("/api/v1/search?id=id3&composer=Nobody"))["hits"].size(), 0U);
}

TEST_F(AppTest, SystemsThatCompareWholePiecesAreNarrowedLikewise) {
  for (const char* system : {"P3", "rrf:shapeh%2Btime"}) {
    const auto answer = json(get(fmt::format("/api/v1/search?id=id3&k=50&composer=Telemann&system={}", system)));
    ASSERT_TRUE(answer.contains("hits")) << answer.dump();
    for (const auto& hit : answer["hits"]) EXPECT_EQ(hit["composer"], "Telemann");
  }
}

TEST_F(AppTest, ThePieceWithoutNotationIsShownButNotAskedAbout) {
  EXPECT_EQ(json(get("/api/v1/melodies/silent"))["voices"].size(), 0U);
  EXPECT_EQ(json(get("/api/v1/search?id=silent"))["code"], "query-empty");
  EXPECT_EQ(json(get("/api/v1/compare?id=id1&with=silent"))["code"], "query-empty");
}

TEST_F(AppTest, RequestsAreReadByTheRulesOfTheTransport) {
  EXPECT_EQ(ask("GET / HTTP/1.1\r\n\r\n").status, 400U) << "no Host";
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: a\r\n").status, 400U) << "not complete";
  EXPECT_EQ(ask("").status, 400U);
  EXPECT_EQ(ask("POST /api/v1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n").status, 413U);
  EXPECT_EQ(ask("POST /api/v1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nCDEFG").status, 200U);
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n").status, 431U);
}

TEST_F(AppTest, WithoutTheWebAppThePageSaysHowToBuildIt) {
  const Response response = get("/", "Accept: text/html\r\n");
  EXPECT_EQ(response.status, 200U);
  EXPECT_THAT(std::string(header(response.headers, "Content-Type")), HasSubstr("text/html"));
}

TEST_F(AppTest, AnswersAreTheSameFromManyThreads) {
  const auto without_time = [](const Response& response) {
    auto answer = json(response);
    answer.erase("milliseconds");
    return answer.dump();
  };
  const Request request =
      must(parse_request("GET /api/v1/search?id=id7&anchored=1 HTTP/1.1\r\nHost: a\r\n\r\n", *app_));
  std::vector<std::string> answers(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& answer : answers) {
      threads.emplace_back([&] {
        auto session = must(app_->session());
        for (int i = 0; i < 5; ++i) answer = without_time(app_->handle(request, *session));
      });
    }
  }
  for (const std::string& answer : answers) EXPECT_EQ(answer, answers[0]);
  EXPECT_THAT(answers[0], HasSubstr("hits"));
}

TEST(SharedCaches, MakeValuesOnceAndDropTheLeastRecentlyUsed) {
  SharedCache<int, int> cache(2);
  int made = 0;
  const auto get = [&](int key) {
    return **cache.get(key, std::chrono::steady_clock::now(), [&]() -> Result<std::shared_ptr<const int>> {
      ++made;
      return std::make_shared<const int>(key * 10);
    });
  };
  EXPECT_EQ(get(1), 10);
  EXPECT_EQ(get(1), 10);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(get(2), 20);
  EXPECT_EQ(get(1), 10);
  EXPECT_EQ(get(3), 30);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(get(1), 10) << "was used after 2";
  EXPECT_EQ(made, 3);
  EXPECT_EQ(get(2), 20);
  EXPECT_EQ(made, 4);
}

TEST(SharedCaches, DoNotKeepErrorsAndDoNotWaitForEver) {
  SharedCache<int, int> cache(2);
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(20); };
  const auto broken = [&]() -> Result<std::shared_ptr<const int>> { return fail("x", "broken"); };
  EXPECT_EQ(cache.get(1, soon(), broken).error().code, "x");
  const auto nested = [&]() -> Result<std::shared_ptr<const int>> {
    std::jthread([&] {
      EXPECT_EQ(cache.get(1, soon(), broken).error().code, "search-preparing") << "another one is at it";
    }).join();
    return std::make_shared<const int>(1);
  };
  EXPECT_EQ(**cache.get(1, soon(), nested), 1);
}

}  // namespace
}  // namespace rondo::server
