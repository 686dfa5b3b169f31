// The Essen folk songs as ABC: 31 files, all tunes of which must come through.

#include <gtest/gtest.h>

#include "support/data.h"

namespace rondo {
namespace {

/// An independent count: lines that begin with X:.
std::size_t count_tunes(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at != std::string::npos; at = text.find('\n', at)) {
    if (text[at] == '\n') ++at;
    if (text.compare(at, 2, "X:") == 0) ++count;
  }
  return count;
}

TEST(Essen, AllTunesOfAllFilesAreRead) {
  RONDO_NEEDS_DATA("essen-abc");
  const auto files = files_below(rondo_data("essen-abc"), ".abc");
  EXPECT_EQ(files.size(), 31U);
  std::size_t total = 0;
  for (const auto& file : files) {
    const std::string text = slurp(file);
    ASSERT_NE(recognise(text.substr(0, 65536)), nullptr) << file;
    EXPECT_EQ(recognise(text.substr(0, 65536))->name, "abc") << file;
    CollectingSink sink;
    read_text("abc", text, sink);
    EXPECT_TRUE(sink.skipped.empty()) << file << ": " << sink.skipped.front().to_string();
    EXPECT_EQ(sink.pieces.size(), count_tunes(text)) << file;
    for (const Piece& piece : sink.pieces) {
      EXPECT_EQ(piece.voices.size(), 1U) << file << " " << piece.id;
      EXPECT_FALSE(piece.metadata.title.empty()) << file << " " << piece.id;
    }
    total += sink.pieces.size();
  }
  EXPECT_EQ(total, 8514U);
}

TEST(Essen, WhatWeWriteReadsAsTheSameSongs) {
  RONDO_NEEDS_DATA("essen-abc");
  const Format* abc = find_format("abc");
  for (const auto& file : files_below(rondo_data("essen-abc"), ".abc")) {
    CollectingSink sink;
    read_text("abc", slurp(file), sink);
    for (const Piece& piece : sink.pieces) {
      const auto text = abc->write(piece);
      ASSERT_TRUE(text.has_value()) << piece.id;
      CollectingSink again;
      read_text("abc", *text, again);
      ASSERT_EQ(again.pieces.size(), 1U) << *text;
      EXPECT_EQ(again.pieces[0].voices, piece.voices) << *text;
      EXPECT_EQ(again.pieces[0].id, piece.id);
      EXPECT_TRUE(again.warnings.empty()) << again.warnings[0].to_string() << "\n" << *text;
    }
  }
}

}  // namespace
}  // namespace rondo
