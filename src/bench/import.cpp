#include "rondo/store/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/output_file.h"
#include "bench/bench.h"
#include "bench/folder.h"
#include "generate/generate.h"
#include "generate/marcxml.h"
#include "search/index.h"

namespace rondo::bench {
namespace {

namespace fs = std::filesystem;

bool write_marcxml(const fs::path& path, const Options& options) {
  auto file = OutputFile::open(path);
  if (!file) return false;
  std::ostream& out = file->stream();
  const Generator generator(options.seed);
  out << marcxml_header();
  std::string text;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    text.clear();
    append_marcxml_record(text, generator.piece(i));
    out << text;
  }
  out << marcxml_footer();
  return file->commit().has_value();
}

}  // namespace

Result<std::vector<Measurement>> bench_import(const Options& options) {
  const Folder folder(options.folder);
  const fs::path source = folder.path / "generated.xml";
  if (!write_marcxml(source, options)) return fail("bench-disk", "cannot write " + source.string());
  auto collection = Collection::open(folder.path / "collection.db", OpenMode::create);
  if (!collection) return fail(collection.error());

  double early = 0;  // peak memory after the first tenth
  const std::vector<std::string> paths = {source.string()};
  const double before = processor_seconds();
  auto summary = import_paths(*collection, paths, {}, [&](const ImportProgress& now) {
    if (early == 0 && static_cast<std::uint64_t>(now.records) > options.count / 10) early = peak_memory();
    return true;
  });
  if (!summary) return fail(summary.error());
  if (static_cast<std::uint64_t>(summary->added) != options.count) {
    return fail("bench-wrong", fmt::format("{} of {} records were stored", summary->added, options.count));
  }
  const double imported = processor_seconds();
  const fs::path index_file = Index::path_for(folder.path / "collection.db");
  double index_bytes = 0;
  const double indexing = seconds([&] {
    if (auto index = Index::update(*collection, index_file)) index_bytes = static_cast<double>(index->bytes());
  });
  const double searchable = processor_seconds();
  const double index_peak = peak_memory();
  ImportOptions reread;
  reread.reread = true;
  auto again = import_paths(*collection, paths, reread);
  if (!again) return fail(again.error());
  const auto count = static_cast<double>(options.count);
  const auto size = static_cast<double>(fs::file_size(folder.path / "collection.db"));
  return std::vector<Measurement>{
      {"incipits per second, stored and searchable, wall time", count / (summary->seconds + indexing), "1/s"},
      {"the same, CPU time", count / (searchable - before), "1/s", 20'000},
      {"stored only, CPU time", count / (imported - before), "1/s"},
      {"the same file again, nothing changed", count / again->seconds, "1/s"},
      {"MARCXML read", static_cast<double>(fs::file_size(source)) / 1e6, "MB"},
      {"collection file, bytes per incipit", size / count, "bytes"},
      {"peak memory after a tenth of the file", early, "MB"},
      {"peak memory, building the index included", index_peak, "MB", 600 * std::max(0.1, count / 1e6), false},
      {"index, bytes per incipit of usual length", index_bytes / count, "bytes", 150, false},
  };
}

}  // namespace rondo::bench
