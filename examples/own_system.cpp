// A system of one's own: melodies are alike if they move by the same intervals, in whatever order.
//   own_system tunes.db "C4 D4 E4 C4 C4 D4 E4 C4"

#include <rondo/rondo.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace {

/// How often a melody moves by each interval, up and down alike; more than an octave counts as an octave.
std::array<int, 13> intervals_of(const rondo::Line& line) {
  std::array<int, 13> out{};
  for (std::size_t i = 1; i < line.size(); ++i) {
    ++out[static_cast<std::size_t>(std::min(std::abs(line.pitch[i] - line.pitch[i - 1]), 12))];
  }
  return out;
}

class IntervalsQuery final : public rondo::PreparedQuery {
 public:
  explicit IntervalsQuery(const rondo::Line& query) : counts_(intervals_of(query)), notes_(query.size()) {}

  [[nodiscard]] rondo::Score score(const rondo::Line& document) const override {
    if (document.size() < 2) return {0, false};
    return {static_cast<double>(common(document)) / static_cast<double>(std::max(notes_, document.size()) - 1)};
  }
  [[nodiscard]] rondo::Explanation explain(const rondo::Line& document) const override {
    rondo::Explanation why;
    why.score = score(document);
    why.total = common(document);
    why.summary = std::to_string(common(document)) + " intervals in common";
    return why;
  }

 private:
  [[nodiscard]] int common(const rondo::Line& document) const {
    const std::array<int, 13> others = intervals_of(document);
    int out = 0;
    for (std::size_t i = 0; i < others.size(); ++i) out += std::min(counts_[i], others[i]);
    return out;
  }
  std::array<int, 13> counts_;
  std::size_t notes_;
};

class Intervals final : public rondo::System {
 public:
  [[nodiscard]] std::unique_ptr<rondo::PreparedQuery> prepare(const rondo::Line& query) const override {
    return std::make_unique<IntervalsQuery>(query);
  }
};

int give_up(const rondo::Error& error) {
  std::fprintf(stderr, "own_system: %s\n", error.to_string().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "own_system COLLECTION NOTES\n");
    return 2;
  }
  auto collection = rondo::Collection::open(argv[1], rondo::OpenMode::read);
  if (!collection) return give_up(collection.error());
  auto snapshot = rondo::CollectionSnapshot::open(*collection);
  if (!snapshot) return give_up(snapshot.error());
  auto read = rondo::read_query_text(argv[2]);
  if (!read) return give_up(read.error());

  static const rondo::SystemRow row = {.name = "intervals", .shortest = 2};
  auto own = std::make_shared<rondo::ChosenSystem>();
  own->row = &row;
  own->name = row.name;
  own->shortest = row.shortest;
  own->system = std::make_unique<Intervals>();

  rondo::SearchRequest request;
  request.query = read->voice();
  request.own = own;
  request.k = 5;
  auto answer = (*snapshot)->search(*collection, request);
  if (!answer) return give_up(answer.error());
  for (const rondo::Found& hit : answer->result.hits) {
    auto id = collection->id_of(hit.piece);
    if (!id) return give_up(id.error());
    std::printf("%7.4f  %s\n", hit.score.value, id->c_str());
  }
  return 0;
}
