// Reads arbitrary bytes as a file of decisions about concordances, as they are and with the checksum of every line put
// right. What is accepted must be the same after it is written and read again.

#include "concordances/decisions.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "broken.h"

namespace {

using rondo::concordances::Decision;
using rondo::concordances::Decisions;

std::string with_checksums(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    out += fmt::format("{:016x} ", XXH3_64bits(line.data(), line.size()));
    out += line;
    if (end != std::string_view::npos) out += '\n';
  }
  return out;
}

void try_text(std::string_view text) {
  const auto read = Decisions::parse(text, "fuzz");
  if (!read) {
    if (read.error().code.empty()) broken("an error without a code", read.error().message);
    return;
  }
  if (read->bytes() > text.size()) broken("more bytes than there are", std::to_string(read->bytes()));
  std::string written;
  for (const Decision& decision : read->all()) written += rondo::concordances::decision_line(decision);
  const auto again = Decisions::parse(written, "fuzz");
  if (!again) broken("cannot be read again", again.error().to_string());
  if (again->bytes() != written.size() || again->all() != read->all()) broken("other decisions", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_text(text);
  try_text(with_checksums(text));
  return 0;
}
