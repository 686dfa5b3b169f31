#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace CLI {
class App;
}

namespace rondo::cli {

/// Exit codes are a contract: scripts tell "it failed" from "you called it wrongly".
inline constexpr int kSuccess = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;

/// What a command does once its options are read; gives the exit code.
using Action = std::function<int()>;

/// One row of the table of commands. To add a command: one file with `define_NAME`, one row in commands.cpp.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// A command line that works as it stands after ./dev demo.
  std::string_view example;
  /// Adds options to `app`; the Action holds what they are read into.
  Action (*define)(CLI::App& app);
};

[[nodiscard]] std::span<const Command> commands();

/// Prints an error the way all commands do ("rondo: place: message", then the hint) and gives kFailed.
int report(const Error& error);

/// The command line this program was called with, quoted so that a shell understands it the same way.
[[nodiscard]] std::string command_line();

Action define_backup(CLI::App& app);
Action define_bench(CLI::App& app);
Action define_candidates(CLI::App& app);
Action define_check(CLI::App& app);
Action define_compare(CLI::App& app);
Action define_concordances(CLI::App& app);
Action define_convert(CLI::App& app);
Action define_evaluate(CLI::App& app);
Action define_export(CLI::App& app);
Action define_features(CLI::App& app);
Action define_filter(CLI::App& app);
Action define_generate(CLI::App& app);
Action define_import(CLI::App& app);
Action define_index(CLI::App& app);
Action define_mirex2005(CLI::App& app);  ///< below `evaluate`
Action define_run(CLI::App& app);
Action define_search(CLI::App& app);
Action define_serve(CLI::App& app);
Action define_show(CLI::App& app);
Action define_study(CLI::App& app);
Action define_systems(CLI::App& app);
Action define_truth(CLI::App& app);
Action define_truth_build(CLI::App& app);  ///< below `truth`

}  // namespace rondo::cli
