#include "rondo/search/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <thread>

#include "generate/generate.h"
#include "search/load.h"
#include "search/search.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"
#include "support/stop_after.h"

namespace rondo {
namespace {

/// Pieces of all kinds: lines, chords, several voices, grace notes, repeated notes, one voice of nothing.
Collection mixed_collection(const std::filesystem::path& path, std::uint64_t pieces = 60) {
  auto collection = Collection::open(path, OpenMode::create).value();
  const Generator generator(8);
  std::mt19937 random(8);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    Piece piece = generator.piece(i);
    Voice& voice = piece.voices.front();
    if (i % 5 == 1 && voice.notes.size() > 2) {  // a chord
      Note added = voice.notes[1];
      added.pitch = Pitch::from_midi(added.pitch.midi() - 4);
      voice.notes.insert(voice.notes.begin() + 2, added);
    }
    if (i % 5 == 2) piece.voices.push_back(generator.piece(1000 + i).voices.front());
    if (i % 5 == 3) {
      VoiceBuilder builder;
      builder.grace(Fraction(0), Fraction(1, 8), Pitch::from_midi(70));
      Fraction at;
      for (int n = 0; n < 2 + static_cast<int>(i % 9); ++n) {
        const Fraction duration(1 + static_cast<std::int64_t>(random() % 3), 8);
        builder.note(at, duration, Pitch::from_midi(60 + 2 * static_cast<int>(random() % 4)));
        at += duration;
      }
      voice = builder.finish().value();
    }
    if (i % 20 == 4) voice = Voice{};
    EXPECT_TRUE(normalise(piece.voices.front()));
    EXPECT_TRUE(collection.put(piece));
  }
  return collection;
}

std::vector<std::string> ids_of(Collection& collection) {
  std::vector<std::string> out;
  EXPECT_TRUE(collection.each_piece([&](const StoredPiece& stored) {
    out.push_back(stored.piece.id);
    return true;
  }));
  return out;
}

SearchRequest like_of(Collection& collection, std::size_t number, std::string system) {
  SearchRequest request;
  request.like = ids_of(collection).at(number);
  request.system = std::move(system);
  return request;
}

/// What scoring every piece finds: the reference.
class Reference {
 public:
  Reference(Collection& collection, const std::string& system, const LineOptions& heard)
      : collection_(collection),
        whole_(load_corpus(collection, heard).value()),
        chosen_(resolve_system(system).value()) {
    whole_.teach(*chosen_.system);
  }
  [[nodiscard]] SearchResult search(const SearchRequest& request, const HeardQuery& query) const {
    SearchOptions options;
    options.k = request.k;
    options.except = query.self;
    if (query.heard.opening == 0) return rondo::search(whole_, *chosen_.row, *chosen_.system, query.line, options);
    const Corpus corpus = load_corpus(collection_, query.heard).value();
    return rondo::search(corpus, *chosen_.row, *chosen_.system, query.line, options);
  }

 private:
  Collection& collection_;
  Corpus whole_;
  ChosenSystem chosen_;
};

std::vector<std::tuple<std::int64_t, std::uint32_t, double>> listed(const SearchResult& result) {
  std::vector<std::tuple<std::int64_t, std::uint32_t, double>> out;
  for (const Found& hit : result.hits) {
    out.emplace_back(static_cast<std::int64_t>(hit.piece), hit.voice, hit.score.value);
  }
  return out;
}

std::vector<std::string> every_system() {
  std::vector<std::string> out;
  for (const SystemRow* row : systems()) out.emplace_back(row->name);
  for (const char* name : {"rrf:shapeh+P3+Orio", "combsum:shapetime+ngr5", "combmnz:P2+contour+GAM",
                           "rrf:(combsum:shapeh+P1)+time", "combsum:shapeg"}) {
    out.emplace_back(name);
  }
  return out;
}

class EveryRequest : public testing::TestWithParam<std::string> {};

TEST_P(EveryRequest, FindsWhatScoringEveryPieceFindsWhateverTheOptions) {
  const Scratch folder;
  Collection collection = mixed_collection(folder / "c.db");
  const auto snapshot = CollectionSnapshot::open(collection).value();
  const std::vector<std::string> ids = ids_of(collection);
  int round = 0;
  for (int options = 0; options < 16; ++options) {
    SearchRequest request;
    request.system = GetParam();
    request.anchored = (options & 1) != 0;
    request.heard.ignore_repeated = (options & 2) != 0;
    request.heard.fold_octaves = (options & 4) != 0;
    request.heard.graces = (options & 8) != 0;
    // Two options at once are enough to see that they do not get into each other's way.
    if (std::popcount(static_cast<unsigned>(options)) > 2) continue;
    // The sanitizer build is there for the steps: all, and beginnings and each other way to hear once.
    if (test::kSanitized && options != 0 && options != 6 && options != 9) continue;
    const Reference reference(collection, request.system, request.heard);
    for (const std::size_t like : {0U, 2U, 18U, 31U}) {
      if (test::kSanitized && like != 0 && like != 18) continue;
      request.like = ids.at(like);
      request.k = ++round % 3 == 0 ? 100 : 4;
      const auto answer = snapshot->search(collection, request);
      if (!answer && (answer.error().code == "query-short" || answer.error().code == "query-empty")) continue;
      ASSERT_TRUE(answer) << answer.error().to_string();
      const SearchResult expected = reference.search(request, answer->query);
      EXPECT_EQ(listed(answer->result), listed(expected)) << GetParam() << " options " << options << " like " << like;
      EXPECT_EQ(answer->result.compared, expected.compared) << GetParam() << " options " << options << " like " << like;
      EXPECT_EQ(answer->result.not_reached, 0U);
      EXPECT_TRUE(answer->result.complete);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Service, EveryRequest, testing::ValuesIn(every_system()), [](const auto& tested) {
  std::string name(tested.param);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

class ServiceTest : public testing::Test {
 protected:
  Scratch folder_;
  Collection collection_ = mixed_collection(folder_ / "c.db");
  std::shared_ptr<CollectionSnapshot> snapshot_ = CollectionSnapshot::open(collection_).value();
  [[nodiscard]] SearchRequest like(std::size_t number, std::string system = "shapeh") {
    return like_of(collection_, number, std::move(system));
  }
};

TEST_F(ServiceTest, CountsEveryPieceOnce) {
  SearchRequest request = like(0);
  const auto all = snapshot_->search(collection_, request).value().result;
  EXPECT_GT(all.too_short, 0U);
  EXPECT_EQ(all.compared + all.too_short + all.filtered_out + all.not_reached + 1, 60U);
  request.least_notes = 12;
  const auto some = snapshot_->search(collection_, request).value().result;
  EXPECT_GT(some.filtered_out, 0U);
  EXPECT_EQ(some.compared + some.too_short + some.filtered_out + 1, 60U);
}

TEST_F(ServiceTest, SaysWhatWasNotReachedWhenTimeIsUp) {
  for (const char* system : {"shapeh", "P3", "EMD", "contour", "ngr5", "Orio", "rrf:shapeh+time"}) {
    SearchRequest request = like(0, system);
    ASSERT_TRUE(snapshot_->prepare(collection_, request));
    std::stop_source stopped;
    stopped.request_stop();
    request.stop = stopped.get_token();
    const auto result = snapshot_->search(collection_, request).value().result;
    EXPECT_FALSE(result.complete) << system;
    EXPECT_EQ(result.compared, 0U) << system;
    EXPECT_GT(result.not_reached, 0U) << system;
    EXPECT_EQ(result.compared + result.not_reached + result.too_short + 1, 60U) << system;
  }
}

TEST_F(ServiceTest, CountsWhatItComparedWheneverItIsStopped) {
  for (const std::string& system : every_system()) {
    SearchRequest request = like(0, system);
    ASSERT_TRUE(snapshot_->prepare(collection_, request));
    const auto whole = snapshot_->search(collection_, request).value().result;
    std::size_t before = 0;
    // At every moment; where every step is checked, at moments that are farther and farther apart.
    for (int asks = 0;; asks += test::kSanitized ? 1 + asks : 1) {
      const test::StopAfter scope(asks);
      const auto result = snapshot_->search(collection_, request).value().result;
      const std::string where = system + ", stopped at ask " + std::to_string(asks);
      EXPECT_EQ(result.compared + result.not_reached + result.too_short + 1, 60U) << where;
      EXPECT_GE(result.compared, result.hits.size()) << where;
      EXPECT_GE(result.compared, before) << where;
      before = result.compared;
      if (!result.complete) continue;
      EXPECT_EQ(listed(result), listed(whole)) << where;
      EXPECT_EQ(result.compared, whole.compared) << where;
      EXPECT_GT(asks, 0) << where;
      break;
    }
  }
}

TEST_F(ServiceTest, AFilterThatTakesTooLongLeavesAllNotReached) {
  SearchRequest request = like(0);
  request.trusted = true;
  // As many steps as there are melodies, to the power of five.
  request.where = "(SELECT count(*) FROM feature a, feature b, feature c, feature d, feature e) > 1";
  request.time_limit = std::chrono::milliseconds(30);
  const auto answer = snapshot_->search(collection_, request);
  ASSERT_TRUE(answer) << answer.error().to_string();
  const SearchResult& result = answer->result;
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.hits.empty());
  EXPECT_EQ(result.compared, 0U);
  EXPECT_GT(result.not_reached, 0U);
  EXPECT_EQ(result.not_reached + result.too_short + result.filtered_out + 1, 60U);
  EXPECT_EQ(answer->selected, PieceChoice(std::vector<PieceKey>())) << "none is known to pass";
  // The words were found in time; what they leave out is known.
  request.text = "nowhere-to-be-found";
  EXPECT_EQ(snapshot_->search(collection_, request).value().result.filtered_out, 59U);
  // What is wrong with a condition is still an error.
  request.where = "no_such_column > 1";
  EXPECT_EQ(snapshot_->search(collection_, request).error().code, "sql-error");
}

TEST_F(ServiceTest, PagesAreStretchesOfOneList) {
  SearchRequest request = like(0);
  request.k = 12;
  const auto all = listed(snapshot_->search(collection_, request).value().result);
  request.k = 5;
  request.offset = 7;
  const auto page = listed(snapshot_->search(collection_, request).value().result);
  EXPECT_EQ(page, std::vector(all.begin() + 7, all.end()));
}

TEST_F(ServiceTest, FoldedMelodiesAreListedWithTheBest) {
  Piece copy = collection_.get(ids_of(collection_).front()).value();
  for (const char* id : {"copy-1", "copy-2"}) {
    copy.id = id;
    for (Note& note : copy.voices.front().notes) note.pitch = Pitch::from_midi(note.pitch.midi() + 2);
    ASSERT_TRUE(collection_.put(copy));
  }
  const auto snapshot = CollectionSnapshot::open(collection_).value();
  SearchRequest request = like(5);
  request.k = 100;
  const auto plain = snapshot->search(collection_, request).value();
  request.fold_duplicates = true;
  const auto folded = snapshot->search(collection_, request).value();
  std::size_t same = 0;
  for (const Found& hit : folded.result.hits) same += hit.same.size();
  EXPECT_GE(same, 2U);
  EXPECT_EQ(folded.result.hits.size() + same, plain.result.hits.size());
  EXPECT_EQ(folded.total, folded.result.hits.size());
  request.k = 3;
  const auto few = snapshot->search(collection_, request).value();
  ASSERT_EQ(few.result.hits.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(few.result.hits[i].piece, folded.result.hits[i].piece);
}

TEST_F(ServiceTest, IndexesOfOtherWaysToHearLieBesideTheCollectionAndFollowIt) {
  SearchRequest request = like(0);
  request.heard.ignore_repeated = true;
  ASSERT_TRUE(snapshot_->search(collection_, request));
  const auto file = Index::path_for(folder_ / "c.db", request.heard);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_NE(file, Index::path_for(folder_ / "c.db"));
  // It is of no use as another one's.
  std::filesystem::copy_file(file, Index::path_for(folder_ / "c.db"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(Index::open(Index::path_for(folder_ / "c.db")).value().fits(collection_).value());
  Piece added = collection_.get(ids_of(collection_).front()).value();
  added.id = "added";
  ASSERT_TRUE(collection_.put(added));
  const auto later = CollectionSnapshot::open(collection_).value();
  const auto answer = later->search(collection_, request).value();
  ASSERT_FALSE(answer.result.hits.empty());
  EXPECT_EQ(answer.result.hits.front().piece, collection_.key_of("added").value());
}

TEST_F(ServiceTest, WhatIsMissingIsMadeInTheBackgroundAndSaidSo) {
  SearchRequest request = like(0, "Orio");
  request.time_limit = std::chrono::milliseconds(0);
  const auto early = snapshot_->search(collection_, request);
  // Unless the other thread was so quick that it is there already.
  if (!early) {
    EXPECT_EQ(early.error().code, "search-preparing");
  }
  request.time_limit = std::chrono::minutes(1);
  request.wait = false;
  if (const auto hasty = snapshot_->search(collection_, request); !hasty) {
    EXPECT_EQ(hasty.error().code, "search-preparing");
  }
  request.wait = true;
  const auto late = snapshot_->search(collection_, request);
  ASSERT_TRUE(late) << late.error().to_string();
  EXPECT_TRUE(late->result.complete);
  const auto prepared = snapshot_->preparations();
  ASSERT_FALSE(prepared.empty());
  EXPECT_EQ(prepared.front().what, "Orio");
  EXPECT_EQ(prepared.front().state, Preparation::State::ready);
}

TEST_F(ServiceTest, EverythingCanBePreparedBeforehand) {
  snapshot_->prepare_all();
  const auto ready = [&] {
    const auto all = snapshot_->preparations();
    return std::count_if(all.begin(), all.end(), [](const Preparation& one) {
      return one.state == Preparation::State::ready &&
             (one.what == "Orio" || one.what.find("folded") != std::string::npos);
    });
  };
  for (int i = 0; i < 3000 && ready() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(ready(), 2) << "Orio, and the index with octaves folded";
}

TEST_F(ServiceTest, ManyThreadsGetTheSameAnswers) {
  const auto expected = listed(snapshot_->search(collection_, like(3, "rrf:P2+time")).value().result);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Collection own = Collection::open(folder_ / "c.db", OpenMode::read).value();
      for (int i = 0; i < 5; ++i) {
        SearchRequest request = like_of(own, 3, "rrf:P2+time");
        request.time_limit = std::chrono::minutes(1);
        request.heard.graces = (t + i) % 2 != 0 && i % 2 != 0;
        const auto answer = snapshot_->search(own, request);
        ASSERT_TRUE(answer) << answer.error().to_string();
        if (!request.heard.graces) {
          EXPECT_EQ(listed(answer->result), expected);
        }
      }
    });
  }
}

TEST_F(ServiceTest, IsCurrentUntilTheCollectionChangesByWhomeverItIs) {
  EXPECT_TRUE(snapshot_->current(collection_).value());
  EXPECT_TRUE(collection_.get(ids_of(collection_).front()));
  EXPECT_TRUE(snapshot_->current(collection_).value()) << "reading changes nothing";
  Piece piece = collection_.get(ids_of(collection_).front()).value();
  piece.id = "b";
  ASSERT_TRUE(collection_.put(piece));
  EXPECT_FALSE(snapshot_->current(collection_).value()) << "changed by the same connection";
  const auto next = CollectionSnapshot::open(collection_).value();
  Collection other = Collection::open(folder_ / "c.db", OpenMode::write).value();
  piece.id = "c";
  ASSERT_TRUE(other.put(piece));
  EXPECT_FALSE(next->current(collection_).value()) << "changed by another";
}

TEST_F(ServiceTest, RefusesWhatCannotBeSearched) {
  const auto code = [&](const SearchRequest& request) {
    const auto answer = snapshot_->search(collection_, request);
    return answer ? std::string() : answer.error().code;
  };
  SearchRequest request;
  EXPECT_EQ(code(request), "query-empty");
  request.query = voice_of("C4 1/4");
  EXPECT_EQ(code(request), "query-short");
  request.query = voice_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4");
  EXPECT_EQ(code(request), "");
  request.system = "nonsense";
  EXPECT_EQ(code(request), "system-unknown");
  request = like(0);
  request.like_voice = 7;
  EXPECT_EQ(code(request), "voice-missing");
  request.like = "nobody";
  EXPECT_EQ(code(request), "piece-missing");
}

TEST_F(ServiceTest, CutsQueriesThatAreTooLongAndSaysSo) {
  std::string text;
  for (std::size_t i = 0; i < kMostQueryNotes + 5; ++i) text += i % 2 == 0 ? "C4 1/4 " : "D4 1/4 ";
  SearchRequest request;
  request.query = voice_of(text);
  const auto answer = snapshot_->search(collection_, request).value();
  EXPECT_TRUE(answer.query.cut);
  EXPECT_EQ(answer.query.line.size(), kMostQueryNotes);
}

TEST(CollectionSnapshot, HitsOfACalibratedSystemHaveAProbability) {
  const Scratch scratch;
  Collection collection = mixed_collection(scratch / "a.db", 200);
  const auto snapshot = CollectionSnapshot::open(collection).value();
  SearchRequest request = like_of(collection, 5, "rondo");
  request.k = 30;
  const SearchAnswer answer = snapshot->search(collection, request).value();
  ASSERT_TRUE(answer.spread);
  EXPECT_LT(answer.spread->middle, answer.spread->high);
  ASSERT_EQ(answer.result.hits.size(), 30U);
  double before = 1;
  for (const Found& hit : answer.result.hits) {
    ASSERT_TRUE(hit.probability);
    EXPECT_LE(*hit.probability, before);
    before = *hit.probability;
  }
  // The same with every thread count, and on the second page.
  request.offset = 10;
  request.k = 5;
  request.threads = 2;
  const SearchAnswer second = snapshot->search(collection, request).value();
  EXPECT_EQ(second.result.hits[0].probability, answer.result.hits[10].probability);
}

TEST(CollectionSnapshot, NoProbabilityWhereNothingIsKnown) {
  const Scratch scratch;
  Collection collection = mixed_collection(scratch / "a.db", 200);
  const auto snapshot = CollectionSnapshot::open(collection).value();
  SearchRequest request = like_of(collection, 5, "shapeh");
  const auto first = [&] { return snapshot->search(collection, request).value().result.hits.at(0).probability; };
  EXPECT_FALSE(first());  // not calibrated
  request.system = "rondo";
  EXPECT_TRUE(first());
  request.settings = {"gap=0.5"};
  EXPECT_FALSE(first());  // other numbers than those it was calibrated with
  Collection few = mixed_collection(scratch / "b.db", 20);
  const auto small = CollectionSnapshot::open(few).value();
  EXPECT_FALSE(small->search(few, like_of(few, 0, "rondo")).value().result.hits.at(0).probability);
}

}  // namespace
}  // namespace rondo
