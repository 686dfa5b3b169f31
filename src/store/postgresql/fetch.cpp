#include "base/utf8.h"
#include "melody/packed.h"
#include "store/cjk_index.h"
#include "store/feature_writer.h"
#include "store/postgresql/mirror.h"

namespace rondo::postgresql {
namespace {

/// Puts the rows of one table into a mirror, in place of those with the same key.
class RowWriter {
 public:
  RowWriter(Database& database, const Table& table) : database_(database), table_(table), features_(database) {}

  [[nodiscard]] Result<void> prepare() {
    std::string sql =
        std::string("INSERT INTO ") + table_.name + " (" + column_list(table_, Side::mirror) + ") VALUES (";
    for (std::size_t i = 0; i < table_.columns.size(); ++i) sql += (i == 0 ? "?" : ", ?") + std::to_string(i + 1);
    sql += ")";
    is_voice_ = std::string_view(table_.name) == "voice";
    if (table_.owner == nullptr && !is_voice_) {
      // Not REPLACE, which would remove the rows that refer to it.
      sql += " ON CONFLICT (key) DO UPDATE SET " + column_updates(table_, Side::mirror);
    }
    auto insert = database_.prepare(sql);
    if (!insert) return fail(std::move(insert.error()));
    insert_ = std::move(*insert);
    if (!is_voice_) return {};
    auto remove = database_.prepare("DELETE FROM voice WHERE key = ?1");
    if (!remove) return fail(std::move(remove.error()));
    remove_ = std::move(*remove);
    return {};
  }

  [[nodiscard]] Result<void> write(const std::vector<CopyField>& row) {
    auto key = integer_of(row.front());
    if (!key) return fail(std::move(key.error()));
    if (is_voice_) {
      remove_.bind(1, *key);
      if (auto done = remove_.run(); !done) return done;
    }
    texts_.clear();
    texts_.reserve(row.size());  // views into them are bound
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (auto done = bind(static_cast<int>(i) + 1, table_.columns[i], row[i]); !done) return done;
    }
    if (auto done = insert_.run(); !done) return done;
    return is_voice_ ? write_features(*key, row) : Result<void>();
  }

 private:
  [[nodiscard]] Result<void> bind(int index, const Column& column, CopyField field) {
    if (!field) {
      insert_.bind(index, KeyOrNull{0});
      return {};
    }
    switch (column.kind) {
      case ColumnKind::integer: {
        auto value = integer_of(field);
        if (!value) return fail(std::move(value.error()));
        insert_.bind(index, *value);
        return {};
      }
      case ColumnKind::text: {
        auto text = original_text(*field);
        if (!text) return fail(std::move(text.error()));
        texts_.push_back(std::move(*text));
        insert_.bind(index, std::string_view(texts_.back()));
        return {};
      }
      case ColumnKind::bytes: {
        // The text of a source is a text where it can be one; see PieceWriter.
        const bool is_text =
            std::string_view(column.name) == "text" && is_utf8(*field) && field->find('\0') == std::string_view::npos;
        if (is_text) {
          insert_.bind(index, *field);
        } else {
          insert_.bind(index, Blob{*field});
        }
        return {};
      }
    }
    return {};
  }

  /// Features are not sent: they follow from the notes.
  [[nodiscard]] Result<void> write_features(std::int64_t key, const std::vector<CopyField>& row) {
    auto piece = integer_of(row[1]);
    if (!piece) return fail(std::move(piece.error()));
    constexpr std::size_t kNotes = 9;
    if (!row[kNotes]) return fail("store-protocol", "the server sent a voice without notes");
    if (auto done = unpack(*row[kNotes], voice_); !done) return done;
    return features_.write(key, *piece, features_of(voice_));
  }

  Database& database_;
  const Table& table_;
  bool is_voice_ = false;
  Statement insert_;
  Statement remove_;
  FeatureWriter features_;
  Voice voice_;
  std::vector<std::string> texts_;
};

constexpr const char* kForgetWords =
    "INSERT INTO full_text (full_text, rowid, title, composer, source, shelfmark, catalogue, text, fields)"
    " SELECT 'delete', key, title, composer, source, shelfmark, catalogue, text, fields FROM piece_words WHERE key = "
    "?1";
constexpr const char* kAddWords =
    "INSERT INTO full_text (rowid, title, composer, source, shelfmark, catalogue, text, fields)"
    " SELECT key, title, composer, source, shelfmark, catalogue, text, fields FROM piece_words WHERE key = ?1";

Result<void> forget_words(Database& database, std::int64_t key) {
  auto done = database.run(kForgetWords, key);
  return done ? forget_cjk(database, key) : done;
}

Result<void> add_words(Database& database, std::int64_t key) {
  auto done = database.run(kAddWords, key);
  return done ? index_cjk(database, key) : done;
}

/// A piece that is about to change: what is derived from it, and comes with it, goes.
Result<void> clear_piece(Database& database, std::int64_t key) {
  auto done = forget_words(database, key);
  if (done) done = database.run("DELETE FROM catalogue_number WHERE piece = ?1", key);
  if (done) done = database.run("DELETE FROM piece_field WHERE piece = ?1", key);
  if (done) done = database.run("DELETE FROM source_text WHERE piece = ?1", key);
  return done;
}

}  // namespace

Result<void> Mirror::fetch(Database& database, const Mark& from, const Mark& to, const UpgradeWatcher& watch) {
  auto known = knows(from);
  if (!known) return fail(std::move(known.error()));
  if (!*known || (from.revision != 0 && from.identity != to.identity) || from.revision > to.revision) {
    return fail("store-diverged", "the server was restored to an earlier state", {}, "start the program again");
  }
  const std::string since = std::to_string(from.revision);
  const bool fresh = from.revision == 0;

  // What is gone goes first: its ids and numbers may be taken again. Rows that refer to others go before these.
  for (std::size_t i = tables().size(); i-- > 0 && !fresh;) {
    const Table& table = tables()[i];
    if (table.owner != nullptr) continue;
    const bool is_piece = std::string_view(table.name) == "piece";
    auto remove = database.prepare(std::string("DELETE FROM ") + table.name + " WHERE key = ?1");
    if (!remove) return fail(std::move(remove.error()));
    auto done =
        connection_->copy_out("COPY (SELECT key FROM rondo.removed WHERE table_name = '" + std::string(table.name) +
                                  "' AND revision > " + since + ") TO STDOUT (FORMAT binary)",
                              1, [&](const std::vector<CopyField>& row) -> Result<void> {
                                auto key = integer_of(row.front());
                                if (!key) return fail(std::move(key.error()));
                                if (is_piece) {
                                  if (auto words = forget_words(database, *key); !words) return words;
                                }
                                remove->bind(1, *key);
                                return remove->run();
                              });
    if (!done) return done;
  }

  std::vector<std::int64_t> pieces;
  std::uint64_t total = 0;
  if (watch) {
    auto count = connection_->rows("SELECT count(*) FROM rondo.voice WHERE revision > $1::bigint", {since});
    if (!count) return fail(std::move(count.error()));
    total = std::strtoull(count->front().front().value_or("0").c_str(), nullptr, 10);
  }
  std::uint64_t done_voices = 0;
  for (const Table& table : tables()) {
    const std::string_view name = table.name;
    RowWriter writer(database, table);
    if (auto done = writer.prepare(); !done) return done;
    // A full table is not looked up by its index.
    std::string select = "SELECT " + column_list(table, Side::server, "t.") + " FROM rondo." + table.name + " t";
    if (!fresh && table.owner != nullptr) {
      select +=
          std::string(" JOIN rondo.") + table.owner + " o ON o.key = t." + table.key + " WHERE o.revision > " + since;
    } else if (!fresh) {
      select += " WHERE t.revision > " + since;
    }
    if (table.owner == nullptr) select += " ORDER BY t.key";
    auto done = connection_->copy_out(
        "COPY (" + select + ") TO STDOUT (FORMAT binary)", table.columns.size(),
        [&](const std::vector<CopyField>& row) -> Result<void> {
          if (name == "piece") {
            auto key = integer_of(row.front());
            if (!key) return fail(std::move(key.error()));
            pieces.push_back(*key);
            if (!fresh) {
              if (auto cleared = clear_piece(database, *key); !cleared) return cleared;
            }
          }
          if (name == "candidate_set" && !fresh) {
            auto key = integer_of(row.front());
            if (!key) return fail(std::move(key.error()));
            if (auto cleared = database.run("DELETE FROM candidate WHERE candidate_set = ?1", *key); !cleared)
              return cleared;
          }
          if (name == "voice" && watch && done_voices++ % 1000 == 0) watch(done_voices, total);
          return writer.write(row);
        });
    if (!done) return done;
  }
  for (const std::int64_t piece : pieces) {
    if (auto done = add_words(database, piece); !done) return done;
  }
  return write_mark(database, to);
}

}  // namespace rondo::postgresql
