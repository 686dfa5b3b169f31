#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

/// Commands as data, taken from the definitions that `--help` prints, so that manual pages, completions and the page of
/// all commands cannot say anything else.
namespace rondo::cli {

struct DescribedOption {
  std::vector<std::string> names;    ///< "-k", "--system"; empty: a word without a name
  std::string value;                 ///< what follows it: "TEXT", or of a word its name; empty: a flag
  std::vector<std::string> choices;  ///< the only values there are; of --system, those that are usual
  std::string description;
  std::string standard;
  bool required = false;
  bool repeats = false;

  [[nodiscard]] bool is_word() const { return names.empty(); }
};

struct Described {
  std::string name;  ///< "search"; of a subcommand "truth show"
  std::string summary;
  std::string example;  ///< may be empty
  std::vector<DescribedOption> options;
  std::vector<Described> subcommands;
  bool needs_subcommand = false;

  /// "rondo truth show [OPTIONS] file"
  [[nodiscard]] std::string usage() const;
};

[[nodiscard]] Described describe(const Command& command);
[[nodiscard]] std::vector<Described> describe_all();

/// A manual page in roff: of one command, or of the program.
[[nodiscard]] std::string manual_page(const Described& command);
[[nodiscard]] std::string manual_overview();
/// docs/commands.md.
[[nodiscard]] std::string commands_page();
/// docs/formats/README.md.
[[nodiscard]] std::string formats_page();
/// A completion script for "bash", "zsh" or "fish"; empty for another word.
[[nodiscard]] std::string completion_script(std::string_view shell);

}  // namespace rondo::cli
