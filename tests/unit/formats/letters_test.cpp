// Messages name letters, never the bytes that a letter of UTF-8 consists of.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "base/utf8.h"
#include "rondo/formats/open.h"
#include "rondo/query/reading.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLetters[] = {"\u00fc", "\u65e5", "\U0001D11E"};

/// Whether a message is text, and does not speak of a byte of a letter.
void expect_letters(const Diagnostic& said, const std::string& input) {
  static const std::regex byte("byte (1[2-9][0-9]|2[0-9][0-9])\\b|0x[89a-fA-F][0-9a-fA-F]\\b");
  EXPECT_TRUE(is_utf8(said.message) && is_utf8(said.hint)) << said.code << "\n" << input;
  EXPECT_FALSE(std::regex_search(said.message, byte)) << said.message << "\n" << input;
}

TEST(Letters, AreNamedInTheMessagesOfEveryReader) {
  std::size_t inputs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(RONDO_SOURCE_DIR) / "fuzz" / "seeds")) {
    const std::string kind = entry.path().parent_path().filename();
    if (!entry.is_regular_file() || kind == "midi" || kind == "index") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (seed.size() > 4000 || !is_utf8(seed)) continue;
    const std::size_t step = std::max<std::size_t>(1, seed.size() / 24);
    for (std::size_t at = 0, turn = 0; at < seed.size(); at += step, ++turn) {
      if ((static_cast<unsigned char>(seed[at]) & 0xC0U) == 0x80U) continue;
      const std::string input = seed.substr(0, at) + kLetters[turn % std::size(kLetters)] + seed.substr(at);
      CollectingSink sink;
      auto read = read_any(std::make_unique<MemorySource>(input), {}, sink);
      if (!read) expect_letters(read.error(), input);
      for (const Diagnostic& said : sink.warnings) expect_letters(said, input);
      for (const Diagnostic& said : sink.skipped) expect_letters(said, input);
      if (input.size() < 200) {
        auto query = read_query_text(input);
        if (!query) expect_letters(query.error(), input);
        if (query) {
          for (const Diagnostic& said : query->warnings) expect_letters(said, input);
        }
      }
      ++inputs;
    }
  }
  EXPECT_GT(inputs, 1000U) << "the test looked at nothing";
}

TEST(Letters, AnUnknownSignOfPlaineAndEasieIsOneSign) {
  CollectingSink sink;
  const std::string text = "@data:'4CD\u00fcEF\n";
  ASSERT_TRUE(read_any(std::make_unique<MemorySource>(text), {}, sink));
  std::vector<std::string> signs;
  for (const Diagnostic& said : sink.warnings) {
    if (said.code == "pae-unknown-sign") signs.push_back(said.message);
  }
  EXPECT_EQ(signs, std::vector<std::string>{"the sign \u00fc has no meaning here and was left out"});
}

}  // namespace
}  // namespace rondo
