#include "features/features.h"

#include "bench/bench.h"
#include "bench/folder.h"
#include "generate/generate.h"
#include "rondo/store/collection.h"
#include "search/filter.h"

namespace rondo::bench {
namespace {

/// Seconds of features_of alone for `count` melodies, made a thousand at a time so that memory stays small.
double features_seconds(const Options& options) {
  const Generator generator(options.seed);
  double spent = 0;
  std::uint64_t notes = 0;
  for (std::uint64_t i = 0; i < options.count;) {
    std::vector<Voice> voices;
    for (; voices.size() < 1000 && i < options.count; ++i) voices.push_back(generator.piece(i).voices.front());
    spent += seconds([&] {
      for (const Voice& voice : voices) notes += features_of(voice).notes;
    });
  }
  return notes == 0 ? 0 : spent;
}

Result<void> fill(Collection& collection, const Options& options) {
  const Generator generator(options.seed);
  constexpr std::uint64_t kBatch = 50'000;
  for (std::uint64_t i = 0; i < options.count;) {
    auto batch = collection.begin();
    if (!batch) return fail(batch.error());
    for (const std::uint64_t end = std::min(options.count, i + kBatch); i < end; ++i) {
      Piece piece = generator.piece(i);
      piece.source_text.clear();
      if (auto done = collection.put(piece); !done) return fail(done.error());
    }
    if (auto done = batch->commit(); !done) return done;
  }
  return {};
}

/// The steps of the paper, as it has them.
const char* const kFunnel =
    "keep: range BETWEEN 12 AND 15\n"
    "keep: max_interval BETWEEN 8 AND 9\n"
    "drop: duration_ratio > 0.51\n"
    "keep: has_intervals(intervals, 'fifth up, third down, unison, sixth up')"
    " OR has_intervals(intervals, 'third up, unison, unison, sixth up')\n";

}  // namespace

Result<std::vector<Measurement>> bench_features(const Options& options) {
  const double scale = 1e6 / static_cast<double>(options.count);
  const double computed = features_seconds(options);

  const Folder folder(options.folder);
  auto collection = Collection::open(folder.path / "collection.db", OpenMode::create);
  if (!collection) return fail(collection.error());
  if (auto done = fill(*collection, options); !done) return fail(done.error());
  auto sql = UserSql::open(collection->path(), SqlLimits::owner());
  if (!sql) return fail(sql.error());
  auto filter = parse_filter(kFunnel, "bench");
  if (!filter) return fail(filter.error());
  Result<Funnel> funnel;
  const double filtered = best_seconds(3, [&] { funnel = run_filter(*sql, *filter); });
  if (!funnel) return fail(funnel.error());

  // A query of the usual length: an incipit has about twenty notes.
  const Generator generator(options.seed);
  std::uint64_t number = 0;
  while (features_of(generator.piece(number).voices.front()).notes != 21) ++number;
  sql->set_query(features_of(generator.piece(number).voices.front()));
  Result<std::vector<SelectedMelody>> near;
  const double compared = best_seconds(3, [&] { near = sql->where("contour_distance(contour) < 3"); });
  if (!near) return fail(near.error());
  if (near->empty()) return fail("bench-wrong", "the query does not find itself");

  return std::vector<Measurement>{
      {"features of a million, one core", computed * scale, "s", 60, false},
      {"four-step funnel over a million", filtered * scale, "s", 1, false},
      {"contour edit distance to a query over a million", compared * scale, "s", 0.5, false},
  };
}

}  // namespace rondo::bench
