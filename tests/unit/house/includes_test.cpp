// Data flows in one direction: a module may depend only on earlier modules (docs/architecture.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// Each module and the modules it may include from, besides itself.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"base", {}},
    {"melody", {"base"}},
    {"formats", {"base", "melody"}},
    {"generate", {"base", "melody", "formats"}},
    {"features", {"base", "melody"}},
    {"store", {"base", "melody", "formats", "features"}},
    {"similarity", {"base", "melody", "features"}},
    {"query", {"base", "melody", "formats", "similarity"}},
    {"gpu", {"base", "melody", "similarity"}},
    {"search", {"base", "melody", "formats", "features", "store", "similarity", "query", "gpu"}},
    {"concordances", {"base", "melody", "store", "similarity", "gpu", "search"}},
    {"requirements", {"base", "melody", "generate", "similarity", "search", "statistics"}},
    {"statistics", {"base"}},
    {"evaluation", {"base", "statistics"}},
    {"study", {"base", "melody", "formats", "store", "search", "statistics", "evaluation"}},
    {"report", {"base", "statistics", "evaluation", "study"}},
    {"bench",
     {"base", "melody", "formats", "generate", "features", "store", "similarity", "search", "statistics", "evaluation",
      "concordances"}},
    {"server",
     {"base", "melody", "formats", "features", "store", "similarity", "query", "search", "statistics", "evaluation",
      "requirements", "study", "report", "concordances"}},
    {"cli",
     {"base", "melody", "formats", "generate", "features", "store", "similarity", "query", "search", "statistics",
      "evaluation", "requirements", "study", "report", "bench", "server", "concordances"}},
};

TEST(House, EveryModuleIncludesOnlyModulesBeforeIt) {
  const std::regex include(R"re(^\s*#include\s+"(?:rondo/)?([a-z_]+)/)re");
  int seen = 0;
  for (const fs::path& root : {fs::path(RONDO_SOURCE_DIR) / "src", fs::path(RONDO_SOURCE_DIR) / "include" / "rondo"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file() || entry.path().filename() == "rondo.h") continue;
      const std::string module = fs::relative(entry.path(), root).begin()->string();
      const auto allowed = kAllowed.find(module);
      ASSERT_NE(allowed, kAllowed.end()) << entry.path() << " is in a module this test does not know";
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) continue;
        const std::string other = match[1];
        if (kAllowed.count(other) == 0) continue;
        ++seen;
        EXPECT_TRUE(other == module || allowed->second.count(other) == 1)
            << entry.path() << ": the module " << module << " may not include " << other << "\n  " << line;
      }
    }
  }
  EXPECT_GT(seen, 20) << "the test looked at nothing";
}

// The public headers include only each other and the standard library, and are short enough to be read.
TEST(House, PublicHeadersIncludeOnlyEachOtherAndTheStandardLibrary) {
  const fs::path root = fs::path(RONDO_SOURCE_DIR) / "include";
  const std::regex own(R"re(^\s*#include\s+"([^"]+)")re");
  const std::regex other(R"re(^\s*#include\s+<([^>]+)>)re");
  std::set<std::string> named;
  std::set<std::string> there;
  int lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), root).string();
    there.insert(name);
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line); ++lines) {
      std::smatch match;
      if (std::regex_search(line, match, own)) {
        EXPECT_TRUE(fs::exists(root / match[1].str())) << name << ": " << line << " is not public";
        if (name == "rondo/rondo.h") named.insert(match[1]);
      } else if (std::regex_search(line, match, other)) {
        EXPECT_EQ(match[1].str().find_first_of("./"), std::string::npos) << name << ": " << line;
      }
    }
  }
  named.insert("rondo/rondo.h");
  EXPECT_EQ(named, there) << "rondo.h includes them all";
  EXPECT_LE(lines, 2050) << "to be read in ten minutes";
}

// So that its limits hold for every input.
TEST(House, JsonIsReadInOnePlace) {
  int seen = 0;
  for (const char* folder : {"src", "python", "postgresql"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RONDO_SOURCE_DIR) / folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".cpp" && kind != ".h") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        const bool parses = line.find("son::parse(") != std::string::npos ||
                            line.find("son::sax_parse(") != std::string::npos ||
                            line.find("son::accept(") != std::string::npos;
        if (!parses) continue;
        ++seen;
        EXPECT_EQ(entry.path().filename(), "json.cpp") << entry.path() << ": use base/json.h\n  " << line;
        EXPECT_EQ(entry.path().parent_path().filename(), "base") << entry.path();
      }
    }
  }
  EXPECT_EQ(seen, 1) << "the test looked at nothing";
}

TEST(House, NoTwoModulesDependOnEachOther) {
  for (const auto& [module, allowed] : kAllowed) {
    for (const std::string& other : allowed) {
      EXPECT_EQ(kAllowed.at(other).count(module), 0U) << module << " and " << other << " depend on each other";
    }
  }
}

}  // namespace
