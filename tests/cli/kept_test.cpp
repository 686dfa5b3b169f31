// Files that earlier versions of the program have written; this one must open them.

#include <gmock/gmock.h>

#include "cli/program.h"

namespace {

using testing::HasSubstr;

class Kept : public Program {};

TEST_F(Kept, CollectionsIndexesAndStudiesOfEarlierVersionsAreRead) {
  namespace fs = std::filesystem;
  int versions = 0;
  for (const auto& entry : fs::directory_iterator(RONDO_SOURCE_DIR "/tests/kept")) {
    if (!entry.is_directory()) continue;
    ++versions;
    const std::string version = entry.path().filename().string();
    for (const auto& file : fs::directory_iterator(entry.path())) {
      fs::copy_file(file.path(), path(file.path().filename().string()), fs::copy_options::overwrite_existing);
    }
    // Opened for writing, an older file is brought up to date.
    const auto checked = rondo("check collection.db");
    EXPECT_EQ(checked.code, 0) << version << checked.out << checked.err;
    const std::string first = shell("sqlite3 collection.db 'SELECT id FROM piece ORDER BY key LIMIT 1'").out;
    const std::string id = "'" + first.substr(0, first.find('\n')) + "'";
    const std::string told = rondo("export --db collection.db --format jsonl").out +
                             rondo("search --db collection.db --id " + id + " -k 5 --system shapeh --format csv").out +
                             rondo("truth build --db collection.db --study kept --as qrels").out;
    EXPECT_EQ(told, read("expected.txt")) << version;
    EXPECT_THAT(rondo("study status --db collection.db").out, HasSubstr("kept")) << version;
  }
  EXPECT_GE(versions, 1);
}

}  // namespace
