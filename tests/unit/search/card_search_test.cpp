#include "search/card/card_search.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "search/card/device.h"
#include "support/generated_corpus.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"

/// Searches on a graphics card that the CPU emulates, against those of the CPU: the same lists to the last bit.
namespace rondo::card_search_test {
namespace {

using test::HitRows;
using test::rows_of;

const gpu::TierSizes kSmallTiers{40, 200, 500};

/// Melodies of a generator, some of them equal, transposed or of two voices; a few too long or too wide for a card, too
/// short for the system, or empty.
Corpus mixed_corpus(std::size_t pieces) {
  return test::generated_corpus(pieces, 3, [](std::size_t number, Line& line, std::mt19937& random) {
    if (number % 97 == 5) line = random_line(random, 80 + number % 5);
    if (number % 97 == 6) line = random_line(random, 1);
    if (number % 97 == 7 && line.size() > 2) {  // too wide
      line.pitch[0] = 20;
      line.pitch[1] = 100;
    }
  });
}

struct OnCard {
  Corpus corpus;
  Index index;
  ChosenSystem system;
  std::optional<CardSearch> card;

  explicit OnCard(std::size_t pieces, const gpu::EmulatedCard& like = {})
      : corpus(mixed_corpus(pieces)), index(Index::of(corpus).value()), system(resolve_system("rondo").value()) {
    const SearchPlan plan = system.system->plan();
    EXPECT_TRUE(runs_on_card(*system.system));
    card = CardSearch::load(index, std::get<RondoPlan>(plan), gpu::emulated_card(like), {2, {}, kSmallTiers}).value();
  }
  [[nodiscard]] SearchResult search(const Line& query, const SearchOptions& options) const {
    return rondo::search(index, *system.row, *system.system, query, options);
  }
};

TEST(CardSearch, GivesTheListsOfTheCpuWhateverTheOptions) {
  const std::size_t pieces = test::kSanitized ? 300 : 1200;
  const int most = test::kSanitized ? 8 : 30;
  OnCard with(pieces);
  std::mt19937 random(5);
  int on_card = 0;
  for (int round = 0; round < most; ++round) {
    SearchOptions options = test::varied_options(static_cast<std::size_t>(round), with.corpus, random);
    const Document& from = with.corpus.documents[random() % pieces];
    if (from.voices.front().size() < 2) continue;
    if (options.except) options.except = from.key;
    const Line query = round % 6 == 5 ? random_line(random, 2 + random() % 70) : from.voices.front();
    const SearchResult expected = with.search(query, options);
    CardUse use{&*with.card};
    options.card = &use;
    const SearchResult found = with.search(query, options);
    EXPECT_EQ(rows_of(found), rows_of(expected)) << "round " << round;
    EXPECT_EQ(found.compared, expected.compared);
    EXPECT_EQ(found.filtered_out, expected.filtered_out);
    EXPECT_FALSE(use.failure);
    on_card += found.method == "graphics card" ? 1 : 0;
  }
  EXPECT_GT(on_card, most / 2);
}

TEST(CardSearch, MelodiesThatAreNotOnTheCardAreAlignedTogether) {
  // Of four lengths, all too long for the card.
  const Corpus corpus = test::generated_corpus(300, 3, [](std::size_t number, Line& line, std::mt19937& random) {
    if (number % 5 == 0) line = random_line(random, 70 + number % 4);
  });
  const Index index = Index::of(corpus).value();
  const ChosenSystem system = resolve_system("rondo").value();
  CardSearch card =
      CardSearch::load(index, std::get<RondoPlan>(system.system->plan()), gpu::emulated_card(), {2, {}, kSmallTiers})
          .value();
  for (const std::size_t number : {1U, 2U, 10U}) {
    const Line& query = corpus.documents[number].voices.front();
    SearchOptions options;
    const HitRows expected = rows_of(search(index, *system.row, *system.system, query, options));
    CardUse use{&card};
    options.card = &use;
    const SearchResult found = search(index, *system.row, *system.system, query, options);
    EXPECT_EQ(rows_of(found), expected);
    if (number == 10) continue;  // is none for the card itself
    EXPECT_EQ(found.method, "graphics card");
    EXPECT_GT(found.bounded, 30U) << "aligned many at a time";
    EXPECT_LT(found.scored, 30U) << "one by one";
  }
}

TEST(CardSearch, AnswersThreadsThatAskAtOnceEachItsOwn) {
  OnCard with(400);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 12; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < (test::kSanitized ? 24 : 120); i += 12) {
        const Line& query = with.corpus.documents[i].voices.front();
        if (query.size() < 2) continue;
        SearchOptions options;
        const HitRows expected = rows_of(with.search(query, options));
        CardUse use{&*with.card};
        options.card = &use;
        EXPECT_EQ(rows_of(with.search(query, options)), expected);
      }
    });
  }
}

TEST(CardSearch, LeavesToTheCpuWhatACardThatIsLostDoesNotDo) {
  OnCard with(300, {.calls_before_loss = 2});
  const Line& query = with.corpus.documents[0].voices.front();
  SearchOptions options;
  const HitRows expected = rows_of(with.search(query, options));
  std::optional<Error> failure;
  for (int i = 0; i < 4; ++i) {
    CardUse use{&*with.card};
    options.card = &use;
    EXPECT_EQ(rows_of(with.search(query, options)), expected);
    if (use.failure) failure = use.failure;
  }
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "device-failed");
}

/// A snapshot and its card, which is the machine's as long as it is opened.
std::shared_ptr<CollectionSnapshot> snapshot_on(Collection& collection, const gpu::EmulatedCard& like, Device device) {
  const gpu::StandInCard card(gpu::emulated_card(like));
  return CollectionSnapshot::open(collection, {.device = device}).value();
}

/// A collection on disk with filters, and what the service makes of it.
struct Service {
  Scratch folder;
  Collection collection = Collection::open(folder / "c.db", OpenMode::create).value();
  Service() {
    const Generator generator(8);
    for (std::uint64_t i = 0; i < (test::kSanitized ? 100 : 400); ++i) EXPECT_TRUE(collection.put(generator.piece(i)));
  }
  SearchRequest request(std::uint64_t number) {
    SearchRequest out;
    out.query = Generator(8).piece(number).voices.front();
    return out;
  }
};

TEST(CardSearch, TheServiceHasTheSameHitsProbabilitiesAndCountsOnACard) {
  Service service;
  const auto cpu = CollectionSnapshot::open(service.collection).value();
  const auto card = snapshot_on(service.collection, {}, Device::cuda);
  for (std::uint64_t i = 0; i < 8; ++i) {
    if (test::kSanitized && i != 1 && i != 3 && i != 6) continue;
    SearchRequest request = service.request(i * 37);
    request.k = 5 + 20 * i;
    request.offset = i % 2;
    if (i % 3 == 1) request.where = "notes > 15";
    request.expand = i % 4 == 3;
    request.anchored = i == 6;
    if (i == 5) request.settings = {"gap=0.6"};
    const SearchAnswer expected = cpu->search(service.collection, request).value();
    const SearchAnswer found = card->search(service.collection, request).value();
    EXPECT_EQ(rows_of(found.result), rows_of(expected.result)) << "request " << i;
    EXPECT_EQ(found.total, expected.total);
    ASSERT_EQ(found.spread.has_value(), expected.spread.has_value());
    for (std::size_t h = 0; h < found.result.hits.size(); ++h) {
      EXPECT_EQ(found.result.hits[h].probability, expected.result.hits[h].probability);
    }
    EXPECT_EQ(found.result.method == "graphics card", i != 6) << "openings are the CPU's";
    EXPECT_FALSE(found.card_failure);
  }
}

TEST(CardSearch, OtherSystemsAreAnErrorOrRunOnTheCpu) {
  Service service;
  const auto cpu = CollectionSnapshot::open(service.collection).value();
  const auto strict = snapshot_on(service.collection, {}, Device::cuda);
  const auto lenient = snapshot_on(service.collection, {}, Device::automatic);
  EXPECT_TRUE(strict->on_card() && lenient->on_card());
  for (const char* const system : {"shapeh", "P2", "rrf:rondo+shapeh"}) {
    SearchRequest request = service.request(31);
    request.system = system;
    for (const auto& failed :
         {strict->prepare(service.collection, request).error(), strict->search(service.collection, request).error()}) {
      EXPECT_EQ(failed.code, "device-system") << system;
      EXPECT_EQ(failed.message,
                "the graphics card does not support the system '" + std::string(system) + "', only 'rondo'");
      EXPECT_FALSE(failed.hint.empty());
    }
    const SearchAnswer expected = cpu->search(service.collection, request).value();
    const SearchAnswer found = lenient->search(service.collection, request).value();
    EXPECT_EQ(rows_of(found.result), rows_of(expected.result)) << system;
    EXPECT_NE(found.result.method, "graphics card") << system;
    EXPECT_FALSE(found.card_failure);
  }
}

TEST(CardSearch, ADeviceServesTheSystemsItIsAskedFor) {
  std::vector<ChosenSystem> systems;
  systems.push_back(resolve_system("shapeh").value());
  EXPECT_EQ(device_for(Device::automatic, systems).value(), Device::cpu) << "no card is opened needlessly";
  EXPECT_EQ(device_for(Device::cpu, systems).value(), Device::cpu);
  systems.push_back(resolve_system("rondo").value());
  EXPECT_EQ(device_for(Device::automatic, systems).value(), Device::automatic);
  EXPECT_EQ(device_for(Device::cuda, systems).error().code, "device-system");
  EXPECT_EQ(device_for(Device::cuda, std::span(systems).last(1)).value(), Device::cuda);
  EXPECT_EQ(device_of("auto").value(), Device::automatic);
  EXPECT_EQ(device_of("gpu").error().code, "device-unknown");
}

TEST(CardSearch, ACardThatFailsIsAnErrorOrTheCpuGoesOn) {
  Service service;
  const auto cpu = CollectionSnapshot::open(service.collection).value();
  const SearchRequest request = service.request(3);
  const HitRows expected = rows_of(cpu->search(service.collection, request).value().result);
  for (const gpu::EmulatedCard like : {gpu::EmulatedCard{.memory = 500}, gpu::EmulatedCard{.calls_before_loss = 0}}) {
    const char* const code = like.memory == 500 ? "device-memory" : "device-failed";
    const auto strict = snapshot_on(service.collection, like, Device::cuda);
    for (int again = 0; again < 2; ++again) {
      auto failed = strict->search(service.collection, request);
      ASSERT_FALSE(failed);
      EXPECT_EQ(failed.error().code, code);
    }
    const auto lenient = snapshot_on(service.collection, like, Device::automatic);
    for (int again = 0; again < 2; ++again) {
      const SearchAnswer answer = lenient->search(service.collection, request).value();
      EXPECT_EQ(rows_of(answer.result), expected);
      ASSERT_TRUE(answer.card_failure);
      EXPECT_EQ(answer.card_failure->code, code);
    }
  }
}

}  // namespace
}  // namespace rondo::card_search_test
