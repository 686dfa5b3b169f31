#include "server/query.h"

#include <algorithm>
#include <optional>

#include "rondo/base/utf8.h"
#include "rondo/formats/open.h"
#include "rondo/formats/pae.h"
#include "server/hit_view.h"

namespace rondo::server {
namespace {

constexpr std::size_t kMostRemarks = 20;

/// Keeps the first piece that has notes, and ends the reading then.
class FirstMelody final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    if (piece.voices.empty() || piece.voices.front().notes.empty()) return true;
    found = std::move(piece);
    return false;
  }
  void warn(Diagnostic warning) override {
    if (remarks.size() < kMostRemarks) remarks.push_back(std::move(warning));
  }
  bool skip(Diagnostic why) override {
    if (!failure) failure = std::move(why);
    return true;
  }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions options;
    options.file = name;
    options.keep_source = false;
    if (auto done = read_any(std::move(source), options, *this); !done && !failure) failure = std::move(done.error());
    return !found.has_value();
  }
  bool problem(Diagnostic why) override { return skip(std::move(why)); }

  [[nodiscard]] Result<Query> outcome() {
    if (!found) {
      if (failure) return fail(std::move(*failure));
      return fail("query-empty", "there is no melody in it", {}, "send notes, for instance '4CDEC/CDEC");
    }
    Query query{std::move(*found), {}, std::move(remarks)};
    query.format = query.piece.format;
    return query;
  }

  std::optional<Piece> found;
  Diagnostics remarks;
  std::optional<Error> failure;
};

/// Characters, not bytes, up to this byte.
std::uint32_t characters(std::string_view text, std::size_t bytes) {
  const std::string_view part = text.substr(0, bytes);
  return static_cast<std::uint32_t>(
      std::count_if(part.begin(), part.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// From line and column to a column in the whole text; `skipped` bytes in front were not shown to the reader.
void locate(Diagnostic& remark, std::string_view text, std::size_t skipped) {
  remark.place.file.clear();
  if (remark.place.column == 0) {
    remark.place.line = 0;
    return;
  }
  std::size_t begin = skipped;
  for (std::uint32_t line = 1; line < remark.place.line && begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  remark.place.line = 0;
  remark.place.column = characters(text, begin + remark.place.column - 1) + 1;
}

Result<Query> read_pae_text(std::string_view text) {
  Query query;
  auto voice = parse_pae_query(text, query.remarks);
  if (!voice) {
    Error error = std::move(voice.error());
    if (error.hint.empty()) error.hint = "a query is notes in Plaine & Easie Code such as '4CDEC/CDEC, or ABC, or kern";
    return fail(std::move(error));
  }
  if (voice->notes.empty())
    return fail("query-empty", "there are no notes in it", {}, "add notes, for instance '4CDEC");
  query.format = "pae";
  query.piece.id = "query";
  query.piece.format = "pae";
  query.piece.voices.push_back(std::move(*voice));
  return query;
}

template <typename T>
std::string first_text(const std::vector<Change<T>>& changes) {
  return changes.empty() ? std::string() : changes.front().value.to_string();
}

}  // namespace

Result<Query> read_typed(std::string_view text) {
  const std::string_view inner = trimmed(text);
  const auto skipped = static_cast<std::size_t>(inner.data() - text.data());
  const Format* format = inner.empty() ? nullptr : recognise(inner);
  Result<Query> query = [&]() -> Result<Query> {
    if (format == nullptr || format->name == "pae") return read_pae_text(inner);
    FirstMelody first;
    first.file("query", std::make_unique<MemorySource>(inner));
    return first.outcome();
  }();
  if (!query) {
    locate(query.error(), text, inner.empty() ? 0 : skipped);
    return query;
  }
  for (Diagnostic& remark : query->remarks) locate(remark, text, skipped);
  if (query->remarks.size() > kMostRemarks) query->remarks.resize(kMostRemarks);
  return query;
}

Result<Query> read_upload(std::string_view bytes) {
  if (trimmed(bytes).empty()) return fail("query-empty", "the file is empty");
  FirstMelody first;
  OpenLimits limits;
  limits.total_bytes = std::uint64_t{64} << 20U;
  open_bytes("upload", std::make_unique<MemorySource>(bytes), first, limits);
  auto query = first.outcome();
  // Notes in a file of their own are no format that can be recognised, but are meant as a query.
  if (!query && query.error().code == "format-unknown" && is_utf8(bytes)) {
    if (auto typed = read_typed(bytes); typed) return typed;
  }
  if (!query) query.error().place.file.clear();
  return query;
}

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

Json query_json(const Query& query) {
  const Voice& whole = query.piece.voices.front();
  const Voice voice = beginning_of(whole, kShownNotes);
  return {{"pae", pae_line(voice)},
          {"clef", first_text(voice.clefs)},
          {"key", first_text(voice.key_signatures)},
          {"time", first_text(voice.times)},
          {"format", query.format},
          {"notes", notes_json(voice)},
          {"mei", engraving_json(voice)},
          {"cut", whole.notes.size() > kShownNotes},
          {"warnings", remarks_json(query.remarks)}};
}

}  // namespace rondo::server
