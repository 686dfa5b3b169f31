#include "search/select.h"

#include <algorithm>
#include <iterator>

#include "store/find_text.h"
#include "store/sqlite.h"

namespace rondo {

Result<std::vector<PieceKey>> pieces_where(Collection& collection, std::string_view expression,
                                           const SqlLimits& limits) {
  auto sql = UserSql::open(collection.path(), limits);
  if (!sql) return fail(std::move(sql.error()));
  auto melodies = sql->where(expression);
  if (!melodies) return fail(std::move(melodies.error()));
  std::vector<PieceKey> keys;
  keys.reserve(melodies->size());
  for (const SelectedMelody& melody : *melodies) keys.push_back(melody.piece);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::string condition_of(const std::string& where, unsigned least_notes) {
  if (least_notes == 0) return where;
  const std::string length = "notes >= " + std::to_string(least_notes);
  return where.empty() ? length : "(" + where + ") AND " + length;
}

Result<PieceChoice> pieces_with(Collection& collection, std::string_view words) {
  if (words.empty()) return PieceChoice();
  auto keys = find_keys(database_of(collection), words);
  if (!keys) return fail(std::move(keys.error()));
  return PieceChoice(std::move(*keys));
}

PieceChoice in_both(const PieceChoice& a, const PieceChoice& b) {
  if (!a || !b) return a ? a : b;
  std::vector<PieceKey> out;
  std::set_intersection(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(out));
  return out;
}

Result<std::vector<std::string>> ids_where(Collection& collection, std::string_view expression,
                                           const SqlLimits& limits) {
  auto keys = pieces_where(collection, expression, limits);
  if (!keys) return fail(std::move(keys.error()));
  std::vector<std::string> ids;
  ids.reserve(keys->size());
  for (const PieceKey key : *keys) {
    auto statement =
        database_of(collection).query("SELECT id FROM piece WHERE key = ?1", static_cast<std::int64_t>(key));
    if (!statement) return fail(std::move(statement.error()));
    const ResetLater later(**statement);
    auto row = (*statement)->step();
    if (!row) return fail(std::move(row.error()));
    if (*row) ids.emplace_back((*statement)->bytes(0));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::vector<NamedMelody>> name_melodies(Collection& collection, std::span<const SelectedMelody> melodies) {
  std::vector<NamedMelody> out;
  out.reserve(melodies.size());
  for (const SelectedMelody& melody : melodies) {
    auto found = database_of(collection)
                     .query(
                         "SELECT p.id, v.number, p.title, p.composer FROM voice v JOIN piece p ON p.key = v.piece "
                         "WHERE v.key = ?1",
                         static_cast<std::int64_t>(melody.voice));
    if (!found) return fail(std::move(found.error()));
    Statement& row = **found;
    const ResetLater later(row);
    auto there = row.step();
    if (!there) return fail(std::move(there.error()));
    if (!*there) continue;
    out.push_back({std::string(row.bytes(0)), static_cast<std::uint32_t>(row.integer(1)), std::string(row.bytes(2)),
                   std::string(row.bytes(3))});
  }
  return out;
}

}  // namespace rondo
