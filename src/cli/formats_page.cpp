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
      "use. A file's format is recognised by its content, never by its name; zip and gz archives are read in "
      "place.\n\n"
      "| format | word | reads | writes | media type |\n| --- | --- | --- | --- | --- |\n";
  for (const Format& format : formats()) {
    out += fmt::format("| [{}]({}.md) | `{}` | {} | {} | {} |\n", format.title, page_of(format.name), format.name,
                       format.read != nullptr ? "yes" : "", format.write != nullptr ? "yes" : "", format.mime);
  }
  return out +
         "\nEach page says what is read, what is left out, and the codes of its warnings. Runs and truths are "
         "described\n"
         "in [evaluation.md](../evaluation.md), the collection's own file in [schema.md](../schema.md).\n\n"
         "## The melody of several voices\n\n"
         "All voices of a piece are kept, and a search can find each of them. With `--voices melody`, `rondo import` "
         "and\n"
         "`rondo convert` keep only the melody and report which voice it was (`melody-chosen`), for every format.\n\n"
         "1. By name: a voice called melody, lead or theme, also in other languages; else one called vocals, voice or "
         "solo; else\n"
         "   soprano, cantus or the like. Voices called bass, chords, pad, drums, accompaniment or backing are never "
         "chosen where\n"
         "   there are others.\n"
         "2. If several voices or none have such a name, by the notes: the voice that is the highest for most of the "
         "piece\n"
         "   and of its own duration, sounds often enough, moves in small steps, and has few chords, few repeated "
         "notes "
         "and\n   no low range.\n"
         "3. If that voice has chords, only the highest note of each onset is kept. Lower notes that begin "
         "while "
         "a "
         "higher one\n"
         "   sounds, and those more than an octave below the melody so far, are left out.\n\n"
         "`tests/golden/find_melody_test.cpp` measures it on MIDI files made of folk tunes with accompaniments by "
         "rule, "
         "and on\n"
         "chorales.\n";
}

}  // namespace rondo::cli
