#include <fmt/format.h>

#include "store/user_sql.h"

namespace rondo {
namespace {

Failure malformed(std::string message, std::size_t at) {
  Place place;
  place.column = static_cast<std::uint32_t>(at + 1);
  return fail("sql-malformed", std::move(message), std::move(place),
              "write one condition, such as: range BETWEEN 12 AND 15 AND composer LIKE '%bach%'");
}

/// One past the end of the quoted text that begins at `at`; npos when it does not end.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char close = text[at] == '[' ? ']' : text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] != close) continue;
    const bool doubled = close != ']' && i + 1 < text.size() && text[i + 1] == close;
    if (!doubled) return i + 1;
    ++i;
  }
  return std::string_view::npos;
}

}  // namespace

Result<void> check_expression(std::string_view expression) {
  std::vector<std::size_t> open;
  bool anything = false;
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    const char next = at + 1 < expression.size() ? expression[at + 1] : '\0';
    anything = anything || (c != ' ' && c != '\t' && c != '\n' && c != '\r');
    if (c == '\0') return malformed("there is a NUL in the expression", at);
    if (c == ';') return malformed("';' ends a statement, but a single expression is expected", at);
    if ((c == '-' && next == '-') || (c == '/' && next == '*')) return malformed("comments are not allowed here", at);
    if (c == '?' || c == ':' || c == '@' || c == '$' || c == '#') {
      return malformed(fmt::format("'{}' is not allowed in an expression", c), at);
    }
    if (c == '\'' || c == '"' || c == '`' || c == '[') {
      const std::size_t end = end_of_quoted(expression, at);
      if (end == std::string_view::npos) return malformed(fmt::format("the {} is not closed", c), at);
      at = end;
      continue;
    }
    if (c == '(') open.push_back(at);
    if (c == ')') {
      if (open.empty()) return malformed("this ')' has no matching '('", at);
      open.pop_back();
    }
    ++at;
  }
  if (!open.empty()) return malformed("this '(' is not closed", open.back());
  if (!anything) return malformed("there is no expression", 0);
  return {};
}

}  // namespace rondo
