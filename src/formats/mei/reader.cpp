#include "rondo/formats/readers.h"
namespace rondo {
int recognise_mei(std::string_view /*head*/) { return 0; }
Result<void> read_mei(ByteSource& /*in*/, const ReadOptions& /*options*/, PieceSink& /*sink*/) {
  return fail("unread", "no reader yet");
}
Result<std::string> write_mei(const Piece& /*piece*/) { return fail("cannot-write", "no writer yet"); }
}  // namespace rondo
