#include "search/corpus.h"

namespace rondo {

Document make_document(const Piece& piece, const LineOptions& options) {
  Document document;
  document.id = piece.id;
  document.voices.reserve(piece.voices.size());
  for (const Voice& voice : piece.voices) document.voices.push_back(make_line(voice, options));
  document.points = options == LineOptions{} ? make_points(piece) : make_points(document.voices);
  return document;
}

void Corpus::teach(System& system) const {
  for (const Document& document : documents) {
    for (const Line& line : document.voices) system.learn(line);
  }
}

}  // namespace rondo
