#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rondo::server {

/// A file that was put into the program when it was built. There are no others: what is not in this list cannot be
/// asked for, whatever the path.
struct Asset {
  std::string_view path;  ///< as it is asked for: "/index.html"
  std::string_view bytes;
  std::string_view type;
  bool never_changes = false;  ///< its name tells its content

  /// As gzip, made when first asked for; empty where that saves nothing.
  [[nodiscard]] const std::string& compressed() const;
  /// Stands for the content, with a mark for the form it is sent in.
  [[nodiscard]] std::string tag(std::string_view mark) const;

  struct Lazy;
  std::shared_ptr<Lazy> lazy;
};

[[nodiscard]] const Asset* find_asset(std::string_view path);

}  // namespace rondo::server
