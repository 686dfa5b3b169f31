#include <algorithm>
#include <array>

#include "query/draft.h"

namespace rondo {
namespace {

constexpr std::array<std::string_view, 27> kEndings = {
    ".abc", ".krn",  ".kern", ".mid",  ".midi",    ".smf", ".xml",    ".musicxml", ".mxl",
    ".mei", ".mscx", ".mscz", ".json", ".jsonl",   ".pae", ".ndjson", ".esac",     ".sm",
    ".txt", ".csv",  ".mrc",  ".marc", ".marcxml", ".zip", ".gz",     ".db",       ".hmd"};

/// Letters that Plaine & Easie has; others beside a slash make it a path.
constexpr std::string_view kNotation = "ABCDEFGHabcdefghnxiqrtyupg0123456789',.-=+^/(){};!:_#~ ?*&|";

}  // namespace

bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > 4096 || text.find_first_of("\n\r\t|") != std::string_view::npos) return false;
  if (text.starts_with("./") || text.starts_with("../") || text.starts_with("~/")) return true;
  // Files are not called so: it is notation, if perhaps with a sign too many.
  if (text.front() == '\'' || text.front() == ',') return false;
  const std::string small = query::lowered(text);
  const auto ending = std::find_if(kEndings.begin(), kEndings.end(), [&](std::string_view one) {
    return small.size() > one.size() && small.ends_with(one);
  });
  if (ending != kEndings.end()) {
    // "4.abc" are three notes.
    const std::string_view stem = text.substr(0, text.size() - ending->size());
    const bool notes = *ending == ".abc" && query::is_digit(stem.back()) &&
                       stem.find_first_not_of(kNotation) == std::string_view::npos;
    return !notes;
  }
  return text.find('/') != std::string_view::npos && text.find(' ') == std::string_view::npos &&
         text.find_first_not_of(kNotation) != std::string_view::npos &&
         text.find_first_of("%@$<>[]\"") == std::string_view::npos;
}

}  // namespace rondo
