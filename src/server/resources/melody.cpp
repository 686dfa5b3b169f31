#include <fmt/format.h>

#include <array>

#include "rondo/formats/format.h"
#include "server/hit_view.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/session.h"

namespace rondo::server {
namespace {

struct Download {
  std::string_view ending;
  std::string_view format;
};
constexpr std::array kDownloads = {Download{"pae", "pae"},   Download{"mei", "mei"},  Download{"mid", "midi"},
                                   Download{"abc", "abc"},   Download{"krn", "kern"}, Download{"musicxml", "musicxml"},
                                   Download{"json", "jsonl"}};

const Download* find_download(std::string_view ending) {
  for (const Download& download : kDownloads) {
    if (download.ending == ending) return &download;
  }
  return nullptr;
}

Json melody_json(const Piece& piece) {
  Json out = {{"id", piece.id}};
  out.update(metadata_json(piece.metadata));
  out["catalogue"] = piece.metadata.catalogue;
  out["fields"] = Json::array();
  for (const auto& [name, value] : piece.metadata.fields) out["fields"].push_back({{"name", name}, {"value", value}});
  out["format"] = piece.format;
  out["voices"] = Json::array();
  for (const Voice& voice : piece.voices) {
    out["voices"].push_back(
        {{"name", voice.name}, {"pae", pae_line(voice)}, {"mei", engraving_json(voice)}, {"notes", notes_json(voice)}});
  }
  out["downloads"] = Json::array();
  for (const Download& download : kDownloads) out["downloads"].push_back(download.ending);
  return out;
}

/// A name that is valid in any file system.
std::string file_name(std::string_view id, std::string_view ending) {
  std::string name;
  for (const char c : id.substr(0, 80)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    name += plain ? c : '_';
  }
  return fmt::format("{}.{}", name, ending);
}

/// The format requested by the Accept header; null: the JSON of the API. Error `not-acceptable`.
Result<const Download*> accepted(const Call& call) {
  constexpr std::string_view kJson = "application/json";
  std::vector<std::string_view> types = {kJson};
  for (const Download& download : kDownloads) types.push_back(find_format(download.format)->mime);
  const std::string_view best = negotiate(header(call.request.headers, "Accept"), types);
  if (best == kJson) return nullptr;
  for (const Download& download : kDownloads) {
    if (find_format(download.format)->mime == best) return &download;
  }
  return fail("not-acceptable", "none of the requested media types is available", {},
              fmt::format("there are: {}", fmt::join(types, ", ")));
}

Response download(const Piece& piece, const Download& wanted) {
  const Format* format = find_format(wanted.format);
  auto text = format->write(piece);
  if (!text) return problem(text.error());
  const bool is_text = format->mime.starts_with("text/");
  Response response = text_response(
      200, is_text ? fmt::format("{}; charset=utf-8", format->mime) : std::string(format->mime), std::move(*text));
  response.set("Content-Disposition", fmt::format("attachment; filename=\"{}\"", file_name(piece.id, wanted.ending)));
  return response;
}

}  // namespace

Response get_melody(const Call& call) {
  if (auto known = call.target.arguments.only({}); !known) return problem(known.error());
  const std::string& id = call.path_parameters.front();
  auto piece = call.session.collection.get(id);
  if (piece) {
    const auto wanted = accepted(call);
    if (!wanted) return problem(wanted.error());
    return *wanted == nullptr ? json_response(melody_json(*piece)) : download(*piece, **wanted);
  }
  if (piece.error().code != "piece-missing") return problem(piece.error());
  // Ids may contain dots, so an extension is a format only if there is no such id.
  const std::size_t dot = id.rfind('.');
  const Download* wanted = dot == std::string::npos ? nullptr : find_download(std::string_view(id).substr(dot + 1));
  if (wanted == nullptr) return problem(piece.error());
  auto inner = call.session.collection.get(std::string_view(id).substr(0, dot));
  return inner ? download(*inner, *wanted) : problem(inner.error());
}

}  // namespace rondo::server
