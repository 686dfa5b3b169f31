// Imports files into a collection and searches it:
//   find_melody tunes.db data/demo "C4 D4 E4 C4 C4 D4 E4 C4"

#include <rondo/rondo.h>

#include <cstdio>

namespace {

int give_up(const rondo::Error& error) {
  std::fprintf(stderr, "find_melody: %s\n", error.to_string().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "find_melody COLLECTION FOLDER NOTES\n");
    return 2;
  }
  auto collection = rondo::Collection::open(argv[1], rondo::OpenMode::create);
  if (!collection) return give_up(collection.error());
  const std::string folder = argv[2];
  if (auto imported = rondo::import_paths(*collection, {&folder, 1}); !imported) return give_up(imported.error());

  // Whatever a person writes: note names, Plaine & Easie, scale degrees, ...
  auto read = rondo::read_query_text(argv[3]);
  if (!read) return give_up(read.error());
  std::printf("%s\n", rondo::describe(*read).c_str());

  // One snapshot serves any number of searches and threads.
  auto snapshot = rondo::CollectionSnapshot::open(*collection);
  if (!snapshot) return give_up(snapshot.error());
  rondo::SearchRequest request;
  request.query = read->voice();
  request.k = 5;
  auto answer = (*snapshot)->search(*collection, request);
  if (!answer) return give_up(answer.error());

  const auto query = answer->system->system->prepare(answer->query.line);
  for (const rondo::Found& hit : answer->result.hits) {
    auto piece = collection->get(hit.piece);
    if (!piece) return give_up(piece.error());
    std::printf("%7.4f  %s  %s\n", hit.score.value, piece->id.c_str(), piece->metadata.title.c_str());
    const rondo::Line line = rondo::make_line(piece->voices[hit.voice], answer->query.heard);
    std::printf("         %s\n", query->explain(line).summary.c_str());
  }
  return 0;
}
