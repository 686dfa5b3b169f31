#include "cli/described.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "rondo/similarity/system.h"

namespace rondo::cli {
namespace {

/// CLI11 shows what a value may be as "TEXT:{table,json}" or "INT:INT in [1 - 9]".
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find(":{");
  const std::size_t close = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

DescribedOption describe_option(const CLI::Option& option) {
  DescribedOption out;
  const std::string type = option.get_type_name();
  out.names = option.nonpositional() ? names_of(option) : std::vector<std::string>{};
  out.value = option.nonpositional() ? type.substr(0, type.find(':')) : option.get_name(true, false);
  out.choices = choices_in(type);
  const auto has_name = [&](const char* name) {
    return std::find(out.names.begin(), out.names.end(), name) != out.names.end();
  };
  if (out.choices.empty() && has_name("--system")) {
    for (const SystemRow* row : systems()) out.choices.emplace_back(row->name);
  }
  if (option.get_items_expected_max() == 0) out.value.clear();
  out.description = option.get_description();
  out.standard = option.get_default_str();
  // The same page on every machine.
  if (out.standard == std::to_string(std::thread::hardware_concurrency()) && has_name("--threads")) {
    out.standard = "one for each core";
  }
  out.required = option.get_required();
  out.repeats = option.get_items_expected_max() > 1;
  return out;
}

Described describe_app(const CLI::App& app, std::string name) {
  Described out;
  out.name = std::move(name);
  out.summary = app.get_description();
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); })) {
    if (option == app.get_help_ptr()) continue;
    out.options.push_back(describe_option(*option));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    out.subcommands.push_back(describe_app(*sub, out.name + " " + sub->get_name()));
  }
  out.needs_subcommand = app.get_require_subcommand_min() > 0;
  return out;
}

}  // namespace

std::string Described::usage() const {
  std::string out = "rondo " + name;
  if (needs_subcommand) return out + " SUBCOMMAND ...";
  if (std::any_of(options.begin(), options.end(), [](const auto& o) { return !o.is_word(); })) out += " [OPTIONS]";
  for (const DescribedOption& option : options) {
    if (!option.is_word()) continue;
    const std::string word = option.value + (option.repeats ? "..." : "");
    out += option.required ? " " + word : " [" + word + "]";
  }
  return out;
}

Described describe(const Command& command) {
  CLI::App app{std::string(command.summary)};
  const Action unused = command.define(app);
  Described out = describe_app(app, std::string(command.name));
  out.example = command.example;
  return out;
}

std::vector<Described> describe_all() {
  std::vector<Described> out;
  for (const Command& command : commands()) out.push_back(describe(command));
  return out;
}

}  // namespace rondo::cli
