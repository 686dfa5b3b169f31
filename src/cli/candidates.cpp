#include "search/candidates.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "rondo/similarity/system.h"

namespace rondo::cli {
namespace {

struct CandidatesArguments {
  std::string db;
  std::string name;
  std::string steps;
  std::vector<std::string> where;
  std::string like;
  std::vector<std::string> systems;
  std::size_t top = 20;
  std::vector<std::string> titles;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> forget;
  std::string format = "table";
  bool all = false;
  unsigned threads = std::thread::hardware_concurrency();
};

Result<Collection> open_to_write(const CandidatesArguments& options) {
  ProgressBar progress("updating the collection", terminal_width(stderr) != 0);
  return Collection::open(options.db, OpenMode::write,
                          [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total, done); });
}

void print_summary(const CandidateSet& set) {
  using Status = Candidate::Status;
  print_to(stderr, "{}: {} candidates; {} more were folded into them, {} excluded by hand\n", set.name,
           set.count(Status::chosen), set.count(Status::folded), set.count(Status::excluded));
}

int print_set(const CandidateSet& set, const CandidatesArguments& options) {
  if (options.format == "json") {
    print_to(stdout, "{}", to_json(set));
    return kSuccess;
  }
  Table table({{"id", Table::Align::left, true},
               {"found by", Table::Align::left, true},
               {"status"},
               {"of", Table::Align::left, true}});
  for (const Candidate& one : set.candidates) {
    if (!options.all && one.status != Candidate::Status::chosen) continue;
    const bool folded = one.status == Candidate::Status::folded;
    table.row({one.id, one.origin, folded ? one.relation : std::string(to_string(one.status)), one.folded_into});
  }
  table.print(stdout);
  print_summary(set);
  return kSuccess;
}

Result<CandidateRecipe> recipe_of(const CandidatesArguments& options) {
  CandidateRecipe recipe;
  recipe.query = options.like;
  if (!options.steps.empty()) {
    auto text = read_file(options.steps);
    if (!text) return fail(text.error());
    auto filter = parse_filter(*text, options.steps);
    if (!filter) return fail(filter.error());
    if (recipe.query.empty()) recipe.query = filter->like;
    recipe.filter = std::move(*text);
    if (!recipe.filter.ends_with('\n')) recipe.filter += '\n';
  }
  for (const std::string& expression : options.where) {
    if (auto fine = check_expression(expression); !fine) return fail(fine.error());
    std::string one_line = expression;
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    recipe.filter += "keep: " + one_line + "\n";
  }
  for (const std::string& name : options.systems) {
    if (auto known = resolve_system(name); !known) return fail(known.error());
    recipe.systems.push_back({name, options.top});
  }
  recipe.titles = options.titles;
  recipe.include = options.include;
  recipe.exclude = options.exclude;
  return recipe;
}

int make_and_save(Collection& collection, const CandidatesArguments& options, CandidateRecipe recipe) {
  auto set = make_candidates(collection, options.name, std::move(recipe), std::max(1U, options.threads));
  if (!set) return report(set.error());
  if (auto done = save_candidates(collection, *set); !done) return report(done.error());
  auto saved = load_candidates(collection, options.name);
  return saved ? print_set(*saved, options) : report(saved.error());
}

int make(const CandidatesArguments& options) {
  auto recipe = recipe_of(options);
  if (!recipe) return report(recipe.error());
  auto collection = open_to_write(options);
  if (!collection) return report(collection.error());
  return make_and_save(*collection, options, std::move(*recipe));
}

int rerun(const CandidatesArguments& options) {
  auto collection = open_to_write(options);
  if (!collection) return report(collection.error());
  auto set = load_candidates(*collection, options.name);
  if (!set) return report(set.error());
  return make_and_save(*collection, options, std::move(set->recipe));
}

/// Adds ids to one list and takes them from the other, so that the last word counts.
void move_ids(const std::vector<std::string>& ids, std::vector<std::string>& to, std::vector<std::string>& from) {
  for (const std::string& id : ids) {
    std::erase(from, id);
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

int pick(const CandidatesArguments& options) {
  auto collection = open_to_write(options);
  if (!collection) return report(collection.error());
  auto set = load_candidates(*collection, options.name);
  if (!set) return report(set.error());
  CandidateRecipe recipe = std::move(set->recipe);
  move_ids(options.include, recipe.include, recipe.exclude);
  move_ids(options.exclude, recipe.exclude, recipe.include);
  for (const std::string& id : options.forget) {
    std::erase(recipe.include, id);
    std::erase(recipe.exclude, id);
  }
  for (const std::string& id : options.exclude) {
    const bool known = std::any_of(set->candidates.begin(), set->candidates.end(),
                                   [&](const Candidate& candidate) { return candidate.id == id; });
    if (!known) print_to(stderr, "rondo: '{}' is not among the candidates; it remains excluded\n", id);
  }
  return make_and_save(*collection, options, std::move(recipe));
}

int show(const CandidatesArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto set = load_candidates(*collection, options.name);
  return set ? print_set(*set, options) : report(set.error());
}

int list(const CandidatesArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto names = candidate_sets(*collection);
  if (!names) return report(names.error());
  Table table({{"name", Table::Align::left, true},
               {"query", Table::Align::left, true},
               {"chosen", Table::Align::right},
               {"folded", Table::Align::right},
               {"excluded", Table::Align::right},
               {"made"}});
  for (const std::string& name : *names) {
    auto set = load_candidates(*collection, name);
    if (!set) return report(set.error());
    table.row({name, set->recipe.query, std::to_string(set->count(Candidate::Status::chosen)),
               std::to_string(set->count(Candidate::Status::folded)),
               std::to_string(set->count(Candidate::Status::excluded)), set->made});
  }
  table.print(stdout);
  return kSuccess;
}

int remove(const CandidatesArguments& options) {
  auto collection = open_to_write(options);
  if (!collection) return report(collection.error());
  // Loaded first for its error, which lists the names that there are.
  auto set = load_candidates(*collection, options.name);
  if (!set) return report(set.error());
  auto done = remove_candidates(*collection, options.name);
  return done ? kSuccess : report(done.error());
}

}  // namespace

Action define_candidates(CLI::App& app) {
  auto options = std::make_shared<CandidatesArguments>();
  auto chosen = std::make_shared<int (*)(const CandidatesArguments&)>(nullptr);
  const auto sub = [&](const char* word, const char* what, int (*action)(const CandidatesArguments&),
                       bool named = true) {
    auto* made = app.add_subcommand(word, what);
    add_db(*made, options->db);
    if (named) made->add_option("name", options->name, "name of the set")->required();
    made->callback([chosen, action] { *chosen = action; });
    return made;
  };
  const auto output = [&](CLI::App* to) {
    to->add_option("--format", options->format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    to->add_flag("--all", options->all, "also show candidates that were folded or excluded");
  };
  const auto hand = [&](CLI::App* to) {
    to->add_option("--include", options->include, "ids to add in any case, separated by commas")->delimiter(',');
    to->add_option("--exclude", options->exclude, "ids to exclude, separated by commas")->delimiter(',');
  };
  const auto threads = [&](CLI::App* to) {
    to->add_option("--threads", options->threads, "how many threads")
        ->check(whole(1, kMostThreads))
        ->capture_default_str();
  };

  auto* made = sub("make", "collect candidates by a recipe and store both", make);
  made->add_option("--like", options->like, "id of the query");
  made->add_option("--steps", options->steps, "a file of filter steps; see docs/filter.md");
  made->add_option("--where", options->where, "a condition in SQL; several are several steps");
  made->add_option("--system", options->systems, "add the hits of these systems, separated by commas")->delimiter(',');
  made->add_option("--top", options->top, "how many hits of each system")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  made->add_option("--title", options->titles, "add melodies with these words in the title");
  hand(made);
  output(made);
  threads(made);
  made->callback([options, chosen] {
    if (options->steps.empty() && options->where.empty() && options->systems.empty() && options->titles.empty() &&
        options->include.empty()) {
      throw CLI::ValidationError("give --steps, --where, --system, --title or --include");
    }
    *chosen = make;
  });
  sub("list", "list the sets", list, false);
  output(sub("show", "show the candidates of a set", show));
  auto* exported = sub("export", "export a set as JSON, with its recipe", show);
  exported->callback([options, chosen] {
    options->format = "json";
    *chosen = show;
  });
  auto* picked = sub("pick", "add or remove candidates by hand", pick);
  hand(picked);
  picked
      ->add_option("--forget", options->forget,
                   "ids that should no longer be included or excluded by hand, separated by commas")
      ->delimiter(',');
  output(picked);
  threads(picked);
  auto* again = sub("rerun", "run the recipe again, for example when the collection has grown", rerun);
  output(again);
  threads(again);
  sub("remove", "delete a set", remove);
  app.require_subcommand(1);
  return [options, chosen] { return (*chosen)(*options); };
}

}  // namespace rondo::cli
