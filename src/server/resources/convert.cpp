#include "melody/find_melody.h"
#include "rondo/formats/format.h"
#include "server/problem.h"
#include "server/query.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

std::string writable_formats() {
  std::string names;
  for (const Format& format : formats()) {
    if (format.write != nullptr) names.append(names.empty() ? "" : ", ").append(format.name);
  }
  return names;
}

}  // namespace

/// The first piece with notes of an uploaded file, in another format.
Response post_convert(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"as", "voices"}); !known) return problem(known.error());
  const Format* format = find_format(arguments.text("as"));
  if (format == nullptr || format->write == nullptr) {
    return problem(Error{"argument-format", "'as' must be a format that can be written", {}, writable_formats()});
  }
  const std::string_view voices = arguments.text("voices");
  if (!voices.empty() && voices != "all" && voices != "melody") {
    return problem(Error{"argument-voices", "'voices' must be all or melody", {}, {}});
  }
  auto upload = read_query_bytes(call.request.body);
  if (!upload) return problem(upload.error());
  if (voices == "melody") (void)reduce_to_melody(upload->piece);
  auto text = format->write(upload->piece);
  if (!text) return problem(text.error());
  Response response = text_response(200, std::string(format->mime), std::move(*text));
  response.set("Content-Disposition", "attachment; filename=\"melody" + std::string(format->extension) + "\"");
  return response;
}

}  // namespace rondo::server
