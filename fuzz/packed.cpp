// Unpacks arbitrary bytes as a voice. Whatever is accepted must lie within the model's limits, and packing it again
// must give a voice that unpacks to the same.

#include "melody/packed.h"

#include "broken.h"
#include "rondo/melody/builder.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static rondo::Voice voice;  // reused, as an index does: nothing of the input before may shine through
  const auto done = rondo::unpack({reinterpret_cast<const char*>(data), size}, voice);
  if (!done) {
    if (done.error().code.empty()) broken("an error without a code", done.error().message);
    return 0;
  }
  rondo::Voice copy = voice;
  if (auto normal = rondo::normalise(copy); !normal) broken("beyond the limits", normal.error().to_string());
  std::string bytes;
  if (auto packed = rondo::pack(voice, bytes); !packed) broken("cannot be packed again", packed.error().to_string());
  if (auto again = rondo::unpack(bytes, copy); !again) broken("cannot be unpacked again", again.error().to_string());
  if (!(copy == voice)) broken("another voice after packing again", voice.name);
  return 0;
}
