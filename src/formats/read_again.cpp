#include "formats/read_again.h"

namespace rondo {

std::optional<Piece> read_again(Result<void> (*read)(ByteSource&, const ReadOptions&, PieceSink&),
                                const std::string& text) {
  CollectingSink sink;
  MemorySource source(text);
  ReadOptions options;
  options.file = "check";
  options.keep_source = false;
  if (!read(source, options, sink) || sink.pieces.size() != 1) return std::nullopt;
  return std::move(sink.pieces.front());
}

}  // namespace rondo
