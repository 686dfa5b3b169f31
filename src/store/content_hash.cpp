#include "store/content_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace rondo {

void hash_texts(ContentHash& hash, const Piece& piece) {
  const Metadata& about = piece.metadata;
  for (const std::string* part : {&about.title, &about.composer, &about.source, &about.library, &about.shelfmark,
                                  &about.uri, &about.year, &piece.format, &piece.source_text}) {
    hash.text(*part);
  }
  hash.count(about.catalogue.size());
  for (const std::string& number : about.catalogue) hash.text(number);
  hash.count(about.fields.size());
  for (const auto& [name, value] : about.fields) {
    hash.text(name);
    hash.text(value);
  }
}

std::string to_hex(std::int64_t hash) { return fmt::format("{:016x}", static_cast<std::uint64_t>(hash)); }

std::string file_fingerprint(const std::filesystem::path& path) {
  // Anything else (a pipe, a device) can be read only once, and not here.
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return {};
  std::ifstream in(path, std::ios::binary);
  // Small files are many, and clearing a large buffer takes longer than reading one of them.
  constexpr std::uintmax_t kMaxBuffer = std::uintmax_t{1} << 20U;
  const std::uintmax_t expected = std::filesystem::file_size(path, problem);
  std::vector<char> buffer(problem ? kMaxBuffer : std::clamp<std::uintmax_t>(expected + 1, 4096, kMaxBuffer));
  ContentHash hash;
  std::uint64_t size = 0;
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    hash.bytes({buffer.data(), got});
    size += got;
  }
  if (!in.eof()) return {};
  return to_hex(hash.value()) + "-" + std::to_string(size);
}

}  // namespace rondo
