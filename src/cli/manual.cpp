#include <fmt/format.h>

#include "cli/described.h"

// Manual pages in the macros of man(7), as every Unix has them.
namespace rondo::cli {
namespace {

/// Text as roff prints it: a hyphen stays one that can be copied, a backslash is not a command.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  // A line that begins with these would be a request.
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == ' ' ? '-' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

std::string heading(std::string_view name, std::string_view summary) {
  const std::string page = name.empty() ? "rondo" : fmt::format("rondo-{}", name);
  return fmt::format(".TH {} 1 \"\" \"Rondo {}\" \"Rondo\"\n.SH NAME\n{} \\- {}\n", upper(page), RONDO_VERSION,
                     roff(page), roff(summary));
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string option_text(const DescribedOption& option) {
  std::string term;
  for (const std::string& name : option.names) {
    term += fmt::format("{}\\fB{}\\fR", term.empty() ? "" : ", ", roff(name));
  }
  if (!option.value.empty()) term += fmt::format("{}\\fI{}\\fR", term.empty() ? "" : " ", roff(option.value));
  std::string out = fmt::format(".TP\n{}\n{}", term, roff(option.description));
  if (!option.choices.empty()) out += fmt::format(" (one of: {})", roff(joined(option.choices, ", ")));
  if (!option.standard.empty()) out += fmt::format(" [default: {}]", roff(option.standard));
  if (option.required) out += " (required)";
  return out + "\n";
}

std::string options_text(const Described& command) {
  std::string out;
  for (const DescribedOption& option : command.options) {
    if (option.is_word()) out += option_text(option);
  }
  for (const DescribedOption& option : command.options) {
    if (!option.is_word()) out += option_text(option);
  }
  return out;
}

constexpr std::string_view kEnd =
    ".SH EXIT STATUS\n0 success, 1 failed, 2 wrong usage.\n"
    ".PP\nResults go to standard output, messages to standard error.\n";

}  // namespace

std::string manual_page(const Described& command) {
  std::string out = heading(command.name, command.summary);
  out += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n", roff(command.usage()));
  if (!command.options.empty()) out += ".SH OPTIONS\n" + options_text(command);
  if (!command.subcommands.empty()) out += ".SH SUBCOMMANDS\n";
  for (const Described& sub : command.subcommands) {
    out += fmt::format(".SS {}\n{}\n.PP\n\\fB{}\\fR\n{}", roff(sub.name), roff(sub.summary), roff(sub.usage()),
                       options_text(sub));
  }
  out += fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(command.example));
  return out + std::string(kEnd) + ".SH SEE ALSO\n\\fBrondo\\fR(1)\n";
}

std::string manual_overview() {
  std::string out = heading("", "find melodies that resemble a melody, and measure how well that works");
  out += ".SH SYNOPSIS\n\\fBrondo\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH COMMANDS\n";
  std::string also;
  for (const Command& command : commands()) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.summary));
    also += fmt::format("{}\\fBrondo\\-{}\\fR(1)", also.empty() ? "" : ",\n", roff(command.name));
  }
  out += ".TP\n\\fBhelp\\fR \\fICOMMAND\\fR\noptions and an example of a command\n";
  return out + std::string(kEnd) + ".SH SEE ALSO\n" + also + "\n";
}

}  // namespace rondo::cli
