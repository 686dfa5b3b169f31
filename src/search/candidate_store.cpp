#include <nlohmann/json.hpp>

#include "base/json.h"
#include "search/candidates.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json recipe_json(const CandidateRecipe& recipe) {
  Json systems = Json::array();
  for (const CandidateRecipe::Top& top : recipe.systems) systems.push_back({{"system", top.system}, {"top", top.hits}});
  return {{"query", recipe.query},   {"filter", recipe.filter},   {"systems", systems},
          {"titles", recipe.titles}, {"include", recipe.include}, {"exclude", recipe.exclude}};
}

Json funnel_json(const CandidateSet& set) {
  Json steps = Json::array();
  for (const FunnelStep& step : set.funnel) {
    steps.push_back({{"step", step.name}, {"before", step.before}, {"excluded", step.excluded()}, {"left", step.left}});
  }
  return {{"total", set.total}, {"steps", steps}};
}

/// What another program may have written into the file is no reason to fall over.
Result<void> read_back(const std::string& recipe_text, const std::string& funnel_text, CandidateSet& set) {
  const Json recipe = json_or_null<Json>(recipe_text);
  const Json funnel = json_or_null<Json>(funnel_text);
  const auto damaged = [] { return fail("store-corrupt", "the recipe of the candidates cannot be read"); };
  if (!recipe.is_object() || !funnel.is_object()) return damaged();
  try {
    set.recipe.query = recipe.at("query").get<std::string>();
    set.recipe.filter = recipe.at("filter").get<std::string>();
    for (const Json& top : recipe.at("systems")) {
      set.recipe.systems.push_back({top.at("system").get<std::string>(), top.at("top").get<std::size_t>()});
    }
    set.recipe.titles = recipe.at("titles").get<std::vector<std::string>>();
    set.recipe.include = recipe.at("include").get<std::vector<std::string>>();
    set.recipe.exclude = recipe.at("exclude").get<std::vector<std::string>>();
    set.total = funnel.at("total").get<std::uint64_t>();
    for (const Json& step : funnel.at("steps")) {
      set.funnel.push_back({step.at("step").get<std::string>(), step.at("before").get<std::uint64_t>(),
                            step.at("left").get<std::uint64_t>()});
    }
  } catch (const Json::exception&) {
    return damaged();
  }
  return {};
}

Candidate::Status status_of(std::string_view text) {
  if (text == "folded") return Candidate::Status::folded;
  return text == "excluded" ? Candidate::Status::excluded : Candidate::Status::chosen;
}

Result<void> read_candidates(Database& database, std::int64_t key, CandidateSet& set) {
  auto rows = database.query(
      "SELECT id, voice, origin, status, folded_into, relation FROM candidate WHERE candidate_set = ?1"
      " ORDER BY position",
      key);
  if (!rows) return fail(std::move(rows.error()));
  Statement& row = **rows;
  const ResetLater later(row);
  for (;;) {
    auto more = row.step();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return {};
    set.candidates.push_back({std::string(row.bytes(0)), static_cast<std::uint32_t>(row.integer(1)),
                              std::string(row.bytes(2)), status_of(row.bytes(3)), std::string(row.bytes(4)),
                              std::string(row.bytes(5))});
  }
}

}  // namespace

Result<void> save_candidates(Collection& collection, const CandidateSet& set) {
  if (set.name.empty()) return fail("candidates-name", "a set of candidates needs a name");
  Database& database = database_of(collection);
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  const std::string recipe = dump(recipe_json(set.recipe));
  const std::string funnel = dump(funnel_json(set));
  auto done = database.run("DELETE FROM candidate_set WHERE name = ?1", set.name);
  if (done) {
    done = database.run(
        "INSERT INTO candidate_set (name, made, recipe, funnel)"
        " VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?2, ?3)",
        set.name, recipe, funnel);
  }
  const std::int64_t key = sqlite3_last_insert_rowid(database.handle());
  std::int64_t position = 0;
  for (const Candidate& one : set.candidates) {
    if (!done) break;
    done = database.run(
        "INSERT INTO candidate (candidate_set, position, id, voice, origin, status, folded_into, relation)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        key, position++, one.id, static_cast<std::int64_t>(one.voice), one.origin, to_string(one.status),
        one.folded_into, one.relation);
  }
  if (done) done = transaction->commit();
  return done;
}

Result<std::vector<std::string>> candidate_sets(Collection& collection) {
  auto rows = database_of(collection).query("SELECT name FROM candidate_set ORDER BY name");
  if (!rows) return fail(std::move(rows.error()));
  const ResetLater later(**rows);
  std::vector<std::string> names;
  for (;;) {
    auto more = (*rows)->step();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return names;
    names.emplace_back((*rows)->bytes(0));
  }
}

Result<CandidateSet> load_candidates(Collection& collection, std::string_view name) {
  CandidateSet set;
  set.name = name;
  std::int64_t key = 0;
  {
    auto rows =
        database_of(collection).query("SELECT key, made, recipe, funnel FROM candidate_set WHERE name = ?1", name);
    if (!rows) return fail(std::move(rows.error()));
    Statement& row = **rows;
    const ResetLater later(row);
    auto found = row.step();
    if (!found) return fail(std::move(found.error()));
    if (*found) {
      key = row.integer(0);
      set.made = row.bytes(1);
      auto done = read_back(std::string(row.bytes(2)), std::string(row.bytes(3)), set);
      if (!done) return fail(std::move(done.error()));
    }
  }
  if (key == 0) {
    auto names = candidate_sets(collection);
    std::string list;
    if (names) {
      for (const std::string& other : *names) list += (list.empty() ? "there are: " : ", ") + other;
    }
    return fail("candidates-missing", "there is no set of candidates '" + set.name + "'", {},
                list.empty() ? "make one with: rondo candidates make" : list);
  }
  if (auto done = read_candidates(database_of(collection), key, set); !done) return fail(std::move(done.error()));
  return set;
}

Result<bool> remove_candidates(Collection& collection, std::string_view name) {
  Database& database = database_of(collection);
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto done = database.run("DELETE FROM candidate_set WHERE name = ?1", name);
  const bool removed = sqlite3_changes(database.handle()) != 0;
  if (done) done = transaction->commit();
  if (!done) return fail(std::move(done.error()));
  return removed;
}

std::string to_json(const CandidateSet& set) {
  Json candidates = Json::array();
  for (const Candidate& one : set.candidates) {
    Json row = {{"id", one.id}, {"voice", one.voice}, {"origin", one.origin}, {"status", to_string(one.status)}};
    if (one.status == Candidate::Status::folded) {
      row["folded_into"] = one.folded_into;
      row["relation"] = one.relation;
    }
    candidates.push_back(std::move(row));
  }
  const Json all = {{"name", set.name},
                    {"made", set.made},
                    {"recipe", recipe_json(set.recipe)},
                    {"funnel", funnel_json(set)},
                    {"candidates", candidates}};
  return dump(all, 2) + "\n";
}

}  // namespace rondo
