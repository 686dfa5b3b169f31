#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "rondo/store/collection.h"
#include "search/index.h"
#include "study/studies.h"

namespace rondo::cli {
namespace {

struct CheckArguments {
  std::string file;
  bool dry_run = false;
  std::string format = "table";
};

/// What is wrong with the files of a collection.
struct Verdict {
  std::vector<CheckReport::Finding> findings;
  std::vector<std::string> unread;  ///< files that could not be looked at: nothing is known of them
  std::uint64_t pieces = 0;
  std::uint64_t voices = 0;
};

/// Says that a file was not read, so that it may well be sound.
bool is_unread(const Error& error) {
  return error.code == "store-unreadable" || error.code == "store-read-only" || error.code == "store-busy" ||
         error.code == "index-unreadable";
}

Result<Verdict> examine_collection(const CheckArguments& options) {
  auto collection = Collection::open(options.file, options.dry_run ? OpenMode::read : OpenMode::write);
  // What may only be read can be checked, not repaired.
  const bool repair = collection.has_value() && !options.dry_run;
  if (!collection && collection.error().code == "store-read-only") {
    collection = Collection::open(options.file, OpenMode::read);
  }
  if (!collection) return fail(std::move(collection.error()));
  auto report = collection->examine(repair);
  if (!report) return fail(std::move(report.error()));
  Verdict verdict{std::move(report->findings), {}, report->pieces, report->voices};

  const auto file = Index::path_for(collection->path());
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return verdict;
  auto index = Index::open(file);
  if (!index && is_unread(index.error())) {
    verdict.unread.push_back(fmt::format("{}: {}", file.string(), index.error().message));
    return verdict;
  }
  std::string wrong = index ? "" : index.error().message;
  if (index) {
    auto fits = index->fits(*collection);
    // What it is to be compared with may be damaged itself.
    if (!fits && fits.error().code == "store-corrupt" && !verdict.findings.empty()) return verdict;
    if (!fits) return fail(std::move(fits.error()));
    if (!*fits) wrong = "it is not up to date";
  }
  if (wrong.empty()) return verdict;
  const bool mended = repair && Index::update(*collection, file).has_value();
  verdict.findings.push_back({fmt::format("the index {}: {}", file.string(), wrong), mended});
  return verdict;
}

int run(const CheckArguments& options) {
  auto verdict = examine_collection(options);
  if (!verdict) return report(verdict.error());
  const auto studies = study::Studies::path_for(options.file);
  std::error_code ignored;
  if (std::filesystem::exists(studies, ignored)) {
    auto sound = study::Studies::examine(options.file);
    if (!sound && is_unread(sound.error())) {
      verdict->unread.push_back(fmt::format("{}: {}", studies.string(), sound.error().message));
    } else if (!sound) {
      const Error& error = sound.error();
      verdict->findings.push_back(
          {fmt::format("{}: {}{}{}", studies.string(), error.message, error.hint.empty() ? "" : "; ", error.hint),
           false});
    }
  }
  const bool unread = !verdict->unread.empty();
  bool lost = false;
  for (const auto& finding : verdict->findings) lost = lost || !finding.repaired;
  if (options.format == "json") {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const auto& [what, repaired] : verdict->findings) findings.push_back({{"what", what}, {"repaired", repaired}});
    const nlohmann::ordered_json out = {{"pieces", verdict->pieces},
                                        {"melodies", verdict->voices},
                                        {"sound", !lost && !unread},
                                        {"findings", findings},
                                        {"not_checked", verdict->unread}};
    print_to(stdout, "{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return lost || unread ? kFailed : kSuccess;
  }
  for (const auto& [what, repaired] : verdict->findings) {
    print_to(stdout, "{}{}\n", printable(what), repaired ? " (repaired)" : "");
  }
  for (const std::string& what : verdict->unread) print_to(stdout, "not checked: {}\n", printable(what));
  print_to(stdout, "{}: {} pieces, {} melodies: {}\n", options.file, grouped(verdict->pieces), grouped(verdict->voices),
           lost                        ? "damaged"
           : unread                    ? "some parts could not be checked"
           : verdict->findings.empty() ? "no damage"
                                       : "repaired");
  return lost || unread ? kFailed : kSuccess;
}

}  // namespace

Action define_check(CLI::App& app) {
  auto options = std::make_shared<CheckArguments>();
  app.add_option("file", options->file, "the collection; its index and its studies are checked with it")->required();
  app.add_flag("--dry-run", options->dry_run, "report damage, but repair nothing");
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
