#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "formats/pae.h"
#include "rondo/formats/format.h"
#include "rondo/store/collection.h"

namespace rondo::cli {
namespace {

struct ShowArguments {
  std::string id;
  std::string db;
  std::string as;
};

void line(std::string_view name, std::string_view value) {
  if (!value.empty()) print_to(stdout, "{:<11} {}\n", name, printable(value));
}

void describe_voice(const Voice& voice, std::size_t number, std::size_t of) {
  if (of > 1) print_to(stdout, "\nvoice {}{}\n", number, voice.name.empty() ? "" : ": " + printable(voice.name));
  std::string names;
  for (const Note& note : voice.notes) {
    if (!names.empty()) names += ' ';
    names += note.grace ? "(" + note.pitch.to_string() + ")" : note.pitch.to_string();
  }
  const std::size_t width = terminal_width(stdout);
  line("length", fmt::format("{} notes, {} bars, {} whole notes", voice.notes.size(), voice.bars.size(),
                             voice.length.to_string()));
  if (!voice.clefs.empty()) line("clef", voice.clefs.front().value.to_string());
  if (!voice.keys.empty()) line("key", voice.keys.front().value.to_string());
  if (!voice.key_signatures.empty()) line("signature", voice.key_signatures.front().value.to_string());
  if (!voice.times.empty()) line("time", voice.times.front().value.to_string());
  if (const auto pae = to_pae(voice)) line("notation", pae->data);
  line("notes", width == 0 ? names : fit(names, std::max<std::size_t>(20, width - 12)));
}

void describe(const Piece& piece) {
  line("id", piece.id);
  line("title", piece.metadata.title);
  line("composer", piece.metadata.composer);
  line("year", piece.metadata.year);
  line("source", piece.metadata.source);
  line("library", piece.metadata.library);
  line("shelfmark", piece.metadata.shelfmark);
  for (const std::string& number : piece.metadata.catalogue) line("catalogue", number);
  line("uri", piece.metadata.uri);
  for (const auto& [name, value] : piece.metadata.fields) line(name, value);
  if (piece.voices.empty()) print_to(stdout, "This record has no notation.\n");
  for (std::size_t i = 0; i < piece.voices.size(); ++i) describe_voice(piece.voices[i], i + 1, piece.voices.size());
}

int run(const ShowArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto piece = collection->get(options.id);
  if (!piece) return report(piece.error());
  if (options.as.empty()) {
    describe(*piece);
    return kSuccess;
  }
  auto text = find_format(options.as == "json" ? "jsonl" : options.as)->write(*piece);
  if (!text) return report(text.error());
  if (options.as == "midi" && terminal_width(stdout) != 0) {
    print_to(stderr, "rondo: MIDI is binary and standard output is a terminal\n  add '> melody.mid'\n");
    return kFailed;
  }
  write_to(stdout, *text);
  if (options.as != "midi" && !text->ends_with('\n')) std::fputc('\n', stdout);
  return kSuccess;
}

}  // namespace

Action define_show(CLI::App& app) {
  auto options = std::make_shared<ShowArguments>();
  app.add_option("id", options->id, "id of the melody")->required();
  add_db(app, options->db);
  std::vector<std::string> names = {"json"};
  for (const Format& format : formats()) {
    if (format.write != nullptr && format.name != "jsonl") names.emplace_back(format.name);
  }
  app.add_option("--as", options->as, "format to write; without it, a readable description")
      ->check(CLI::IsMember(names));
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
