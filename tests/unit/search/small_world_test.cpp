#include "support/small_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "gpu/open_card.h"
#include "rondo/search/service.h"
#include "search/kernels/level.h"
#include "search/rank.h"
#include "support/rounds.h"
#include "support/scratch.h"

/// A small world completely: every melody of up to five notes over four pitches and two durations is ranked for every
/// melody of up to four by every system on every route, and each list is that of the definition (score, tie rule,
/// difference of lengths, id), to the last bit.
///
/// All of it takes hours; `./dev test deep` divides it by RONDO_SMALL_WORLD=PART/PARTS. Otherwise the queries are dealt
/// out among melodies of up to four notes: each system gets others, and together they get all.
namespace rondo::small_world_test {
namespace {

using test::shuffled;

/// The longest list that is compared for every query. That of the first query of each system has everything.
constexpr std::size_t kMost = 100;

/// What is compared of a hit: the piece, and the bits of its score.
using Row = std::pair<std::int64_t, std::uint64_t>;
using Rows = std::vector<Row>;

Row row_of(PieceKey piece, double score) {
  return {static_cast<std::int64_t>(piece), std::bit_cast<std::uint64_t>(score + 0.0)};  // zero has two signs
}

struct Counts {
  std::size_t compared = 0;
  std::size_t too_short = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The definition of a list, straight from ../shared/spec/similarity.md, section 0: everything is scored, one by one.
class Definition {
 public:
  Definition(const SystemRow& row, const Corpus& corpus)
      : row_(row), corpus_(corpus), system_(row.make(Parameters(row.parameters))) {
    corpus.teach(*system_);
  }

  [[nodiscard]] const SystemRow& row() const { return row_; }
  /// Whether the first of k hits may be others than those of fewer: a mixture has lists as long as k wants them.
  [[nodiscard]] bool depends_on_k() const { return system_->mixture() != nullptr; }

  [[nodiscard]] Rows list(const Line& query, std::size_t k, Counts& counts) const {
    if (system_->mixture() != nullptr) return list_of_mixture(query, k, counts);
    const auto prepared = system_->prepare(query);
    std::vector<Scored> all;
    for (const Document& document : corpus_.documents) {
      const Score score = row_.polyphonic ? prepared->score(document.points) : prepared->score(document.voices.front());
      ++(score.comparable ? counts.compared : counts.too_short);
      if (!score.comparable || (row_.zero_is_none && score.value <= 0)) continue;
      EXPECT_FALSE(std::isnan(score.value)) << row_.name << ", " << document.id;
      all.push_back({score.value, 0, 0, &document});
    }
    keep_best(all, k);
    for (Scored& one : all) {
      const Line& line = one.document->voices.front();
      one.tie = row_.polyphonic ? prepared->tie_break(one.document->points) : prepared->tie_break(line);
      one.difference = line.size() > query.size() ? line.size() - query.size() : query.size() - line.size();
    }
    std::sort(all.begin(), all.end(), [](const Scored& a, const Scored& b) {
      if (a.score != b.score) return a.score > b.score;
      if (a.tie != b.tie) return a.tie > b.tie;
      if (a.difference != b.difference) return a.difference < b.difference;
      return a.document->id < b.document->id;
    });
    Rows out;
    for (std::size_t i = 0; i < std::min(k, all.size()); ++i) out.push_back(row_of(all[i].document->key, all[i].score));
    return out;
  }

 private:
  struct Scored {
    double score;
    double tie;
    std::size_t difference;
    const Document* document;
  };

  /// A tie rule may cost as much as a score, so what cannot be among the best is not asked for it.
  static void keep_best(std::vector<Scored>& all, std::size_t k) {
    if (all.size() <= k) return;
    std::vector<double> scores;
    for (const Scored& one : all) scores.push_back(one.score);
    const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(scores.begin(), kth, scores.end(), std::greater<>());
    std::erase_if(all, [least = *kth](const Scored& one) { return one.score < least; });
  }

  /// A mixture is defined by the lists of its parts.
  [[nodiscard]] Rows list_of_mixture(const Line& query, std::size_t k, Counts& counts) const {
    const Ranking ranking = rank_all(row_, *system_, query, corpus_, {.k = k});
    counts = {ranking.compared, ranking.too_short};
    Rows out;
    for (const Hit& hit : ranking.hits) out.push_back(row_of(corpus_.documents[hit.document].key, hit.score.value));
    return out;
  }

  const SystemRow& row_;
  const Corpus& corpus_;
  std::unique_ptr<System> system_;
};

/// A way to search.
struct Route {
  std::string name;
  std::string_view level = "best";  ///< instruction set
  Collection* collection = nullptr;
  std::shared_ptr<CollectionSnapshot> snapshot{};
  unsigned threads = 1;
};

/// A world as collections, and all routes to them.
class Searched {
 public:
  /// `grown`: also a collection whose index grows with it.
  explicit Searched(test::SmallWorld all, bool grown = true)
      : world(std::move(all)), order_(shuffled(world.melodies(), 1)) {
    const auto names = shuffled(world.melodies(), 2);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      // Neither the keys nor the ids are in the order of the melodies; and "10" is before "9".
      Document document = make_document(piece(std::to_string(names[i]), i));
      document.key = PieceKey{static_cast<std::int64_t>(i) + 1};
      corpus.documents.push_back(std::move(document));
    }
    at_once_.emplace(Collection::open(folder_ / "at_once.db", OpenMode::create).value());
    fill(*at_once_, 0, order_.size());
    const auto snapshot = CollectionSnapshot::open(*at_once_).value();
    for (const std::string_view level : kernels::levels()) {
      routes_.push_back({"index with " + std::string(level), level, &*at_once_, snapshot});
    }
    routes_.push_back({"two threads", "best", &*at_once_, snapshot, 2});
    SnapshotOptions with_card;
    with_card.device = Device::automatic;
    const gpu::StandInCard card(gpu::emulated_card());
    routes_.push_back({"emulated card", "best", &*at_once_, CollectionSnapshot::open(*at_once_, with_card).value()});
    if (grown) grow();
  }
  ~Searched() { EXPECT_TRUE(kernels::use_level("best")); }
  Searched(const Searched&) = delete;
  Searched& operator=(const Searched&) = delete;

  /// Tries a query on every route, each with another number of hits; false: a list was wrong. A query that is too short
  /// for the system must be refused.
  bool try_query(const Definition& definition, std::size_t number) {
    const Voice query = world.melody(number);
    SearchRequest request;
    request.query = query;
    request.system = definition.row().name;
    if (query.notes.size() < resolve_system(definition.row().name).value().shortest) {
      auto refused = routes_.front().snapshot->search(*routes_.front().collection, request);
      EXPECT_EQ(refused ? "a list" : refused.error().code, "query-short")
          << request.system << ", " << test::in_words(query);
      return !refused;
    }
    const bool all = complete_.insert(definition.row().name).second;
    const std::size_t ks[] = {kMost, 1, 10};
    for (int i = 0; i < 3; ++i) {
      request.k = all && i == 0 ? corpus.documents.size() : ks[i];
      if (i == 0 || definition.depends_on_k()) {
        counts_ = {};
        expected_ = definition.list(make_line(query), request.k, counts_);
      }
      for (std::size_t r = 0; r < routes_.size(); ++r) {
        if ((number + r) % 3 == static_cast<std::size_t>(i) && !same(routes_[r], request)) return false;
      }
    }
    return true;
  }

  const test::SmallWorld world;
  Corpus corpus;
  std::size_t lists = 0;    ///< that were compared
  std::size_t on_card = 0;  ///< of these

 private:
  [[nodiscard]] Piece piece(std::string id, std::size_t i) const {
    Piece out;
    out.id = std::move(id);
    out.voices.push_back(world.melody(order_[i]));
    return out;
  }
  void fill(Collection& collection, std::size_t begin, std::size_t end) const {
    auto batch = collection.begin().value();
    for (std::size_t i = begin; i < end; ++i) EXPECT_TRUE(collection.put(piece(corpus.documents[i].id, i)));
    EXPECT_TRUE(batch.commit());
  }

  void grow() {
    in_parts_.emplace(Collection::open(folder_ / "in_parts.db", OpenMode::create).value());
    const std::size_t ends[] = {0, order_.size() / 2, order_.size() - order_.size() / 7, order_.size()};
    for (int part = 0; part < 3; ++part) {
      fill(*in_parts_, ends[part], ends[part + 1]);
      EXPECT_TRUE(CollectionSnapshot::open(*in_parts_)) << "adds a segment to the index";
    }
    routes_.push_back({"index in parts", "best", &*in_parts_, CollectionSnapshot::open(*in_parts_).value()});
  }

  bool same(const Route& route, SearchRequest request) {
    EXPECT_TRUE(kernels::use_level(route.level));
    request.threads = route.threads;
    const auto where = [&] {
      return request.system + ", " + route.name + ", " + test::in_words(request.query) +
             ", k=" + std::to_string(request.k);
    };
    auto answer = route.snapshot->search(*route.collection, request);
    if (!answer) {
      ADD_FAILURE() << where() << ": " << answer.error().message;
      return false;
    }
    const SearchResult& result = answer->result;
    Rows found;
    for (const Found& hit : result.hits) found.push_back(row_of(hit.piece, hit.score.value));
    ++lists;
    on_card += result.method == "graphics card" ? 1 : 0;
    const Rows wanted(expected_.begin(),
                      expected_.begin() + static_cast<std::ptrdiff_t>(std::min(request.k, expected_.size())));
    const bool good = found == wanted && (Counts{result.compared, result.too_short}) == counts_ && result.complete;
    EXPECT_TRUE(good) << where() << ": " << difference(found, wanted) << "; " << result.compared << " compared, "
                      << result.too_short << " too short, not " << counts_.compared << " and " << counts_.too_short;
    return good;
  }

  /// Where two lists part.
  [[nodiscard]] std::string difference(const Rows& found, const Rows& wanted) const {
    const auto [a, b] = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
    if (a == found.end() && b == wanted.end()) return "the same hits";
    const auto in_words = [&](auto hit, auto end) -> std::string {
      if (hit == end) return "the end";
      const auto number = static_cast<std::size_t>(hit->first) - 1;
      return test::in_words(world.melody(order_[number])) + " (" + corpus.documents[number].id + ") with " +
             testing::PrintToString(std::bit_cast<double>(hit->second));
    };
    return "hit " + std::to_string(a - found.begin()) + " is " + in_words(a, found.end()) + ", not " +
           in_words(b, wanted.end());
  }

  std::vector<std::size_t> order_;  ///< piece i + 1 is this melody
  Scratch folder_;
  std::optional<Collection> at_once_;
  std::optional<Collection> in_parts_;
  std::vector<Route> routes_;
  std::set<std::string_view> complete_;  ///< systems of which the list of everything was compared
  Rows expected_;
  Counts counts_;
};

/// Those of `numbers` that are dealt to player `player` of `players`.
std::vector<std::size_t> dealt(const std::vector<std::size_t>& numbers, std::size_t player, std::size_t players) {
  std::vector<std::size_t> out;
  for (std::size_t i = player; i < numbers.size(); i += players) out.push_back(numbers[i]);
  return out;
}

/// Tries queries with every system; `queries(s)` are those of system number s. After a few wrong lists of a system the
/// next is tried.
void try_every_system(Searched& searched, const std::function<std::vector<std::size_t>(std::size_t)>& queries) {
  for (std::size_t s = 0; s < systems().size(); ++s) {
    const Definition definition(*systems()[s], searched.corpus);
    int wrong = 0;
    for (const std::size_t query : queries(s)) {
      wrong += searched.try_query(definition, query) ? 0 : 1;
      if (wrong == 3) break;
    }
  }
  EXPECT_GT(searched.on_card, 0U);
  testing::Test::RecordProperty("lists", static_cast<int>(searched.lists));
}

/// Systems that take longer for a pair of melodies get some queries; the others share all of them.
std::size_t most_queries(std::size_t system, std::size_t many) {
  const std::string_view name = systems()[system]->name;
  if (name == "EMD" || name == "PTD") return test::kSanitized ? 1 : 4;  // a hundred times as long
  constexpr std::array kExpensive = {"Orio",   "P2",       "P3",      "LDP",       "mongeau-sankoff",
                                     "GAR",    "vk-pitch", "vk-band", "vk-phrase", "vk-metre",
                                     "vk-all", "rrf",      "combsum", "combmnz"};
  const bool expensive = std::find(kExpensive.begin(), kExpensive.end(), name) != kExpensive.end();
  if (test::kSanitized) return 1;
  return expensive ? many / 6 : many;
}

/// Deals out the queries so that each goes to so many of the cheap systems.
std::function<std::vector<std::size_t>(std::size_t)> shared(std::vector<std::size_t> queries, std::size_t times) {
  std::size_t cheap = 0;
  std::vector<std::size_t> first(systems().size());
  for (std::size_t s = 0; s < systems().size(); ++s) first[s] = most_queries(s, 1000) == 1000 ? cheap++ : s;
  const std::size_t stride = cheap == 0 ? first.size() : std::max<std::size_t>(cheap / times, 1);
  return [=, queries = std::move(queries)](std::size_t s) {
    auto own = dealt(queries, first[s] % stride, stride);
    own.resize(std::min(own.size(), most_queries(s, own.size())));
    return own;
  };
}

/// PART and PARTS of the environment variable.
std::optional<std::pair<std::size_t, std::size_t>> wanted_part() {
  const char* set = std::getenv("RONDO_SMALL_WORLD");  // NOLINT(concurrency-mt-unsafe)
  if (set == nullptr) return std::nullopt;
  char* end = nullptr;
  const std::size_t part = std::strtoul(set, &end, 10);
  const std::size_t parts = *end == '/' ? std::strtoul(end + 1, nullptr, 10) : 0;
  EXPECT_LT(part, parts) << "RONDO_SMALL_WORLD is PART/PARTS, and parts are counted from 0";
  return std::pair(part, parts);
}

TEST(SmallWorld, HasTheListsOfTheDefinitionOnEveryRoute) {
  Searched searched(test::SmallWorld::of_four_pitches(test::kSanitized ? 3 : 4));
  const auto queries = shuffled(searched.world.melodies(), 3);
  try_every_system(searched, shared(queries, 1));
}

TEST(SmallWorld, HasTheListsOfTheDefinitionWhereWindowsRecur) {
  Searched searched(test::SmallWorld::of_two_pitches(test::kSanitized ? 6 : 8));
  // The longest, of which every system takes some.
  auto queries = shuffled(searched.world.melodies(), 4);
  std::erase_if(queries, [&](std::size_t number) { return number < searched.world.melodies(5); });
  try_every_system(searched, shared(queries, 4));
}

TEST(SmallWorld, HasTheListsOfTheDefinitionAmongAllMelodiesOfUpToFiveNotes) {
  if (test::kSanitized) GTEST_SKIP() << "takes minutes here, and the others go the same ways";
  const auto part = wanted_part();
  Searched searched(test::SmallWorld::of_four_pitches(5), part.has_value());
  const auto queries = shuffled(searched.world.melodies(4), 5);
  try_every_system(searched, [&](std::size_t s) {
    if (part) return dealt(queries, part->first, part->second);
    auto own = dealt(queries, s, systems().size());
    own.resize(most_queries(s, 1000) < 10 ? 0 : 1);
    return own;
  });
}

}  // namespace
}  // namespace rondo::small_world_test
