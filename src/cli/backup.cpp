#include "store/backup.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "rondo/store/collection.h"
#include "search/index.h"
#include "study/studies.h"

namespace rondo::cli {
namespace {

struct BackupArguments {
  std::string from;
  std::string to;
  bool restore = false;
};

using Copy = Result<std::uint64_t> (*)(const std::filesystem::path&, const std::filesystem::path&);

/// The studies first: whoever finds the copy of the collection finds everything.
int copy_both(const BackupArguments& options, Copy copy) {
  const auto from = study::Studies::path_for(options.from);
  const auto to = study::Studies::path_for(options.to);
  std::error_code ignored;
  const bool studies = std::filesystem::exists(from, ignored);
  if (copy == back_up) {  // neither of the two, or both
    for (const std::filesystem::path& target : {std::filesystem::path(options.to), to}) {
      if (auto fine = check_backup(target); !fine) return report(fine.error());
    }
  }
  if (studies) {
    auto bytes = copy(from, to);
    if (!bytes) return report(bytes.error());
    print_to(stdout, "{}: {} bytes\n", to.string(), grouped(*bytes));
  }
  auto bytes = copy(options.from, options.to);
  if (!bytes) return report(bytes.error());
  print_to(stdout, "{}: {} bytes\n", options.to, grouped(*bytes));
  return kSuccess;
}

int run(BackupArguments& options) {
  if (is_server_address(options.to)) {
    return report(
        Error{"backup-server", "a copy cannot be restored to a PostgreSQL server", {}, "use pg_dump and pg_restore"});
  }
  // Both must be collections: nothing else is copied, and nothing else is overwritten.
  {
    auto collection = Collection::open(options.from, OpenMode::read);
    if (!collection) return report(collection.error());
    options.from = collection->path().string();
  }
  std::error_code ignored;
  if (!options.restore) return copy_both(options, back_up);
  if (std::filesystem::exists(options.to, ignored)) {
    auto collection = Collection::open(options.to, OpenMode::write);
    const std::string code = collection ? "" : collection.error().code;
    if (code == "store-foreign" || code == "store-not-sqlite") return report(collection.error());
  } else if (auto fine = check_output(options.to); !fine) {
    return report(fine.error());
  }
  const int code = copy_both(options, restore);
  if (code != kSuccess) return code;
  auto collection = Collection::open(options.to, OpenMode::read);
  if (!collection) return report(collection.error());
  auto index = Index::update(*collection, Index::path_for(options.to));
  if (!index) return report(index.error());
  return kSuccess;
}

}  // namespace

Action define_backup(CLI::App& app) {
  auto options = std::make_shared<BackupArguments>();
  app.add_option("from", options->from, "the collection; with --restore the copy")->required();
  app.add_option("to", options->to, "the copy, which must not exist yet; with --restore the collection")->required();
  app.add_flag("--restore", options->restore, "restore the collection from a copy; the collection may be in use");
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
