#include "server/search_request.h"

#include <fmt/format.h>

namespace rondo::server {
namespace {

Result<Query> query_of(const Asked& asked, Collection& collection) {
  if (asked.id.empty()) return read_typed(asked.q);
  auto piece = collection.get(asked.id);
  if (!piece) return fail(std::move(piece.error()));
  if (piece->voices.empty()) return fail("query-empty", "this record has no notation");
  if (asked.voice >= piece->voices.size()) {
    return fail("voice-missing", fmt::format("the piece has {} voices; they are counted from 0", piece->voices.size()));
  }
  std::swap(piece->voices[0], piece->voices[asked.voice]);
  Query query;
  query.format = piece->format;
  query.piece = std::move(*piece);
  return query;
}

/// Assigns the value of a Result, or keeps its error: arguments are read one after the other.
class Reading {
 public:
  template <typename T>
  void operator()(T& to, Result<T> from) {
    if (from) {
      to = std::move(*from);
    } else if (!error_) {
      error_ = std::move(from.error());
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

void append(std::vector<std::string_view>& to, const std::vector<std::string_view>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string_view> asked_arguments() {
  return {"q", "id", "voice", "system", "set", "anchored", "ignore_repeated", "fold_octaves", "graces"};
}

std::vector<std::string_view> search_arguments() {
  std::vector<std::string_view> names = asked_arguments();
  append(names, {"k", "offset", "text", "where", "fold_duplicates", "format"});
  append(names, {kFacets.begin(), kFacets.end()});
  return names;
}

Result<Asked> Asked::from(const Arguments& arguments) {
  Asked asked;
  asked.q = arguments.text("q");
  asked.id = arguments.text("id");
  asked.system = arguments.text("system", "shapeh");
  asked.settings = arguments.all("set");
  if (trimmed(asked.q).empty() && asked.id.empty()) {
    return fail("query-missing", "nothing was asked for", {}, "give 'q' (notes) or 'id' (a melody of the collection)");
  }
  if (!trimmed(asked.q).empty() && !asked.id.empty()) {
    return fail("argument-both", "'q' and 'id' cannot be asked for at once");
  }
  Reading read;
  read(asked.voice, arguments.number("voice", 0, 0, 511));
  read(asked.anchored, arguments.flag("anchored", false));
  read(asked.line.ignore_repeated, arguments.flag("ignore_repeated", false));
  read(asked.line.fold_octaves, arguments.flag("fold_octaves", false));
  read(asked.line.graces, arguments.flag("graces", false));
  if (read.error()) return fail(*read.error());
  return asked;
}

Result<SearchRequest> SearchRequest::from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k) {
  SearchRequest request;
  Reading read;
  read(request.asked, Asked::from(arguments));
  read(request.k, arguments.number("k", standard_k, 1, most_k));
  read(request.offset, arguments.number("offset", 0, 0, kMostOffset));
  read(request.fold_duplicates, arguments.flag("fold_duplicates", false));
  if (read.error()) return fail(*read.error());
  request.text = trimmed(arguments.text("text"));
  request.where = trimmed(arguments.text("where"));
  for (std::size_t f = 0; f < kFacets.size(); ++f) request.choices[f] = arguments.all(kFacets[f]);
  return request;
}

Result<Wanted> read_wanted(const Asked& asked, Session& session) {
  auto query = query_of(asked, session.collection);
  if (!query) return fail(std::move(query.error()));
  Wanted wanted;
  wanted.query = std::move(*query);
  Voice& whole = wanted.query.piece.voices.front();
  if (whole.notes.size() > kQueryNotes) {
    wanted.query.remarks.push_back(
        Diagnostic{"query-cut", fmt::format("only the first {} notes are looked for", kQueryNotes), {}, {}});
  }
  wanted.voice = beginning_of(whole, kQueryNotes);
  wanted.query_heard = asked.line;
  wanted.heard = asked.line;
  wanted.line = make_line(wanted.voice, wanted.query_heard);
  if (wanted.line.size() == 0) return fail("query-empty", "there are no notes in it that can be compared");
  // The beginning is as long as the query, and a little longer for notes that were added.
  if (asked.anchored) wanted.heard.opening = static_cast<std::uint32_t>(wanted.line.size() + wanted.line.size() / 4);
  if (!asked.id.empty()) {
    auto key = session.collection.key_of(asked.id);
    if (!key) return fail(std::move(key.error()));
    wanted.except = *key;
  }
  return wanted;
}

Result<void> check_length(const Wanted& wanted, const ChosenSystem& system) {
  const std::size_t notes = wanted.line.size();
  if (notes >= system.shortest) return {};
  return fail("query-short",
              fmt::format("the query has {} note{}; {} needs at least {}", notes, notes == 1 ? "" : "s", system.name,
                          system.shortest),
              {}, "add notes, or choose another system");
}

}  // namespace rondo::server
