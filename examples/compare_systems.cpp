// Which system finds the other melodies of a family? Every melody with a field "family" is a query.
//   compare_systems tunes.db rondo shapeh ngr5

#include <rondo/rondo.h>

#include <cstdio>
#include <map>

namespace {

int give_up(const rondo::Error& error) {
  std::fprintf(stderr, "compare_systems: %s\n", error.to_string().c_str());
  return 1;
}

/// For each melody: the others of its family.
rondo::Result<rondo::evaluation::Truth> truth_of(rondo::Collection& collection) {
  std::map<std::string, std::vector<std::string>> families;
  auto read = collection.each_piece([&](const rondo::StoredPiece& stored) {
    const std::string_view family = stored.piece.metadata.field("family");
    if (!family.empty() && !stored.piece.voices.empty()) families[std::string(family)].push_back(stored.piece.id);
    return true;
  });
  if (!read) return rondo::fail(read.error());
  rondo::evaluation::Truth truth;
  truth.complete = true;
  truth.query_excluded = true;
  for (const auto& [family, ids] : families) {
    for (const std::string& query : ids) {
      std::vector<std::string> others;
      for (const std::string& id : ids) {
        if (id != query) others.push_back(id);
      }
      if (!others.empty())
        truth.queries.push_back({.query = query, .groups = {others}, .gains = {}, .not_relevant = {}});
    }
  }
  return truth;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "compare_systems COLLECTION SYSTEM...\n");
    return 2;
  }
  auto collection = rondo::Collection::open(argv[1], rondo::OpenMode::read);
  if (!collection) return give_up(collection.error());
  auto snapshot = rondo::CollectionSnapshot::open(*collection);
  if (!snapshot) return give_up(snapshot.error());
  auto truth = truth_of(*collection);
  if (!truth) return give_up(truth.error());
  auto measures = rondo::evaluation::parse_measures("AP,RR,P@5");
  if (!measures) return give_up(measures.error());

  for (int i = 2; i < argc; ++i) {
    rondo::evaluation::Run run;
    run.tag = argv[i];
    for (const auto& query : truth->queries) {
      rondo::SearchRequest request;
      request.like = query.query;
      request.system = argv[i];
      request.k = 1000;
      auto answer = (*snapshot)->search(*collection, request);
      if (!answer) continue;  // the melody is too short for this system: the query counts as not answered
      rondo::evaluation::RankedList list;
      list.query = query.query;
      for (const rondo::Found& hit : answer->result.hits) {
        auto id = collection->id_of(hit.piece);
        if (!id) return give_up(id.error());
        list.documents.push_back({*id, hit.score.value});
      }
      run.lists.push_back(std::move(list));
    }
    auto judged = rondo::evaluation::judge(*truth, run);
    if (!judged) return give_up(judged.error());
    const rondo::evaluation::Evaluation result = rondo::evaluation::evaluate(*judged, *measures);
    std::printf("%-10s", argv[i]);
    for (std::size_t m = 0; m < result.means.size(); ++m) {
      std::printf("  %s %.4f", result.measures[m].name().c_str(), result.means[m]);
    }
    std::printf("\n");
  }
  return 0;
}
