#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace rondo::bench {

/// A folder of its own that is gone afterwards, whatever happens.
struct Folder {
  explicit Folder(const std::string& parent)
      : path(std::filesystem::path(parent) / fmt::format("rondo-bench-{}", ::getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

}  // namespace rondo::bench
