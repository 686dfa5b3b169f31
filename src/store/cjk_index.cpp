#include "store/cjk_index.h"

#include <algorithm>
#include <string>
#include <vector>

#include "store/cjk_bigrams.h"
#include "store/content_hash.h"

namespace rondo {

const char* const kCjkTable = R"sql(
CREATE VIRTUAL TABLE cjk_bigram USING fts5 (
  terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
);
INSERT INTO cjk_bigram (cjk_bigram, rank) VALUES ('hashsize', 8388608);
INSERT INTO cjk_bigram (cjk_bigram, rank) VALUES ('automerge', 8);
)sql";

namespace {

constexpr const char* kWords =
    "SELECT key, title, composer, source, shelfmark, catalogue, text, fields FROM piece_words WHERE key = ?1";
constexpr const char* kAllWords =
    "SELECT key, title, composer, source, shelfmark, catalogue, text, fields FROM piece_words ORDER BY key";
constexpr int kLastWords = 7;
constexpr const char* kInsert = "INSERT INTO cjk_bigram (rowid, terms) VALUES (?1, ?2)";

/// The terms of a row of piece_words.
void terms_of(const Statement& row, std::string& terms) {
  terms.clear();
  for (int column = 1; column <= kLastWords; ++column) append_cjk_terms(row.bytes(column), terms);
}

Result<std::string> terms_of(Database& database, std::int64_t piece) {
  std::string terms;
  auto done = each_row(
      database, kWords,
      [&](const Statement& row) -> Result<void> {
        terms_of(row, terms);
        return {};
      },
      piece);
  if (!done) return fail(std::move(done.error()));
  return terms;
}

/// An order-independent checksum of a set of rows.
struct SetSum {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;

  void add(std::int64_t piece, std::string_view term) {
    ContentHash hash;
    hash.count(static_cast<std::uint64_t>(piece));
    hash.text(term);
    ++rows;
    sum += static_cast<std::uint64_t>(hash.value());
  }
  friend bool operator==(const SetSum&, const SetSum&) = default;
};

Result<SetSum> sum_of_pieces(Database& database) {
  SetSum out;
  std::string terms;
  std::vector<std::string_view> distinct;
  auto done = each_row(database, kAllWords, [&](const Statement& row) -> Result<void> {
    terms_of(row, terms);
    distinct.clear();
    for (std::size_t at = 0; at < terms.size();) {
      const std::size_t end = terms.find(' ', at);
      distinct.push_back(std::string_view(terms).substr(at, end - at));
      at = end + 1;
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const std::string_view term : distinct) out.add(row.integer(0), term);
    return {};
  });
  if (!done) return fail(std::move(done.error()));
  return out;
}

Result<SetSum> sum_of_index(Database& database) {
  SetSum out;
  auto done = database.execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.cjk_bigram_terms USING fts5vocab('main', 'cjk_bigram', 'instance')");
  if (done) {
    done = each_row(database, "SELECT doc, term FROM temp.cjk_bigram_terms", [&](const Statement& row) -> Result<void> {
      out.add(row.integer(0), row.bytes(1));
      return {};
    });
  }
  if (!done) return fail(std::move(done.error()));
  return out;
}

}  // namespace

Result<bool> has_cjk_index(Database& database) {
  auto found = database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'cjk_bigram'");
  if (!found) return fail(std::move(found.error()));
  return *found != 0;
}

Result<void> index_cjk(Database& database, std::int64_t piece, const std::string& terms) {
  return terms.empty() ? Result<void>() : database.run(kInsert, piece, std::string_view(terms));
}

Result<void> index_cjk(Database& database, std::int64_t piece) {
  auto terms = terms_of(database, piece);
  if (!terms) return fail(std::move(terms.error()));
  return index_cjk(database, piece, *terms);
}

Result<void> forget_cjk(Database& database, std::int64_t piece) {
  auto terms = terms_of(database, piece);
  if (!terms) return fail(std::move(terms.error()));
  if (terms->empty()) return {};
  return database.run("INSERT INTO cjk_bigram (cjk_bigram, rowid, terms) VALUES ('delete', ?1, ?2)", piece,
                      std::string_view(*terms));
}

Result<void> fill_cjk_index(Database& database, const MigrationWatcher& watch) {
  auto total = database.number("SELECT count(*) FROM piece");
  if (!total) return fail(std::move(total.error()));
  std::string terms;
  std::uint64_t seen = 0;
  return each_row(database, kAllWords, [&](const Statement& row) -> Result<void> {
    constexpr std::uint64_t kTellEvery = 1000;
    if (watch && seen++ % kTellEvery == 0) watch(seen - 1, static_cast<std::uint64_t>(*total));
    terms_of(row, terms);
    return index_cjk(database, row.integer(0), terms);
  });
}

Result<void> rebuild_cjk_index(Database& database) {
  auto done = database.execute("INSERT INTO cjk_bigram (cjk_bigram) VALUES ('delete-all')");
  return done ? fill_cjk_index(database, {}) : done;
}

Result<bool> cjk_index_agrees(Database& database) {
  auto sound = database.execute("INSERT INTO cjk_bigram (cjk_bigram) VALUES ('integrity-check')");
  if (!sound && sound.error().code == "store-corrupt") return false;
  if (!sound) return fail(std::move(sound.error()));
  auto pieces = sum_of_pieces(database);
  if (!pieces) return fail(std::move(pieces.error()));
  auto index = sum_of_index(database);
  if (!index && index.error().code == "store-corrupt") return false;
  if (!index) return fail(std::move(index.error()));
  return *pieces == *index;
}

}  // namespace rondo
