#include "rondo/formats/pae.h"
#include "rondo/formats/readers.h"
namespace rondo {
Result<PaeText> to_pae(const Voice&, PaeVersion) { return fail("cannot-write", ""); }
std::string to_single_line(const PaeText&, PaeVersion) { return {}; }
Result<std::string> write_pae(const Piece&) { return fail("cannot-write", ""); }
}  // namespace rondo
