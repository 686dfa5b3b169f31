#include "store/find_text.h"

#include <fmt/format.h>

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

/// A statement and its parameters from ?3 on, in order.
struct Question {
  std::string sql;
  std::vector<std::string> texts;

  int add(std::string text) {
    texts.push_back(std::move(text));
    return static_cast<int>(texts.size()) + 2;
  }
};

Question question_of(const FullTextQuery& query, bool indexed) {
  std::string bigrams;
  for (const TextPart& part : query.parts) {
    if (!indexed || part.exclude) continue;
    if (!bigrams.empty()) bigrams += " AND ";
    bigrams += cjk_condition(part.text);
  }
  Question out;
  const char* order = "p.key";
  if (!query.match.empty()) {
    out.sql = fmt::format(
        "SELECT p.key, p.id, -f.rank FROM full_text f JOIN piece p ON p.key = f.rowid WHERE full_text MATCH ?{}",
        out.add(query.match));
    if (!bigrams.empty()) {
      out.sql +=
          fmt::format(" AND f.rowid IN (SELECT rowid FROM cjk_bigram WHERE cjk_bigram MATCH ?{})", out.add(bigrams));
    }
    order = "f.rank, p.key";
  } else if (!bigrams.empty()) {
    out.sql = fmt::format(
        "SELECT p.key, p.id, 0.0 FROM cjk_bigram c JOIN piece p ON p.key = c.rowid WHERE cjk_bigram MATCH ?{}",
        out.add(bigrams));
    order = "c.rowid";
  } else {
    out.sql = "SELECT p.key, p.id, 0.0 FROM piece p WHERE 1";
  }
  if (!query.without.empty()) {
    out.sql += fmt::format(" AND p.key NOT IN (SELECT rowid FROM full_text WHERE full_text MATCH ?{})",
                           out.add(query.without));
  }
  for (const TextPart& part : query.parts) {
    if (indexed && !part.exclude && part.column.empty() && is_decided_by_bigrams(part.text)) continue;
    out.sql += part.exclude ? " AND NOT " : " AND ";
    out.sql += contains(part.column, out.add(part.text));
  }
  out.sql += fmt::format(" ORDER BY {} LIMIT ?1 OFFSET ?2", order);
  return out;
}

}  // namespace

Result<std::vector<TextHit>> find_text(Database& database, std::string_view words, std::size_t limit,
                                       std::size_t offset, bool scan) {
  auto query = full_text_query(words);
  if (!query) return fail(std::move(query.error()));
  bool indexed = false;
  if (!query->parts.empty() && !scan) {
    auto there = has_cjk_index(database);
    if (!there) return fail(std::move(there.error()));
    indexed = *there;
  }
  const Question question = question_of(*query, indexed);
  auto statement = database.prepare(question.sql);
  if (!statement) return fail(std::move(statement.error()));
  Statement& hit = *statement;
  hit.bind(1, static_cast<std::int64_t>(limit));
  hit.bind(2, static_cast<std::int64_t>(offset));
  for (std::size_t i = 0; i < question.texts.size(); ++i) {
    hit.bind(static_cast<int>(i) + 3, std::string_view(question.texts[i]));
  }
  std::vector<TextHit> hits;
  for (;;) {
    auto row = hit.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return hits;
    hits.push_back({PieceKey{hit.integer(0)}, std::string(hit.bytes(1)), hit.real(2)});
  }
}

}  // namespace rondo
