#include "server/query.h"

#include "formats/shown.h"
#include "query/reading_json.h"
#include "server/hit_view.h"

namespace rondo::server {
namespace {

template <typename T>
std::string first_text(const std::vector<Change<T>>& changes) {
  return changes.empty() ? std::string() : changes.front().value.to_string();
}

}  // namespace

Json remarks_json(const Diagnostics& remarks) {
  Json out = Json::array();
  for (const Diagnostic& remark : remarks) {
    Json one = {{"code", remark.code}, {"message", remark.message}};
    if (remark.place.line > 0) one["line"] = remark.place.line;
    if (remark.place.column > 0) one["column"] = remark.place.column;
    if (!remark.hint.empty()) one["hint"] = remark.hint;
    out.push_back(std::move(one));
  }
  return out;
}

Json query_json(const QueryReading& query) {
  const Voice& whole = query.voice();
  const Voice voice = beginning_of(whole, kShownNotes);
  const bool document = query.kind == QueryKind::document;
  return {{"pae", pae_line(voice)},
          {"clef", first_text(voice.clefs)},
          {"key", first_text(voice.key_signatures)},
          {"time", first_text(voice.times)},
          {"format", document ? query.piece.format : std::string(to_string(query.kind))},
          {"notes", notes_json(voice)},
          {"mei", engraving_json(voice)},
          {"cut", whole.notes.size() > kShownNotes},
          {"read", reading_json(query)},
          {"warnings", remarks_json(query.warnings)}};
}

}  // namespace rondo::server
