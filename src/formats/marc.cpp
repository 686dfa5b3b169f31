#include "rondo/formats/readers.h"

namespace rondo {

int recognise_marc(std::string_view /*head*/) { return 0; }

Result<void> read_marc(ByteSource& /*in*/, const ReadOptions& /*options*/, PieceSink& /*sink*/) {
  return fail("unread", "no reader yet");
}

}  // namespace rondo
