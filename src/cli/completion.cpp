#include <fmt/format.h>

#include <string>

#include "cli/described.h"

// Scripts that complete a command line for three shells. Where a value has no list of choices, files are offered.
namespace rondo::cli {
namespace {

/// Commands and subcommands in one list: "truth", "truth show".
std::vector<const Described*> flattened(const std::vector<Described>& all) {
  std::vector<const Described*> out;
  for (const Described& command : all) {
    out.push_back(&command);
    for (const Described& sub : command.subcommands) out.push_back(&sub);
  }
  return out;
}

std::string last_word(const std::string& name) { return name.substr(name.find_last_of(' ') + 1); }

std::string names_of(const std::vector<Described>& commands) {
  std::string out;
  for (const Described& command : commands) out += (out.empty() ? "" : " ") + last_word(command.name);
  return out;
}

std::string options_of(const Described& command) {
  std::string out = "--help";
  for (const DescribedOption& option : command.options) {
    for (const std::string& name : option.names) out += " " + name;
  }
  return out;
}

std::string bash(const std::vector<Described>& all) {
  std::string options;
  std::string values;
  std::string parents;
  for (const Described* command : flattened(all)) {
    options += fmt::format("    '{}') words='{}' ;;\n", command->name, options_of(*command));
    if (!command->subcommands.empty()) {
      parents += fmt::format("    {}) subcommands='{}' ;;\n", command->name, names_of(command->subcommands));
    }
    for (const DescribedOption& option : command->options) {
      if (option.choices.empty()) continue;
      for (const std::string& name : option.names) {
        values += fmt::format("    '{} {}') words='{}' ;;\n", command->name, name, fmt::join(option.choices, " "));
      }
    }
  }
  return fmt::format(R"(# bash completion for rondo; written by 'rondo help --completion bash'
_rondo() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} path=${{COMP_WORDS[1]}}
  local words='' subcommands=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{commands} help' -- "$word"))
    return
  fi
  if [[ $path == help ]]; then
    COMPREPLY=($(compgen -W '{commands}' -- "$word"))
    return
  fi
  case $path in
{parents}  esac
  if [[ -n $subcommands ]]; then
    if ((COMP_CWORD == 2)) && [[ $word != -* ]]; then
      COMPREPLY=($(compgen -W "$subcommands" -- "$word"))
      return
    fi
    [[ " $subcommands " == *" ${{COMP_WORDS[2]}} "* ]] && path+=" ${{COMP_WORDS[2]}}"
  fi
  case "$path $before" in
{values}  esac
  if [[ -z $words && $word == -* ]]; then
    case $path in
{options}    esac
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _rondo rondo
)",
                     fmt::arg("commands", names_of(all)), fmt::arg("parents", parents), fmt::arg("values", values),
                     fmt::arg("options", options));
}

/// Within single quotes and the brackets of zsh's _arguments, or of fish.
std::string quoted(std::string_view text, std::string_view escaped) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (escaped.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const DescribedOption& option) {
  if (option.choices.empty()) return ":" + quoted(option.value, ":") + ":_files";
  return fmt::format(":{}:({})", quoted(option.value, ":"), fmt::join(option.choices, " "));
}

std::string zsh_arguments(const Described& command) {
  std::string out = "_arguments '--help[options and an example]'";
  for (const DescribedOption& option : command.options) {
    const std::string text = quoted(option.description, "[]:\\");
    for (const std::string& name : option.names) {
      out += fmt::format(" \\\n        '*{}[{}]{}'", name, text, option.value.empty() ? "" : zsh_action(option));
    }
  }
  return out + " \\\n        '*:file:_files'";
}

std::string zsh(const std::vector<Described>& all) {
  std::string commands;
  std::string cases;
  for (const Described& command : all) {
    commands += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary, ":"));
    std::string inner = zsh_arguments(command);
    if (!command.subcommands.empty()) {
      std::string subs;
      for (const Described& sub : command.subcommands) {
        subs += fmt::format("      {}) shift words; ((CURRENT--)); {} ;;\n", last_word(sub.name), zsh_arguments(sub));
      }
      inner = fmt::format(
          "if ((CURRENT == 2)); then _values subcommand {}; return; fi\n      case $words[2] in\n{}"
          "      *) {} ;;\n      esac",
          names_of(command.subcommands), subs, inner);
    }
    cases += fmt::format("    {}) {} ;;\n", command.name, inner);
  }
  return fmt::format(R"(#compdef rondo
# zsh completion for rondo; written by 'rondo help --completion zsh'
_rondo() {{
  local -a commands=(
{commands}    'help:options and an example of a command'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
{cases}    help) _describe command commands ;;
  esac
}}
_rondo "$@"
)",
                     fmt::arg("commands", commands), fmt::arg("cases", cases));
}

std::string fish_option(const DescribedOption& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty())
    out += option.choices.empty() ? " -r -F" : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
  return out + fmt::format(" -d '{}'", quoted(option.description, ""));
}

std::string fish(const std::vector<Described>& all) {
  std::string out = "# fish completion for rondo; written by 'rondo help --completion fish'\n";
  for (const Described& command : all) {
    out += fmt::format("complete -c rondo -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       quoted(command.summary, ""));
  }
  out += "complete -c rondo -f -n __fish_use_subcommand -a help -d 'options and an example of a command'\n";
  out += fmt::format("complete -c rondo -f -n '__fish_seen_subcommand_from help' -a '{}'\n", names_of(all));
  for (const Described* command : flattened(all)) {
    const std::size_t blank = command->name.find(' ');
    std::string when = "__fish_seen_subcommand_from " + command->name.substr(0, blank);
    if (blank != std::string::npos) when += "; and __fish_seen_subcommand_from " + command->name.substr(blank + 1);
    for (const Described& sub : command->subcommands) {
      out += fmt::format("complete -c rondo -f -n '{}; and not __fish_seen_subcommand_from {}' -a {} -d '{}'\n", when,
                         names_of(command->subcommands), last_word(sub.name), quoted(sub.summary, ""));
    }
    for (const DescribedOption& option : command->options) {
      if (!option.is_word()) out += fmt::format("complete -c rondo -n '{}'{}\n", when, fish_option(option));
    }
  }
  return out;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  const std::vector<Described> all = describe_all();
  if (shell == "bash") return bash(all);
  if (shell == "zsh") return zsh(all);
  if (shell == "fish") return fish(all);
  return {};
}

}  // namespace rondo::cli
