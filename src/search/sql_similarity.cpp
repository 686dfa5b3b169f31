#include "search/sql_similarity.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "melody/packed.h"
#include "rondo/similarity/system.h"
#include "store/sql_call.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

/// The systems in use, each made ready for the query at its first use.
class Similarity {
 public:
  Similarity(UserSql& sql, Collection& collection, Line query)
      : collection_(collection), query_(std::move(query)), audience_(sql.audience()), out_of_time_(sql.out_of_time()) {}

  [[nodiscard]] Result<Score> score(std::string_view name, std::int64_t key) {
    if (out_of_time_()) return late();
    auto ready = prepared(name);
    if (!ready) return fail(std::move(ready.error()));
    auto statement = database_of(collection_).query("SELECT notes FROM voice WHERE key = ?1", key);
    if (!statement) return fail(std::move(statement.error()));
    const ResetLater later(**statement);
    auto row = (*statement)->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return Score{0, false};
    if (auto done = unpack((*statement)->bytes(0), voice_); !done) return fail(std::move(done.error()));
    // One score cannot be interrupted, and some systems take the product of the lengths or more.
    constexpr std::size_t kMostPairs = 4'000'000;
    const bool long_pair = voice_.notes.size() * query_.pitch.size() > kMostPairs;
    if (long_pair && audience_ == SqlAudience::strangers) return Score{0, false};
    return (*ready)->score(make_line(voice_));
  }

 private:
  struct Ready {
    std::unique_ptr<System> system;
    std::unique_ptr<PreparedQuery> query;
  };

  static Failure late() { return fail("sql-timeout", "the time of the query is over"); }

  Result<const PreparedQuery*> prepared(std::string_view name) {
    const auto known = ready_.find(name);
    if (known != ready_.end()) return known->second.query.get();
    auto chosen = resolve_system(name);
    if (!chosen) return fail(std::move(chosen.error()));
    Ready ready{std::move(chosen->system), nullptr};
    if (ready.system->mixture() != nullptr) {
      return fail("system-mixture", fmt::format("{} scores a whole collection at once, not one melody", name));
    }
    if (ready.system->learns()) {
      if (auto done = teach(*ready.system); !done) return fail(std::move(done.error()));
    }
    ready.query = ready.system->prepare(query_);
    return ready_.emplace(std::string(name), std::move(ready)).first->second.query.get();
  }

  Result<void> teach(System& system) {
    Result<void> unpacked;
    Voice voice;
    auto done = collection_.each_voice([&](const StoredVoice& stored) {
      unpacked = unpack(stored.packed, voice);
      if (unpacked && out_of_time_()) unpacked = late();
      if (unpacked) system.learn(make_line(voice));
      return unpacked.has_value();
    });
    return done ? unpacked : done;
  }

  Collection& collection_;
  Line query_;
  SqlAudience audience_;
  std::function<bool()> out_of_time_;
  Voice voice_;
  std::map<std::string, Ready, std::less<>> ready_;
};

void similarity(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  auto& self = *static_cast<Similarity*>(sqlite3_user_data(context));
  const auto* name = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  auto score = self.score(name == nullptr ? "" : name, sqlite3_value_int64(values[1]));
  if (!score) {
    sqlite3_result_error(context, score.error().message.c_str(), -1);
    if (score.error().code == "sql-timeout") sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    return;
  }
  if (!score->comparable) return sqlite3_result_null(context);
  sqlite3_result_double(context, score->value);
}

}  // namespace

Result<void> add_similarity(UserSql& sql, Collection& collection, const Line& query) {
  auto owner = std::make_unique<Similarity>(sql, collection, query);
  const int code = sqlite3_create_function_v2(
      sql.database().handle(), "similarity", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, owner.release(),
      sql_call<similarity>, nullptr, nullptr,
      [](void* self) { delete static_cast<Similarity*>(self); });  // NOLINT: SQLite owns it, even on failure
  if (code != SQLITE_OK) return fail(sqlite_error(sql.database().handle(), code));
  sql.allow_function("similarity");
  return {};
}

Result<void> compare_with(UserSql& sql, Collection& collection, const Voice& query) {
  sql.set_query(features_of(query));
  return add_similarity(sql, collection, make_line(query));
}

}  // namespace rondo
