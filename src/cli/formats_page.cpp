#include <fmt/format.h>

#include "cli/described.h"
#include "rondo/formats/format.h"

namespace rondo::cli {
namespace {

/// Formats that share a page: both forms of MARC.
std::string page_of(std::string_view name) { return name.starts_with("marc") ? "marc" : std::string(name); }

}  // namespace

std::string formats_page() {
  std::string out =
      "# Formats\n\n"
      "Written by `rondo help --formats > docs/formats/README.md` from the table that recognition, `--as` and "
      "`--format`\n"
      "go by. A file's format is told by its content, never by its name; zip and gz archives are read in place.\n\n"
      "| format | word | reads | writes | media type |\n| --- | --- | --- | --- | --- |\n";
  for (const Format& format : formats()) {
    out += fmt::format("| [{}]({}.md) | `{}` | {} | {} | {} |\n", format.title, page_of(format.name), format.name,
                       format.read != nullptr ? "yes" : "", format.write != nullptr ? "yes" : "", format.mime);
  }
  return out +
         "\nEach page says what is read, what is left out, and the codes of its warnings. Runs and truths are "
         "described\n"
         "in [evaluation.md](../evaluation.md), the collection's own file in [schema.md](../schema.md).\n";
}

}  // namespace rondo::cli
