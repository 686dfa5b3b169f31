#include "generate/generate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "generate/marcxml.h"
#include "rondo/formats/format.h"

namespace rondo::cli {
namespace {

struct GenerateArguments {
  std::uint64_t count = 10;
  std::uint64_t seed = 1;
  std::string format = "jsonl";
  bool planted = false;
};

/// False: nothing more can be printed.
bool print(std::string_view text) {
  write_to(stdout, text);
  return std::ferror(stdout) == 0;
}

/// Who is a variant of whom, for those who want to check what a search finds.
int list_planted(const Generator& generator, std::uint64_t count) {
  print("variant\torigin\tkind\n");
  for (std::uint64_t i = 0; i < count; ++i) {
    if (const auto planted = generator.planted(i)) {
      print(fmt::format("{}\t{}\t{}\n", Generator::id(i), Generator::id(planted->origin), name_of(planted->kind)));
    }
  }
  return kSuccess;
}

int run(const GenerateArguments& options) {
  const Generator generator(options.seed);
  if (options.planted) return list_planted(generator, options.count);
  const bool marcxml = options.format == "marcxml";
  const Format* format = marcxml ? nullptr : find_format(options.format);
  ProgressBar progress("generating", options.count >= 100'000 && terminal_width(stderr) != 0);
  if (marcxml) print(marcxml_header());
  std::string out;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const Piece piece = generator.piece(i);
    if (marcxml) {
      append_marcxml_record(out, piece);
    } else {
      auto text = format->write(piece);
      if (!text) return report(text.error());
      out += *text;
      if (!out.ends_with('\n')) out += '\n';
      if (options.format != "jsonl") out += '\n';
    }
    if (out.size() >= 1U << 20U || i + 1 == options.count) {
      if (!print(out)) break;  // said once, at the end, by main
      out.clear();
      progress.update(i, options.count, i);
    }
  }
  if (marcxml) print(marcxml_footer());
  return kSuccess;
}

}  // namespace

Action define_generate(CLI::App& app) {
  auto options = std::make_shared<GenerateArguments>();
  app.add_option("--count", options->count, "how many")->check(whole(0, kMostPieces))->capture_default_str();
  app.add_option("--seed", options->seed, "the same seed gives the same melodies, everywhere")
      ->check(whole(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  app.add_option("--format", options->format, "jsonl, marcxml, pae or abc")
      ->check(CLI::IsMember({"jsonl", "marcxml", "pae", "abc"}))
      ->capture_default_str();
  app.add_flag("--planted", options->planted, "list the planted variants and their originals instead");
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
