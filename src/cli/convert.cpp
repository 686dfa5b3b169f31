#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "rondo/formats/open.h"

namespace rondo::cli {
namespace {

struct ConvertArguments {
  std::string path;
  std::string as;
  bool as_played = false;
  std::string voices = "all";
  bool fold_repeats = false;
  bool strict = false;
};

/// Writes each piece as soon as it is read, so that a file of any size needs the memory of one record.
class Converter final : public PieceSink, public FileVisitor {
 public:
  Converter(const Format& format, const ConvertArguments& options) : format_(format), options_(options) {}

  bool piece(Piece&& piece) override {
    auto text = format_.write(piece);
    if (!text) {
      if (text.error().place.record.empty()) text.error().place.record = piece.id;
      return skip(std::move(text.error()));
    }
    if (is_binary() && written_ > 0) {
      return skip({"convert-one-piece",
                   "a MIDI file can hold only one piece, and this is a second one",
                   {{}, piece.id, {}, 0, 0},
                   "convert to jsonl, or import into a collection and use 'rondo show ID --as midi'"});
    }
    // Records of text formats are separated by a blank line; JSON lines are lines.
    if (written_ > 0 && format_.name != "jsonl") std::fputc('\n', stdout);
    write_to(stdout, *text);
    if (!is_binary() && !text->ends_with('\n')) std::fputc('\n', stdout);
    ++written_;
    return true;
  }
  void warn(Diagnostic warning) override { print_to(stderr, "rondo: {}\n", warning.to_string()); }
  bool skip(Diagnostic why) override {
    ++lost_;
    print_to(stderr, "rondo: {}\n", why.to_string());
    return !options_.strict;
  }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions read;
    read.file = name;
    read.keep_source = false;
    read.as_played = options_.as_played;
    if (options_.voices == "melody") read.voices = VoiceSelection::melody;
    read.expand_repeats = !options_.fold_repeats;
    auto done = read_any(std::move(source), read, *this);
    if (!done) return skip(std::move(done.error()));
    return lost_ == 0 || !options_.strict;
  }
  bool problem(Diagnostic why) override { return skip(std::move(why)); }

  [[nodiscard]] std::size_t written() const { return written_; }
  [[nodiscard]] std::size_t lost() const { return lost_; }

 private:
  [[nodiscard]] bool is_binary() const { return format_.name == "midi"; }

  const Format& format_;
  const ConvertArguments& options_;
  std::size_t written_ = 0;
  std::size_t lost_ = 0;
};

int run(const ConvertArguments& options) {
  const Format& format = *find_format(options.as == "json" ? "jsonl" : options.as);
  if (format.name == "midi" && terminal_width(stdout) != 0) {
    print_to(stderr, "rondo: MIDI is binary and standard output is a terminal\n  add '> melody.mid'\n");
    return kFailed;
  }
  Converter converter(format, options);
  if (auto done = open_path(options.path, converter); !done) return report(done.error());
  if (converter.written() == 0 && converter.lost() == 0) {
    return report({"convert-nothing", "it contains no melody", {options.path, {}, {}, 0, 0}, {}});
  }
  return converter.lost() == 0 ? kSuccess : kFailed;
}

}  // namespace

Action define_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertArguments>();
  app.add_option("path", options->path, "a file, folder or archive of any format that is read, or - for standard input")
      ->required();
  std::vector<std::string> names = {"json"};
  for (const Format& format : formats()) {
    if (format.write != nullptr && format.name != "jsonl") names.emplace_back(format.name);
  }
  app.add_option("--as", options->as, "format to write to standard output")->required()->check(CLI::IsMember(names));
  app.add_option("--voices", options->voices, "all voices of a piece, or only its melody, identified by name or notes")
      ->check(CLI::IsMember({"all", "melody"}))
      ->capture_default_str();
  app.add_flag("--as-played", options->as_played, "keep the ticks of MIDI files instead of quantizing the notes");
  app.add_flag("--fold-repeats", options->fold_repeats, "do not expand repeats");
  app.add_flag("--strict", options->strict, "stop at the first problem instead of leaving out the melody");
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
