#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rondo::server {

/// Whether content of this type is compressible.
[[nodiscard]] bool worth_compressing(std::string_view content_type);

/// Compresses with level 1 (fast) to 9 (small); nullopt if zlib fails (out of memory).
[[nodiscard]] std::optional<std::string> gzip(std::string_view bytes, int level);

}  // namespace rondo::server
