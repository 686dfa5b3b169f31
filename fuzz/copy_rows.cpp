// Takes bytes as the rows that a PostgreSQL server sends. However they are cut into messages, the same rows come out or
// the same error does.

#include "store/postgresql/copy_rows.h"

#include <cstdio>
#include <cstdlib>

namespace {

using rondo::postgresql::CopyReader;

/// Rows and error as one text.
std::string outcome(std::string_view bytes, std::size_t fields, std::size_t message) {
  CopyReader reader(fields);
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += message) {
    reader.add(bytes.substr(i, message));
    for (;;) {
      auto row = reader.next();
      if (!row) return out + "error " + row.error().code;
      if (*row == nullptr) break;
      for (const auto& field : **row) {
        out += field ? "[" + std::string(*field) + "]" : "null";
        if (!field) continue;
        (void)rondo::postgresql::integer_of(field);
        auto text = rondo::postgresql::original_text(*field);
        if (text && rondo::postgresql::original_text(rondo::postgresql::stored_text(*text)).value() != *text)
          std::abort();
      }
    }
  }
  return out + (reader.ended() ? "ended" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t fields = data[0] % 16;
  const std::size_t message = data[1] + std::size_t{1};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (outcome(bytes, fields, message) != outcome(bytes, fields, bytes.size() + 1)) std::abort();
  return 0;
}
