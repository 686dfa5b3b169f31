// The melodies of a file or folder that are most like some notes, in sixty lines of a program of your own:
//   find-melody data/demo "'4CDEC/CDEC"

#include <rondo/formats/open.h>
#include <rondo/formats/pae.h>
#include <rondo/search/rank.h>
#include <rondo/similarity/choose.h>

#include <cstdio>
#include <utility>

namespace {

/// Makes a document of everything it is shown.
class Shelf final : public rondo::PieceSink, public rondo::FileVisitor {
 public:
  bool file(const std::string& name, std::unique_ptr<rondo::ByteSource> source) override {
    rondo::ReadOptions options;
    options.file = name;
    // What is no music (a README beside it) is passed over.
    if (auto done = rondo::read_any(std::move(source), options, *this); !done) return true;
    return true;
  }
  bool piece(rondo::Piece&& piece) override {
    corpus.documents.push_back(rondo::make_document(piece));
    return true;
  }
  bool skip(rondo::Diagnostic why) override { return problem(std::move(why)); }
  bool problem(rondo::Diagnostic why) override {
    std::fprintf(stderr, "%s\n", why.to_string().c_str());
    return true;
  }
  void warn(rondo::Diagnostic /*warning*/) override {}

  rondo::Corpus corpus;
};

int give_up(const rondo::Error& error) {
  std::fprintf(stderr, "find-melody: %s\n", error.to_string().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "find-melody FOLDER NOTES\n");
    return 2;
  }
  Shelf shelf;
  if (auto read = rondo::open_path(argv[1], shelf); !read) return give_up(read.error());
  rondo::Diagnostics remarks;
  auto query = rondo::parse_pae_query(argv[2], remarks);
  if (!query) return give_up(query.error());
  auto chosen = rondo::resolve_system(rondo::kDefaultSystem);
  if (!chosen) return give_up(chosen.error());
  shelf.corpus.teach(*chosen->system);
  const rondo::Ranking ranking =
      rondo::rank_all(*chosen->row, *chosen->system, rondo::make_line(*query), shelf.corpus, {.k = 5});
  for (const rondo::Hit& hit : ranking.hits) {
    std::printf("%8.4f  %s\n", hit.score.value, shelf.corpus.documents[hit.document].id.c_str());
  }
  return 0;
}
