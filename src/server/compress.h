#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rondo::server {

/// Whether bytes of this type grow smaller by it.
[[nodiscard]] bool worth_compressing(std::string_view content_type);

/// As gzip, from level 1 (quick) to 9 (small); nothing if zlib cannot (no memory).
[[nodiscard]] std::optional<std::string> gzip(std::string_view bytes, int level);

}  // namespace rondo::server
