#include "store/compare_schema.h"

#include <algorithm>
#include <map>

namespace rondo {
namespace {

struct Object {
  std::string type;
  std::string sql;  ///< without blanks, which versions of SQLite set differently
};

using Objects = std::map<std::string, Object>;

Result<Objects> objects_of(Database& database) {
  Objects out;
  auto done = each_row(database, "SELECT name, type, coalesce(sql, '') FROM sqlite_schema",
                       [&](const Statement& row) -> Result<void> {
                         std::string sql(row.bytes(2));
                         std::erase_if(sql, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
                         out.emplace(row.bytes(0), Object{std::string(row.bytes(1)), std::move(sql)});
                         return {};
                       });
  if (!done) return fail(std::move(done.error()));
  return out;
}

}  // namespace

Result<std::vector<std::string>> compare_schema(Database& database, Database& expected) {
  auto there = objects_of(database);
  if (!there) return fail(std::move(there.error()));
  auto wanted = objects_of(expected);
  if (!wanted) return fail(std::move(wanted.error()));
  std::vector<std::string> out;
  for (const auto& [name, object] : *wanted) {
    const auto found = there->find(name);
    if (found == there->end()) {
      out.push_back("the " + object.type + " " + name + " is missing");
    } else if (found->second.type != object.type || found->second.sql != object.sql) {
      out.push_back("the " + object.type + " " + name + " is not as Rondo makes it");
    }
  }
  for (const auto& [name, object] : *there) {
    if (object.type == "trigger" && !wanted->contains(name)) out.push_back("the trigger " + name + " is not Rondo's");
  }
  return out;
}

}  // namespace rondo
