#include "rondo/store/import.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/bench.h"
#include "bench/folder.h"
#include "rondo/generate/generate.h"
#include "rondo/generate/marcxml.h"

namespace rondo::bench {
namespace {

namespace fs = std::filesystem;

bool write_marcxml(const fs::path& path, const Options& options) {
  std::ofstream out(path, std::ios::binary);
  const Generator generator(options.seed);
  out << marcxml_header();
  std::string text;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    text.clear();
    append_marcxml_record(text, generator.piece(i));
    out << text;
  }
  out << marcxml_footer();
  return out.good();
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
  auto summary = import_paths(*collection, paths, {}, [&](const ImportProgress& now) {
    if (early == 0 && static_cast<std::uint64_t>(now.records) > options.count / 10) early = peak_memory();
    return true;
  });
  if (!summary) return fail(summary.error());
  if (static_cast<std::uint64_t>(summary->added) != options.count) {
    return fail("bench-wrong", fmt::format("{} of {} records were stored", summary->added, options.count));
  }
  ImportOptions reread;
  reread.reread = true;
  auto again = import_paths(*collection, paths, reread);
  if (!again) return fail(again.error());
  const auto count = static_cast<double>(options.count);
  const auto size = static_cast<double>(fs::file_size(folder.path / "collection.db"));
  return std::vector<Measurement>{
      {"incipits imported a second, stored and searchable", count / summary->seconds, "1/s", 20'000},
      {"the same file once more, nothing changed", count / again->seconds, "1/s"},
      {"MARCXML read", static_cast<double>(fs::file_size(source)) / 1e6, "MB"},
      {"collection file, bytes an incipit", size / count, "bytes"},
      {"peak memory after a tenth of it", early, "MB"},
      {"peak memory at the end", peak_memory(), "MB"},
  };
}

}  // namespace rondo::bench
