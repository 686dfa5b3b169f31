#include "server/compress.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "server/message.h"

namespace rondo::server {

bool worth_compressing(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  constexpr std::array<std::string_view, 7> kSmaller = {
      "application/json",    "application/problem+json", "application/jsonl", "application/javascript",
      "application/mei+xml", "application/wasm",         "image/svg+xml"};
  return type.starts_with("text/") || std::find(kSmaller.begin(), kSmaller.end(), type) != kSmaller.end();
}

std::optional<std::string> gzip(std::string_view bytes, int level) {
  if (bytes.size() > std::numeric_limits<uInt>::max() / 2) return std::nullopt;
  z_stream stream = {};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) return std::nullopt;
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib does not write to it
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int outcome = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (outcome != Z_STREAM_END) return std::nullopt;
  return out;
}

}  // namespace rondo::server
