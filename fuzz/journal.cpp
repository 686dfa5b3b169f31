// Reads arbitrary bytes as a journal of concordances, as they are and with all checksums put right, for otherwise no
// input would come behind the first block. What is accepted must be the same after it is written and read again.

#include "concordances/journal.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "broken.h"

namespace {

using rondo::concordances::Journal;

/// Every line "end NUMBER ..." gets the checksum of what lies between it and the one before.
std::string with_checksums(std::string_view text) {
  std::string out;
  std::size_t block = 0;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t number = line.find(' ', 4);
    if (line.starts_with("end ") && number != std::string_view::npos) {
      out += fmt::format("{} {:016x}\n", line.substr(0, number), XXH3_64bits(out.data() + block, out.size() - block));
      block = out.size();
    } else {
      out += line;
      if (end != std::string_view::npos) out += '\n';
    }
    if (first) block = out.size();
    first = false;
  }
  return out;
}

bool same(const Journal& a, const Journal& b) {
  if (a.description != b.description || a.strips.size() != b.strips.size()) return false;
  for (std::size_t i = 0; i < a.strips.size(); ++i) {
    const Journal::Strip& x = a.strips[i];
    const Journal::Strip& y = b.strips[i];
    if (x.number != y.number || x.decided != y.decided || x.pairs != y.pairs) return false;
  }
  return true;
}

void try_text(std::string_view text) {
  const auto read = Journal::parse(text, "fuzz");
  if (!read) {
    if (read.error().code.empty()) broken("an error without a code", read.error().message);
    return;
  }
  if (read->bytes > text.size()) broken("more bytes than there are", std::to_string(read->bytes));
  if (read->bytes == 0) return;
  std::string written = rondo::concordances::journal_head(read->description);
  for (const Journal::Strip& strip : read->strips) written += rondo::concordances::block_text(strip);
  const auto again = Journal::parse(written, "fuzz");
  if (!again) broken("cannot be read again", again.error().to_string());
  if (again->bytes != written.size()) broken("not all of it is read again", written);
  if (!same(*read, *again)) broken("another journal after writing it", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_text(text);
  try_text(with_checksums(text));
  return 0;
}
