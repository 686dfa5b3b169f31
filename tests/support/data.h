#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/formats/format.h"

/// Real music lives beside the repository, never in it: $RONDO_DATA, else ../shared/data.
inline std::filesystem::path rondo_data(const std::string& below) {
  const char* set = std::getenv("RONDO_DATA");
  const std::filesystem::path root =
      set != nullptr ? std::filesystem::path(set) : std::filesystem::path(RONDO_SOURCE_DIR) / ".." / "shared" / "data";
  return root / below;
}

/// Whether a test must not skip where the music is missing: in CI and under `./dev test`, unless that is allowed.
inline bool needs_all_data() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
  };
  const char* ci = std::getenv("CI");
  const bool in_ci = ci != nullptr && std::string_view(ci) == "true";
  return (in_ci || is_set("RONDO_NEED_DATA")) && !is_set("RONDO_WITHOUT_DATA");
}
inline std::string missing_data(const std::filesystem::path& data) {
  return "needs the real music in " + data.string() + "; set RONDO_DATA to where it is" +
         (needs_all_data() ? ", or RONDO_WITHOUT_DATA=1 to skip such tests" : "");
}

/// Skips a test, visibly, or fails it, unless all the music it needs is there.
#define RONDO_NEEDS(there, data)  \
  if (there) {                    \
  } else if (needs_all_data()) {  \
    FAIL() << missing_data(data); \
  } else                          \
    GTEST_SKIP() << missing_data(data)
/// First line of a test on real music.
#define RONDO_NEEDS_DATA(below) RONDO_NEEDS(std::filesystem::exists(rondo_data(below)), rondo_data(below))

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// All files below a folder with this extension, sorted.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                                      const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Reads a text with one format; an error of the whole input is put into `skipped` as the last element.
inline void read_text(std::string_view format, std::string_view text, rondo::CollectingSink& sink,
                      rondo::ReadOptions options = {}) {
  if (options.file.empty()) options.file = "test";
  rondo::MemorySource source(text);
  auto done = rondo::find_format(format)->read(source, options, sink);
  if (!done) sink.skipped.push_back(done.error());
}
