#include "search/load.h"

namespace rondo {

Result<Corpus> load_corpus(Collection& collection, const LineOptions& options) {
  Corpus corpus;
  constexpr bool kWithoutSource = false;
  auto done = collection.each_piece(
      [&](const StoredPiece& stored) {
        corpus.documents.push_back(make_document(stored.piece, options));
        corpus.documents.back().key = stored.key;
        return true;
      },
      kWithoutSource);
  if (!done) return fail(std::move(done.error()));
  return corpus;
}

Result<Corpus> load_corpus(Collection& collection, std::span<const PieceKey> pieces, const LineOptions& options) {
  Corpus corpus;
  for (const PieceKey key : pieces) {
    auto piece = collection.get(key);
    if (!piece && piece.error().code != "piece-missing") return fail(std::move(piece.error()));
    corpus.documents.push_back(make_document(piece ? *piece : Piece(), options));
    corpus.documents.back().key = key;
  }
  return corpus;
}

}  // namespace rondo
