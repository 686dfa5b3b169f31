#include "server/assets.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>

#include "server/compress.h"

// From the assembler file that cmake/assets.cmake writes: for each file the offsets of its path and its bytes from the
// beginning of the table.
// NOLINTBEGIN(readability-identifier-naming): they are the assembler's names
struct RondoAsset {
  std::uint64_t path;
  std::uint64_t path_size;
  std::uint64_t bytes;
  std::uint64_t bytes_size;
};
extern "C" {
extern const RondoAsset rondo_assets[];
extern const std::uint64_t rondo_assets_count;
}
// NOLINTEND(readability-identifier-naming)

namespace rondo::server {

struct Asset::Lazy {
  std::once_flag compressed_once;
  std::string compressed;
  std::once_flag hashed_once;
  std::uint64_t hash = 0;
};

namespace {

struct Type {
  std::string_view ending;
  std::string_view type;
};
constexpr std::array kTypes = {
    Type{".html", "text/html; charset=utf-8"},
    Type{".js", "text/javascript; charset=utf-8"},
    Type{".mjs", "text/javascript; charset=utf-8"},
    Type{".css", "text/css; charset=utf-8"},
    Type{".json", "application/json"},
    Type{".map", "application/json"},
    Type{".webmanifest", "application/manifest+json"},
    Type{".wasm", "application/wasm"},
    Type{".svg", "image/svg+xml"},
    Type{".png", "image/png"},
    Type{".ico", "image/x-icon"},
    Type{".woff2", "font/woff2"},
    Type{".txt", "text/plain; charset=utf-8"},
};

std::string_view type_of(std::string_view path) {
  for (const Type& type : kTypes) {
    if (path.ends_with(type.ending)) return type.type;
  }
  return "application/octet-stream";
}

std::map<std::string_view, Asset> all_assets() {
  std::map<std::string_view, Asset> out;
  const char* base = reinterpret_cast<const char*>(rondo_assets);
  for (const RondoAsset& raw : std::span(rondo_assets, rondo_assets_count)) {
    Asset asset;
    asset.path = {base + raw.path, raw.path_size};
    asset.bytes = {base + raw.bytes, raw.bytes_size};
    asset.type = type_of(asset.path);
    asset.never_changes = asset.path.starts_with("/assets/");
    asset.lazy = std::make_shared<Asset::Lazy>();
    out.emplace(asset.path, std::move(asset));
  }
  return out;
}

}  // namespace

const std::string& Asset::compressed() const {
  std::call_once(lazy->compressed_once, [this] {
    if (!worth_compressing(type)) return;
    constexpr int kSmall = 6;
    auto smaller = gzip(bytes, kSmall);
    if (smaller && smaller->size() < bytes.size()) lazy->compressed = std::move(*smaller);
  });
  return lazy->compressed;
}

std::string Asset::tag(std::string_view mark) const {
  std::call_once(lazy->hashed_once, [this] { lazy->hash = XXH3_64bits(bytes.data(), bytes.size()); });
  return fmt::format("\"{:016x}{}\"", lazy->hash, mark);
}

const Asset* find_asset(std::string_view path) {
  static const std::map<std::string_view, Asset> assets = all_assets();
  const auto found = assets.find(path);
  return found == assets.end() ? nullptr : &found->second;
}

}  // namespace rondo::server
