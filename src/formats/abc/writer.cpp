#include "rondo/formats/readers.h"
namespace rondo {
Result<std::string> write_abc(const Piece& /*piece*/) { return fail("cannot-write", "no writer yet"); }
}  // namespace rondo
