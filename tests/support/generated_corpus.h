#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "generate/generate.h"
#include "search/search.h"

namespace rondo::test {

/// Documents of generated melodies with ids in no order; every seventh is the same melody as another, every eleventh
/// has two voices. `alter(number, line, random)` changes the first voice of some.
template <typename Alter>
[[nodiscard]] Corpus generated_corpus(std::size_t pieces, std::uint32_t seed, const Alter& alter) {
  const Generator generator(seed);
  std::mt19937 random(seed);
  Corpus corpus;
  for (std::size_t i = 0; i < pieces; ++i) {
    Piece piece = generator.piece(i % 7 == 6 ? i / 7 : i);
    piece.id = "p" + std::to_string(random() % 1000) + "-" + std::to_string(i);
    if (i % 11 == 3) piece.voices.push_back(generator.piece(5000 + i % 40).voices.front());
    Document document = make_document(piece);
    document.key = PieceKey{static_cast<std::int64_t>(i + 1)};
    alter(i, document.voices.front(), random);
    document.points = make_points(document.voices);
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

/// The hits of a search, for comparisons to the last bit.
using HitRows = std::vector<std::tuple<std::int64_t, std::uint32_t, double, std::size_t>>;

[[nodiscard]] inline HitRows rows_of(const SearchResult& result) {
  HitRows out;
  for (const Found& hit : result.hits) {
    out.emplace_back(static_cast<std::int64_t>(hit.piece), hit.voice, hit.score.value, hit.same.size());
  }
  return out;
}

/// Random options: few hits or all, folded or not, among some pieces, without a piece.
[[nodiscard]] inline SearchOptions varied_options(std::size_t round, const Corpus& corpus, std::mt19937& random) {
  SearchOptions options;
  options.k = std::vector<std::size_t>{1, 10, 50, 2000}[round % 4];
  options.threads = 1 + static_cast<unsigned>(round % 2);
  options.fold_duplicates = round % 5 == 2;
  if (round % 3 == 1) {
    options.among.emplace();
    for (const Document& document : corpus.documents) {
      if (random() % 3 != 0) options.among->push_back(document.key);
    }
  }
  if (round % 2 == 0) options.except = corpus.documents[random() % corpus.documents.size()].key;
  return options;
}

}  // namespace rondo::test
