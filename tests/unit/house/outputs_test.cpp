// Every output goes through base/output_file.h, every text through cli/print.h, and the names of Rondo's files are in
// base/collection_files.h alone: whoever writes files in another way can overwrite a collection.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Places = std::map<std::string, std::vector<std::string>>;

bool goes_on(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether code has one of these words; a word that ends with a letter ends there in the code as well.
bool has_one_of(std::string_view code, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool begins = at == 0 || !goes_on(word.front()) || !goes_on(code[at - 1]);
      const bool ends = end == code.size() || !goes_on(word.back()) || !goes_on(code[end]);
      if (begins && ends) return true;
    }
  }
  return false;
}

/// Lines of code with one of the words, by file. Comments do not count.
Places places_of(const std::vector<std::string>& words, const std::vector<std::string>& folders) {
  const fs::path root = RONDO_SOURCE_DIR;
  Places out;
  int seen = 0;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension();
      if (ending != ".cpp" && ending != ".h" && ending != ".cu" && ending != ".c" && ending != ".py") continue;
      ++seen;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (has_one_of(std::string_view(line).substr(0, line.find("//")), words)) {
          out[fs::relative(entry.path(), root)].push_back(line);
        }
      }
    }
  }
  EXPECT_GT(seen, 2) << "the test looked at nothing";
  return out;
}

/// Only these files match, and each of them does.
void expect_only_in(const Places& places, const std::set<std::string>& allowed, const std::string& advice) {
  for (const auto& [file, lines] : places) {
    EXPECT_EQ(allowed.count(file), 1U) << file << ": " << lines.front() << "\n" << advice;
  }
  for (const std::string& file : allowed) EXPECT_EQ(places.count(file), 1U) << file << " need not be listed any more";
}

TEST(Outputs, AreOpenedInOnePlace) {
  const std::vector<std::string> calls = {
      "ofstream",     "std::fstream", "filebuf",   "fopen(",     "fdopen(",   "freopen(",
      "O_CREAT",      "O_WRONLY",     "O_RDWR",    "O_TMPFILE",  "creat(",    "mkstemp(",
      "mkostemp(",    "tmpfile(",     "tmpnam(",   "copy_file(", "fs::copy(", "filesystem::copy(",
      "resize_file(", "rename(",      "renameat(", "renameat2(", "linkat(",   "SQLITE_OPEN_CREATE"};
  expect_only_in(places_of(calls, {"src", "python/src", "postgresql"}),
                 {
                     "postgresql/bridge/shared_file.cpp",  // what the extension's processes share
                     "src/base/file_lock.cpp", "src/base/output_file.cpp",
                     "src/bench/service.cpp",           // /dev/null
                     "src/cli/print.cpp",               // /dev/null
                     "src/concordances/decisions.cpp",  // appended to, locked
                     "src/concordances/journal.cpp",    // appended to, locked
                     "src/search/index/file.cpp",       // the index and its lock
                     "src/server/melody_links.cpp",     // SQLite
                     "src/store/backup.cpp",            // SQLite
                     "src/store/examine.cpp",           // SQLite, in memory
                     "src/store/open.cpp",              // SQLite
                     "src/store/sqlite.cpp",            // SQLite
                     "src/study/examine.cpp",           // SQLite, in memory
                     "src/study/studies.cpp",           // SQLite
                 },
                 "write with rondo::OutputFile (base/output_file.h), which never overwrites a collection");
  expect_only_in(places_of({"open(", "write_text(", "write_bytes("}, {"python/rondo"}), {}, "write with the library");
}

TEST(Outputs, ArePrintedInOnePlace) {
  expect_only_in(
      places_of({"fmt::print(", "std::cout", "std::cerr", "printf(", "fprintf(", "putchar(", "puts("}, {"src"}), {},
      "print with print_to (cli/print.h): fmt::print ends the program where the stream is closed");
}

TEST(Outputs, NamesOfCompanionsAreInOnePlace) {
  std::vector<std::string> names;
  for (const char* name : {"index", "studies", "links", "concordances", "decisions"}) {
    for (const char* end : {"\"", ".", "-"}) names.push_back("\"." + std::string(name) + end);
  }
  expect_only_in(places_of(names, {"src", "python/src"}), {"src/base/collection_files.cpp"},
                 "use companion_of (base/collection_files.h)");
}

}  // namespace
