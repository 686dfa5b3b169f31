#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rondo::server {

/// A file that was embedded at build time. Only these files can be requested, whatever the path.
struct Asset {
  std::string_view path;  ///< as requested: "/index.html"
  std::string_view bytes;
  std::string_view type;
  bool never_changes = false;  ///< its name contains a hash of its content

  /// Compressed with gzip at first use; empty if that saves nothing.
  [[nodiscard]] const std::string& compressed() const;
  /// ETag of the content, with a suffix for its encoding.
  [[nodiscard]] std::string tag(std::string_view mark) const;

  struct Lazy;
  std::shared_ptr<Lazy> lazy;
};

[[nodiscard]] const Asset* find_asset(std::string_view path);

}  // namespace rondo::server
