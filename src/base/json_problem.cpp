#include "base/json_problem.h"

#include "base/utf8.h"

namespace rondo {

std::string json_problem(std::string_view message, std::string_view text, std::size_t byte) {
  std::size_t whole = 0;
  while (whole < message.size()) {
    const std::size_t length = utf8_length(message.substr(whole));
    if (length == 0) break;
    whole += length;
  }
  std::string out(message);
  if (whole < message.size() && byte >= 1 && byte <= text.size()) {
    const std::string_view rest = text.substr(byte - 1);
    out.replace(whole, 1, rest.substr(0, utf8_length(rest)));
  }
  return repair_utf8(out);
}

}  // namespace rondo
