#include <fmt/format.h>

#include <algorithm>

#include "cli/described.h"
#include "cli/terminal.h"

namespace rondo::cli {
namespace {

std::string term(const DescribedOption& option) {
  std::string out = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.value.empty()) out += (out.empty() ? "" : " ") + option.value;
  return option.repeats ? out + "..." : out;
}

/// Whether the description itself tells the choices.
bool names_all(const DescribedOption& option) {
  return std::all_of(option.choices.begin(), option.choices.end(),
                     [&](const std::string& choice) { return option.description.find(choice) != std::string::npos; });
}

/// A summary as a sentence.
std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

std::string options_table(const Described& command) {
  if (command.options.empty()) return "";
  std::string out = "| option | what |\n| --- | --- |\n";
  for (const DescribedOption& option : command.options) {
    const bool systems = option.choices.size() > 12;
    std::string notes;
    if (!option.choices.empty() && !systems && !names_all(option))
      notes += fmt::format("; one of {}", fmt::join(option.choices, ", "));
    if (!option.standard.empty()) notes += fmt::format("; default `{}`", option.standard);
    if (option.required) notes += "; required";
    out += fmt::format("| `{}` | {}{} |\n", markdown_cell(term(option)), markdown_cell(option.description),
                       markdown_cell(notes));
  }
  return out + "\n";
}

}  // namespace

std::string commands_page() {
  std::string out =
      "# Commands\n\n"
      "Written by `rondo help --markdown > docs/commands.md` from the definitions that `rondo help` prints; a test "
      "fails\n"
      "if they differ. Results go to standard output, messages to standard error; exit code 0 is success, 1 failure, "
      "2\n"
      "wrong usage. Every example is run by a test, in this order.\n";
  for (const Described& command : describe_all()) {
    out += fmt::format("\n## {}\n\n{}\n\n    $ {}\n\n", command.name, sentence(command.summary), command.example);
    out += fmt::format("`{}`\n\n{}", command.usage(), options_table(command));
    for (const Described& sub : command.subcommands) {
      out +=
          fmt::format("### {}\n\n{}\n\n`{}`\n\n{}", sub.name, sentence(sub.summary), sub.usage(), options_table(sub));
    }
    out.pop_back();
  }
  return out;
}

}  // namespace rondo::cli
