#include "concordances/journal_folder.h"

#include <cstdlib>
#include <system_error>

namespace rondo::concordances {

namespace fs = std::filesystem;

Result<JournalFolder> JournalFolder::make() {
  std::error_code problem;
  std::string name = (fs::temp_directory_path(problem) / "rondo-concordances-XXXXXX").string();
  if (problem || ::mkdtemp(name.data()) == nullptr) {
    return fail("write-failed", "no folder for the journal can be made", Place{name, {}, {}, 0, 0},
                "set TMPDIR to a folder that may be written");
  }
  return JournalFolder(name);
}

JournalFolder::~JournalFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace rondo::concordances
