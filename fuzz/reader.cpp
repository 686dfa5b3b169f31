// Feeds arbitrary bytes to one reader and checks what must hold of whatever comes out: the order and limits of the
// model, and that every writer either refuses a piece or writes something its own reader reads as the same melody.

#include "broken.h"
#include "rondo/formats/format.h"
#include "rondo/melody/builder.h"

namespace {

void check_piece(const rondo::Piece& piece) {
  if (piece.id.empty()) broken("a piece without an id", piece.format);
  for (const rondo::Voice& voice : piece.voices) {
    rondo::Voice copy = voice;
    if (auto done = rondo::normalise(copy); !done) broken("a voice beyond the limits", done.error().to_string());
    if (!(copy == voice)) broken("a voice not in order", piece.id);
  }
}

bool same_melody(const rondo::Piece& a, const rondo::Piece& b) {
  if (a.voices.size() != b.voices.size()) return false;
  for (std::size_t i = 0; i < a.voices.size(); ++i) {
    if (!(a.voices[i].notes == b.voices[i].notes)) return false;
  }
  return true;
}

void check_round_trip(const rondo::Piece& piece, const rondo::Format& format) {
  auto text = format.write(piece);
  if (!text) return;
  rondo::CollectingSink sink;
  rondo::MemorySource source(*text);
  rondo::ReadOptions options;
  options.file = "again";
  auto done = format.read(source, options, sink);
  if (!done) broken("what was written cannot be read", done.error().to_string() + "\n" + *text);
  if (sink.pieces.size() != 1 || !same_melody(piece, sink.pieces.front())) {
    broken("what was written reads as another melody", std::string(format.name) + "\n" + *text);
  }
}

const rondo::Format* format = nullptr;

}  // namespace

// The program is called fuzz_FORMAT.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
  std::string_view name = (*argv)[0];
  name.remove_prefix(name.rfind("fuzz_") + 5);
  format = rondo::find_format(name);
  if (format == nullptr) broken("no such format", std::string(name));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)rondo::recognise(bytes);
  rondo::CollectingSink sink;
  rondo::MemorySource source(bytes);
  rondo::ReadOptions options;
  options.file = "fuzz";
  if (auto done = format->read(source, options, sink); !done && done.error().code.empty()) {
    broken("an error without a code", done.error().message);
  }
  for (const rondo::Piece& piece : sink.pieces) {
    check_piece(piece);
    if (format->write != nullptr && piece.voices.size() <= 16) check_round_trip(piece, *format);
  }
  return 0;
}
