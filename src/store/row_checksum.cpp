#include "store/row_checksum.h"

#include "store/content_hash.h"
#include "store/piece_reader.h"

namespace rondo {

std::int64_t voice_checksum(std::int64_t piece, std::int64_t number, std::int64_t note_count, std::string_view notes) {
  ContentHash hash;
  hash.count(static_cast<std::uint64_t>(piece));
  hash.count(static_cast<std::uint64_t>(number));
  hash.count(static_cast<std::uint64_t>(note_count));
  hash.text(notes);
  return hash.value();
}

std::int64_t piece_checksum(std::string_view id, const Metadata& metadata, std::string_view format) {
  ContentHash hash;
  hash.text(id);
  for (const std::string* part : {&metadata.title, &metadata.composer, &metadata.source, &metadata.library,
                                  &metadata.shelfmark, &metadata.uri, &metadata.year}) {
    hash.text(*part);
  }
  hash.text(format);
  hash.count(metadata.catalogue.size());
  for (const std::string& number : metadata.catalogue) hash.text(number);
  hash.count(metadata.fields.size());
  for (const auto& [name, value] : metadata.fields) {
    hash.text(name);
    hash.text(value);
  }
  return hash.value();
}

Error damaged_row(std::string what) {
  return {"store-corrupt",
          std::move(what) + " is damaged: its checksum does not fit",
          {},
          "'rondo check' lists all damage; restore the piece from a backup, or import its file again with --reread"};
}

Result<void> fill_checksums(Database& database,
                            const std::function<void(std::uint64_t done, std::uint64_t total)>& watch) {
  auto total = database.number("SELECT count(*) FROM piece");
  if (!total) return fail(std::move(total.error()));
  std::vector<std::int64_t> keys;
  auto done = each_row(database, "SELECT key FROM piece", [&](const Statement& row) -> Result<void> {
    keys.push_back(row.integer(0));
    return {};
  });
  if (!done) return done;
  PieceReader reader(database);
  std::uint64_t count = 0;
  for (const std::int64_t key : keys) {
    constexpr std::uint64_t kTellEvery = 1000;
    if (watch && count++ % kTellEvery == 0) watch(count - 1, static_cast<std::uint64_t>(*total));
    auto sums = reader.compute(PieceKey{key});
    if (!sums) return fail(std::move(sums.error()));
    const std::int64_t wrong = sums->hash == sums->stored_hash ? 0 : 1;
    done = database.run("UPDATE piece SET checksum = ?2 WHERE key = ?1", key, sums->piece ^ wrong);
    for (const auto& [voice, sum] : sums->voices) {
      if (done) done = database.run("UPDATE voice SET checksum = ?2 WHERE key = ?1", voice, sum ^ wrong);
    }
    if (!done) return done;
  }
  return {};
}

}  // namespace rondo
