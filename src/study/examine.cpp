#include "store/backup.h"
#include "store/compare_schema.h"
#include "study/checksum.h"
#include "study/schema.h"
#include "study/studies.h"

namespace rondo::study {
namespace {

Result<Database> empty_studies() {
  auto database = Database::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!database) return database;
  auto done = register_checksum(*database);
  if (done) done = study::migrate(*database);
  if (!done) return fail(std::move(done.error()));
  return database;
}

}  // namespace

Result<void> Studies::examine(const std::filesystem::path& collection) {
  const auto path = path_for(collection);
  if (auto sound = check_pages(path); !sound) return sound;
  auto studies = open(collection, OpenMode::read);
  if (!studies) return fail(std::move(studies.error()));
  auto expected = empty_studies();
  if (!expected) return fail(std::move(expected.error()));
  auto differences = compare_schema(studies->database(), *expected);
  if (!differences) return fail(std::move(differences.error()));
  if (!differences->empty()) {
    return fail("store-corrupt", "the file of the studies is damaged: " + differences->front(),
                Place{path.string(), {}, {}, 0, 0}, "restore it from a backup: rondo backup --restore COPY FILE");
  }
  auto all = studies->list();
  if (!all) return fail(std::move(all.error()));
  for (const Summary& one : *all) {
    if (auto loaded = studies->load(one.settings.name, true); !loaded) return fail(std::move(loaded.error()));
  }
  return {};
}

}  // namespace rondo::study
