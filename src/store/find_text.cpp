#include "store/find_text.h"

#include <fmt/format.h>

#include <limits>

#include "store/cjk_bigrams.h"
#include "store/cjk_index.h"
#include "store/full_text.h"

namespace rondo {
namespace {

/// SQL that is true where a text of the piece `p` contains the parameter.
std::string contains(std::string_view column, int parameter) {
  const auto field = [&](std::string_view table, std::string_view which) {
    return fmt::format("EXISTS (SELECT 1 FROM {} x WHERE x.piece = p.key{} AND instr(x.value, ?{}))", table, which,
                       parameter);
  };
  if (column == "shelfmark") return fmt::format("instr(p.library || ' ' || p.shelfmark, ?{})", parameter);
  if (column == "catalogue") return field("catalogue_number", "");
  if (column == "text") return field("piece_field", " AND x.name = 'text'");
  if (column == "fields") return field("piece_field", " AND x.name <> 'text'");
  if (!column.empty()) return fmt::format("instr(p.{}, ?{})", column, parameter);
  return fmt::format(
      "(instr(p.title, ?{0}) OR instr(p.composer, ?{0}) OR instr(p.source, ?{0}) OR "
      "instr(p.library || ' ' || p.shelfmark, ?{0}) OR {1} OR {2})",
      parameter, field("catalogue_number", ""), field("piece_field", ""));
}

/// The columns to read of pieces that have the words.
enum class Wanted : std::uint8_t {
  ranked,  ///< key, id and rank; best first
  keys     ///< only keys, ascending: reading the rest takes nearly all of the time for frequent words
};

/// A statement and its parameters from ?3 on, in order.
struct Question {
  std::string sql;
  std::vector<std::string> texts;

  int add(std::string text) {
    texts.push_back(std::move(text));
    return static_cast<int>(texts.size()) + 2;
  }
};

Question question_of(const FullTextQuery& query, bool indexed, Wanted wanted) {
  std::string bigrams;
  for (const TextPart& part : query.parts) {
    if (!indexed || part.exclude) continue;
    if (!bigrams.empty()) bigrams += " AND ";
    bigrams += cjk_condition(part.text);
  }
  const bool ranked = wanted == Wanted::ranked;
  Question out;
  std::string rest;        // conditions besides that of the table that is searched first
  const char* from = "p";  // what has the key
  if (!query.match.empty() && !bigrams.empty()) {
    from = "f";
    rest = fmt::format(" AND f.rowid IN (SELECT rowid FROM cjk_bigram WHERE cjk_bigram MATCH ?{})", out.add(bigrams));
  } else if (!query.match.empty()) {
    from = "f";
  } else if (!bigrams.empty()) {
    from = "c";
  }
  std::string of_piece;  // conditions that need the piece itself
  if (!query.without.empty()) {
    rest += fmt::format(" AND {} NOT IN (SELECT rowid FROM full_text WHERE full_text MATCH ?{})",
                        *from == 'p' ? "p.key" : fmt::format("{}.rowid", from), out.add(query.without));
  }
  for (const TextPart& part : query.parts) {
    if (indexed && !part.exclude && part.column.empty() && is_decided_by_bigrams(part.text)) continue;
    of_piece += part.exclude ? " AND NOT " : " AND ";
    of_piece += contains(part.column, out.add(part.text));
  }
  const std::string key = *from == 'p' ? "p.key" : fmt::format("{}.rowid", from);
  const bool needs_piece = ranked || !of_piece.empty();
  const char* score = *from == 'f' ? "-f.rank" : "0.0";
  out.sql = ranked ? fmt::format("SELECT {}, p.id, {} FROM ", key, score) : fmt::format("SELECT {} FROM ", key);
  if (*from == 'p') {
    out.sql += "piece p WHERE 1";
  } else {
    const char* table = *from == 'f' ? "full_text" : "cjk_bigram";
    out.sql += fmt::format("{} {}{} WHERE {} MATCH ?{}", table, from,
                           needs_piece ? fmt::format(" JOIN piece p ON p.key = {}", key) : "", table,
                           out.add(*from == 'f' ? query.match : bigrams));
  }
  out.sql += rest + of_piece;
  out.sql += fmt::format(" ORDER BY {}{} LIMIT ?1 OFFSET ?2", ranked && *from == 'f' ? "f.rank, " : "", key);
  return out;
}

/// visit(row) for each row of the answer.
template <typename Visit>
Result<void> ask(Database& database, std::string_view words, Wanted wanted, std::size_t limit, std::size_t offset,
                 bool scan, const Visit& visit) {
  auto query = full_text_query(words);
  if (!query) return fail(std::move(query.error()));
  bool indexed = false;
  if (!query->parts.empty() && !scan) {
    auto there = has_cjk_index(database);
    if (!there) return fail(std::move(there.error()));
    indexed = *there;
  }
  const Question question = question_of(*query, indexed, wanted);
  auto statement = database.prepare(question.sql);
  if (!statement) return fail(std::move(statement.error()));
  Statement& hit = *statement;
  hit.bind(1, static_cast<std::int64_t>(limit));
  hit.bind(2, static_cast<std::int64_t>(offset));
  for (std::size_t i = 0; i < question.texts.size(); ++i) {
    hit.bind(static_cast<int>(i) + 3, std::string_view(question.texts[i]));
  }
  for (;;) {
    auto row = hit.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    visit(hit);
  }
}

}  // namespace

Result<std::vector<TextHit>> find_text(Database& database, std::string_view words, std::size_t limit,
                                       std::size_t offset, bool scan) {
  std::vector<TextHit> hits;
  auto done = ask(database, words, Wanted::ranked, limit, offset, scan, [&](Statement& hit) {
    hits.push_back({PieceKey{hit.integer(0)}, std::string(hit.bytes(1)), hit.real(2)});
  });
  if (!done) return fail(std::move(done.error()));
  return hits;
}

Result<std::vector<PieceKey>> find_keys(Database& database, std::string_view words) {
  std::vector<PieceKey> keys;
  constexpr std::size_t kAll = std::numeric_limits<std::int32_t>::max();
  auto done = ask(database, words, Wanted::keys, kAll, 0, false,
                  [&](Statement& hit) { keys.push_back(PieceKey{hit.integer(0)}); });
  if (!done) return fail(std::move(done.error()));
  return keys;
}

}  // namespace rondo
