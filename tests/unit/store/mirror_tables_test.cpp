#include <gmock/gmock.h>

#include <set>

#include "store/postgresql/tables.h"
#include "store/sqlite.h"
#include "store_support.h"

namespace rondo::postgresql {
namespace {

using test::must;

/// Made from other tables wherever it is needed.
bool is_derived(const std::string& table) {
  return table == "feature" || table == "feature_text" || table.starts_with("full_text") ||
         table.starts_with("cjk_bigram") || table.starts_with("sqlite_");
}

std::vector<std::string> first_column(Database& database, const std::string& sql) {
  std::vector<std::string> out;
  auto statement = must(database.prepare(sql));
  while (must(statement.step())) out.emplace_back(statement.bytes(0));
  return out;
}

TEST(MirrorTables, AreAllThatACollectionConsistsOf) {
  const Scratch scratch;
  Collection collection = test::open_collection(scratch / "c.db");
  Database& database = database_of(collection);
  std::set<std::string> there;
  for (const std::string& name : first_column(database, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    if (!is_derived(name)) there.insert(name);
  }
  std::set<std::string> mirrored;
  for (const Table& table : tables()) {
    mirrored.insert(table.name);
    std::vector<std::string> columns;
    for (const Column& column : table.columns) columns.emplace_back(column.name);
    EXPECT_THAT(columns, testing::UnorderedElementsAreArray(first_column(
                             database, std::string("SELECT name FROM pragma_table_info('") + table.name + "')")))
        << table.name << ": a column that is not sent is lost";
    EXPECT_STREQ(table.columns.front().name, table.key);
  }
  EXPECT_EQ(mirrored, there);
}

TEST(MirrorTables, ComeBeforeThoseThatReferToThem) {
  const Scratch scratch;
  Collection collection = test::open_collection(scratch / "c.db");
  std::set<std::string> before;
  for (const Table& table : tables()) {
    before.insert(table.name);
    for (const std::string& other :
         first_column(database_of(collection),
                      std::string("SELECT \"table\" FROM pragma_foreign_key_list('") + table.name + "')")) {
      EXPECT_TRUE(before.contains(other)) << table.name << " before " << other;
    }
  }
}

}  // namespace
}  // namespace rondo::postgresql
