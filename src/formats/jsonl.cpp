#include "base/json_problem.h"
#include "base/streams.h"
#include "base/utf8.h"
#include "formats/jsonl/piece.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using jsonl::Json;

constexpr std::string_view kMark = "\xEF\xBB\xBF";

/// False when brackets are nested more deeply than any piece needs.
bool nesting_fits(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > limits::kNesting) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

/// The parser's message without its prefix.
std::string explanation(std::string_view what) {
  const std::size_t colon = what.find(": ");
  return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

Result<Json> parse_line(std::string_view line) {
  if (!nesting_fits(line)) {
    return fail("jsonl-nesting", "brackets are nested more than " + std::to_string(limits::kNesting) + " deep");
  }
  try {
    return Json::parse(line.begin(), line.end());
  } catch (const Json::parse_error& error) {
    Place place;
    place.column = static_cast<std::uint32_t>(error.byte);
    return fail("jsonl-syntax", "this is not JSON: " + json_problem(explanation(error.what()), line, error.byte),
                std::move(place));
  } catch (const Json::exception& error) {
    return fail("jsonl-syntax", "this is not JSON: " + repair_utf8(explanation(error.what())));
  }
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
