#include "base/json.h"
#include "base/streams.h"
#include "base/utf8.h"
#include "formats/jsonl/piece.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using jsonl::Json;

constexpr std::string_view kMark = "\xEF\xBB\xBF";

/// Lines are numbered by the reader.
Result<Json> parse_line(std::string_view line) {
  auto json = parse_json<Json>(line, {limits::kNesting, kLargeJson.values});
  if (json) return json;
  json.error().place.line = 0;
  return fail(json_error(std::move(json.error()), "jsonl"));
}

/// The id in a line's object, or the one made from file and number.
std::string id_of(const Json& object, std::string made) {
  const auto found = object.is_object() ? object.find("id") : object.end();
  if (found == object.end()) return made;
  std::string id = found->is_string() ? found->get<std::string>() : found->is_number() ? found->dump() : std::string();
  return id.empty() ? made : id;
}

}  // namespace

int recognise_jsonl(std::string_view head) {
  if (head.starts_with(kMark)) head.remove_prefix(kMark.size());
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return 0;
  const std::string_view line = head.substr(first, head.find_first_of("\r\n", first) - first);
  const auto has = [line](std::string_view key) { return line.find(key) != std::string_view::npos; };
  if (has("\"notes\"") || has("\"voices\"") || has("\"midipitch\"") || has("\"pae\"")) return 95;
  // An object with "data" is Plaine & Easie in its JSON form.
  if (has("\"data\"")) return 0;
  return has("\"id\"") ? 60 : 0;
}

Result<void> read_jsonl(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  LineReader lines(in, jsonl::kLineBytes);
  jsonl::PieceReader reader(options);
  Diagnostics warnings;
  std::string id;
  const auto placed = [&](Diagnostic&& diagnostic) {
    diagnostic.place.file = options.file;
    diagnostic.place.record = id;
    diagnostic.place.line = static_cast<std::uint32_t>(lines.number());
    return std::move(diagnostic);
  };
  for (std::size_t number = 1;; ++number) {
    std::string_view line;
    auto next = lines.next(line);
    if (next && lines.number() == 1 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
    while (next && *next && line.find_first_not_of(" \t") == std::string_view::npos) next = lines.next(line);
    if (next && !*next) return {};
    id = record_id(options, number);
    if (!next) {
      if (next.error().code != "line-too-long") return fail(placed(std::move(next.error())));
      if (!sink.skip(placed(std::move(next.error())))) return {};
      continue;
    }
    auto object = parse_line(line);
    if (!object) {
      if (!sink.skip(placed(std::move(object.error())))) return {};
      continue;
    }
    id = id_of(*object, std::move(id));
    warnings.clear();
    auto piece = reader.read(*object, warnings);
    if (!piece) {
      if (!sink.skip(placed(std::move(piece.error())))) return {};
      continue;
    }
    piece->id = id;
    if (options.keep_source && piece->format == "jsonl") piece->source_text = line;
    for (Diagnostic& warning : warnings) sink.warn(placed(std::move(warning)));
    if (!sink.piece(std::move(*piece))) return {};
  }
}

}  // namespace rondo
