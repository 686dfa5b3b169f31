#include "rondo/store/import.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "rondo/store/collection.h"
#include "search/index.h"

namespace rondo::cli {
namespace {

struct ImportArguments {
  bool index = true;
  std::vector<std::string> paths;
  std::string db;
  bool strict = false;
  bool progress = false;
  bool reread = false;
  bool fold_repeats = false;
  bool as_played = false;
  std::string voices = "all";
  std::string report;
  std::string format = "table";
};

/// Ctrl-C ends the import after the batch at hand, so that what was read is kept and said.
std::atomic<bool> interrupted = false;

void print_table(const ImportSummary& s) {
  Table table({{""}, {"records", Table::Align::right}});
  const auto row = [&](const char* name, std::int64_t count) {
    table.row({name, grouped(static_cast<std::uint64_t>(count))});
  };
  row("read", s.records);
  row("stored", s.added + s.updated + s.unchanged);
  row("  new", s.added);
  row("  updated", s.updated);
  row("  unchanged", s.unchanged);
  row("skipped", s.skipped);
  row("stored with a warning", s.warned);
  table.print(stdout);
  if (!s.by_code.empty()) {
    Table codes({{"warning"}, {"times", Table::Align::right}});
    for (const auto& [code, count] : s.by_code) codes.row({code, grouped(static_cast<std::uint64_t>(count))});
    print_to(stdout, "\n");
    codes.print(stdout);
  }
}

void print_json(const ImportSummary& s) {
  const nlohmann::ordered_json out = {{"files", s.files},
                                      {"files_unchanged", s.files_unchanged},
                                      {"files_failed", s.files_failed},
                                      {"files_other", s.files_other},
                                      {"records", s.records},
                                      {"added", s.added},
                                      {"updated", s.updated},
                                      {"unchanged", s.unchanged},
                                      {"skipped", s.skipped},
                                      {"warned", s.warned},
                                      {"warnings", s.warnings},
                                      {"by_code", s.by_code},
                                      {"stopped", s.stopped},
                                      {"seconds", s.seconds}};
  print_to(stdout, "{}\n", out.dump(2));
}

int import_all(const ImportArguments& options) {
  const bool show_progress = options.progress || terminal_width(stderr) != 0;
  ProgressBar updating(is_server_address(options.db) ? "fetching the collection" : "updating the collection",
                       show_progress);
  auto collection = Collection::open(options.db, OpenMode::create, [&](std::uint64_t done, std::uint64_t total) {
    if (total != 0) updating.update(done, total, done);
  });
  updating.clear();
  if (!collection) return report(collection.error());
  ImportOptions import;
  import.strict = options.strict;
  import.reread = options.reread;
  import.read.expand_repeats = !options.fold_repeats;
  import.read.as_played = options.as_played;
  if (options.voices == "melody") import.read.voices = VoiceSelection::melody;
  import.report = options.report;
  import.version = RONDO_VERSION;
  std::signal(SIGINT, [](int) { interrupted = true; });

  ProgressBar progress("importing", show_progress);
  auto summary = import_paths(*collection, options.paths, import, [&](const ImportProgress& now) {
    progress.update(now.bytes_done, now.bytes_total, static_cast<std::uint64_t>(now.records));
    return !interrupted;
  });
  progress.clear();
  if (!summary) return report(summary.error());
  if (options.format == "json") {
    print_json(*summary);
  } else {
    print_table(*summary);
  }
  print_to(stderr, "{} file{}{}{}{} in {:.1f} s{}\n", grouped(static_cast<std::uint64_t>(summary->files)),
           summary->files == 1 ? "" : "s",
           summary->files_unchanged == 0 ? "" : fmt::format(" ({} unchanged)", summary->files_unchanged),
           summary->files_other == 0 ? "" : fmt::format(", {} without music ignored", summary->files_other),
           summary->files_failed == 0 ? "" : fmt::format(", {} could not be read", summary->files_failed),
           summary->seconds, summary->stopped ? "; stopped: repeat the command to resume" : "");
  for (const Diagnostic& loss : summary->first_losses) print_to(stderr, "rondo: {}\n", loss.to_string());
  const bool problems = summary->skipped != 0 || summary->files_failed != 0;
  if (static_cast<std::size_t>(summary->skipped + summary->files_failed) > summary->first_losses.size() &&
      options.report.empty()) {
    print_to(stderr,
             "'--report FILE.csv' lists what was skipped and why, 'sqlite3 {} \"SELECT * FROM import_problem\"' too\n",
             collection->path().string());
  }
  if (options.index && !summary->stopped && (summary->added != 0 || summary->updated != 0)) {
    ProgressBar indexing("index", show_progress);
    auto index = Index::update(*collection, Index::path_for(collection->path()),
                               [&](std::size_t done, std::size_t all) { indexing.update(done, all, done); });
    indexing.clear();
    if (!index) {
      print_to(stderr, "rondo: the melodies are stored, but not their index: searches are slow until it is built\n");
      return report(index.error());
    }
  }
  // Nothing at all could be read: that is a failure, not a summary.
  return summary->stopped || (problems && summary->records == summary->skipped && summary->files_unchanged == 0)
             ? kFailed
             : kSuccess;
}

/// Whether there is a collection without a single piece.
bool holds_nothing(const std::string& db) {
  auto collection = Collection::open(db, OpenMode::read);
  if (!collection) return false;
  const auto size = collection->size();
  return size && size->pieces == 0;
}

int run(const ImportArguments& options) {
  // Before anything is made or changed.
  if (auto fine = options.report.empty() ? Result<void>() : check_output(options.report); !fine) {
    return report(fine.error());
  }
  if (is_server_address(options.db)) return import_all(options);
  std::error_code ignored;
  const bool existed = std::filesystem::exists(options.db, ignored);
  const std::filesystem::path folder = std::filesystem::path(options.db).parent_path();
  const bool new_folder = !folder.empty() && std::filesystem::create_directories(folder, ignored);
  const int code = import_all(options);
  // A collection that a failed import has made, and in which nothing would ever be found, does not stay.
  if (code != kSuccess && !existed && holds_nothing(options.db)) {
    for (const std::string ending : {"", "-wal", "-shm", "-journal"}) {
      std::filesystem::remove(options.db + ending, ignored);
    }
    std::filesystem::remove(Index::path_for(options.db), ignored);
    if (new_folder) std::filesystem::remove(folder, ignored);
    print_to(stderr, "rondo: nothing was stored; {} was not created\n", options.db);
  }
  return code;
}

}  // namespace

Action define_import(CLI::App& app) {
  auto options = std::make_shared<ImportArguments>();
  app.add_option("paths", options->paths, "files, folders, zip or gz archives, or - for standard input")->required();
  app.add_option("--db", options->db, "the collection; created if it does not exist")->required();
  app.add_flag("--strict", options->strict, "stop at the first problem instead of skipping the record");
  app.add_flag("!--no-index", options->index, "do not update the search index; the next search does");
  app.add_flag("--progress", options->progress, "show progress even if standard error is not a terminal");
  app.add_flag("--reread", options->reread, "also read files that have not changed since they were imported");
  app.add_flag("--fold-repeats", options->fold_repeats, "do not expand repeats");
  app.add_option("--voices", options->voices, "all voices of a piece, or only its melody, identified by name or notes")
      ->check(CLI::IsMember({"all", "melody"}))
      ->capture_default_str();
  app.add_flag("--as-played", options->as_played, "keep the ticks of MIDI files instead of quantizing the notes");
  app.add_option("--report", options->report, "write one CSV line per problem to this file");
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
