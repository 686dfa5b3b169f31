#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "rondo/formats/format.h"

/// Real music lives beside the repository, never in it: $RONDO_DATA, else ../shared/data.
inline std::filesystem::path rondo_data(const std::string& below) {
  const char* set = std::getenv("RONDO_DATA");
  const std::filesystem::path root =
      set != nullptr ? std::filesystem::path(set) : std::filesystem::path(RONDO_SOURCE_DIR) / ".." / "shared" / "data";
  return root / below;
}

/// First line of a test on real music. Skips, visibly, where the music is not there.
#define RONDO_NEEDS_DATA(below)                    \
  if (!std::filesystem::exists(rondo_data(below))) \
  GTEST_SKIP() << "needs the real music in " << rondo_data(below) << "; set RONDO_DATA to where it is"

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
