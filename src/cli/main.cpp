#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/described.h"
#include "cli/help_text.h"
#include "cli/print.h"
#include "cli/terminal.h"

namespace rondo::cli {
namespace {

std::vector<std::string> words_given;

/// Called once, by main.
void remember_words(int argc, char** argv) { words_given.assign(argv + std::min(argc, 1), argv + argc); }

/// A word that means itself to a shell is left as it is; any other goes into single quotes.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

const Command* find(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int unknown_command(std::string_view name) {
  print_to(stderr, "rondo: there is no command '{}'\n", name);
  const auto nearest = std::min_element(commands().begin(), commands().end(), [&](const auto& a, const auto& b) {
    return word_distance(name, a.name) < word_distance(name, b.name);
  });
  if (word_distance(name, nearest->name) <= 3) print_to(stderr, "  did you mean 'rondo {}'?\n", nearest->name);
  print_to(stderr, "  'rondo help' lists all commands\n");
  return kUsage;
}

void overview(std::FILE* out) {
  print_to(out,
           "Rondo finds melodies that resemble a melody, and measures how well any system\ndoes so.\n\n"
           "Usage: rondo COMMAND [OPTION]...\n\n");
  for (const Command& command : commands()) print_to(out, "  {:<12} {}\n", command.name, command.summary);
  print_to(out,
           "\n  help CMD     options and an example of a command\n"
           "  --version    version of this program\n\n"
           "Results go to standard output, messages to standard error.\n"
           "Exit code: 0 success, 1 failed, 2 wrong usage.\n");
}

/// The parser of one command; its name and usage read as the user types them.
std::unique_ptr<CLI::App> make_app(const Command& command, Action& action) {
  auto app = std::make_unique<CLI::App>(std::string(command.summary), "rondo " + std::string(command.name));
  app->footer("\nExample:\n  " + std::string(command.example));
  app->get_formatter()->column_width(30);
  action = command.define(*app);
  return app;
}

/// Help breaks at words: at the terminal's width, elsewhere at 80 columns.
std::string help_of(const CLI::App& app, const std::string& before = {}) {
  constexpr std::size_t kColumns = 80;
  const std::size_t width = terminal_width(stdout);
  return wrap_help(app.help(before), width == 0 ? kColumns : std::max(width, std::size_t{40}));
}

/// All options of a command and of what stands below it.
void collect_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* below : app.get_subcommands({})) collect_options(*below, names);
}

/// Options that there are not, each with the one that is spelled most alike.
void suggest_options(const CLI::App& app) {
  std::vector<std::string> names;
  collect_options(app, names);
  if (names.empty()) return;
  for (const std::string& word : words_given) {
    const std::string given = word.substr(0, word.find('='));
    if (given == "--") return;  // what follows are no options
    if (!given.starts_with("--") || std::find(names.begin(), names.end(), given) != names.end()) continue;
    const auto nearest = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
      return word_distance(given, a) < word_distance(given, b);
    });
    print_to(stderr, "  there is no option '{}'", given);
    if (word_distance(given, *nearest) <= 3) print_to(stderr, "; did you mean '{}'?", *nearest);
    print_to(stderr, "\n");
  }
}

/// What packages are made of: `rondo help --man [COMMAND]`, `--completion SHELL`; pages: `--markdown`, `--formats`.
int help_for_packages(std::string_view wish, std::string_view name) {
  std::string text;
  if (wish == "--markdown") text = commands_page();
  if (wish == "--formats") text = formats_page();
  if (wish == "--completion") text = completion_script(name);
  if (wish == "--man" && name.empty()) text = manual_overview();
  if (const Command* command = find(name); wish == "--man" && command != nullptr)
    text = manual_page(describe(*command));
  if (text.empty()) {
    print_to(stderr, "rondo help: --man [COMMAND], --completion bash|zsh|fish, --markdown or --formats\n");
    return kUsage;
  }
  print_to(stdout, "{}", text);
  return kSuccess;
}

int help(int argc, char** argv) {
  if (argc <= 2) {
    overview(stdout);
    return kSuccess;
  }
  if (std::string_view(argv[2]).starts_with("--")) return help_for_packages(argv[2], argc > 3 ? argv[3] : "");
  const Command* command = find(argv[2]);
  if (command == nullptr) return unknown_command(argv[2]);
  Action action;
  const auto app = make_app(*command, action);
  const CLI::App* shown = app.get();
  std::string before;
  for (int i = 3; i < argc; ++i) {
    before += (before.empty() ? "" : " ") + shown->get_name();
    const auto all = shown->get_subcommands({});
    const auto below =
        std::find_if(all.begin(), all.end(), [&](const CLI::App* one) { return one->get_name() == argv[i]; });
    if (below == all.end()) {
      print_to(stderr, "rondo help: '{}' has no subcommand '{}'\n  'rondo help {}' lists its subcommands\n", before,
               argv[i], command->name);
      return kUsage;
    }
    shown = *below;
  }
  print_to(stdout, "{}", help_of(*shown, before));
  return kSuccess;
}

int run(const Command& command, int argc, char** argv) {
  Action action;
  const auto app = make_app(command, action);
  try {
    app->parse(argc - 1, argv + 1);
  } catch (const CLI::CallForHelp&) {
    print_to(stdout, "{}", help_of(*app));
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    print_to(stderr, "rondo {}: {}\n", command.name, error.what());
    if (std::string_view(error.what()) == "--db is required") {
      print_to(stderr, "  name a collection; the first is made by 'rondo import FILES --db music.db'\n");
    }
    suggest_options(*app);
    print_to(stderr, "  'rondo help {}' shows its options and an example\n", command.name);
    return kUsage;
  }
  return action();
}

/// A shell has opened what it redirects to before this program begins: nothing may be appended to a collection.
Result<void> check_redirection() {
  auto fine = check_output("/dev/stderr");
  return fine ? check_output("/dev/stdout") : fine;
}

/// A full disk or a closed stream shows only at the end: what could not be printed is a failure, also of messages.
int finished(int code) {
  const int lost = printing_error(stdout);
  if (lost != 0) {
    print_to(stderr, "rondo: standard output could not be written: {}\n", std::generic_category().message(lost));
  }
  const bool all = lost == 0 && printing_error(stderr) == 0;
  return all || code != kSuccess ? code : kFailed;
}

int command_of(int argc, char** argv) {
  if (argc < 2) {
    overview(stderr);
    return kUsage;
  }
  const std::string_view word = argv[1];
  if (word == "help" || word == "--help" || word == "-h") return help(argc, argv);
  if (word == "--version" || word == "version") {
    print_to(stdout, "rondo {}\n", RONDO_VERSION);
    return kSuccess;
  }
  const Command* command = find(word);
  return command == nullptr ? unknown_command(word) : run(*command, argc, argv);
}

/// Without allocating anything.
void report_no_memory() {
  constexpr std::string_view kMessage = "rondo: out of memory\n";
  (void)!::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

/// Called where nothing catches an exception: in a thread, or in a destructor. Nothing that was acknowledged depends on
/// how a process ends, so one that has no memory may end here; every other exception is a bug.
[[noreturn]] void on_terminate() {
  const std::type_info* thrown = abi::__cxa_current_exception_type();
  if (thrown == nullptr || *thrown != typeid(std::bad_alloc)) std::abort();
  report_no_memory();
  std::_Exit(kFailed);
}

int run(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  remember_words(argc, argv);
  reserve_standard_streams();
  if (auto fine = check_redirection(); !fine) {
    // Where messages go to a collection, even this one may not be printed.
    return check_output("/dev/stderr") ? report(fine.error()) : kFailed;
  }
  return finished(command_of(argc, argv));
}

}  // namespace

int run_program(int argc, char** argv) {
  std::set_terminate(on_terminate);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    report_no_memory();
    return kFailed;
  }
}

std::string command_line() {
  std::string out = "rondo";
  for (const std::string& word : words_given) out += " " + quoted(word);
  return out;
}

int report(const Error& error) {
  const std::string place = error.place.to_string();
  print_to(stderr, "rondo: {}{}{}\n", place, place.empty() ? "" : ": ", error.message);
  if (!error.hint.empty()) print_to(stderr, "  {}\n", error.hint);
  return kFailed;
}

}  // namespace rondo::cli

int main(int argc, char** argv) { return rondo::cli::run_program(argc, argv); }
