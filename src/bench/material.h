#pragma once

#include <memory>

#include "bench/bench.h"
#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"
#include "search/search.h"

/// What the benchmarks of search share.
namespace rondo::bench {

/// Notes of the incipits that are searched.
inline constexpr std::size_t kNotes = 20;
/// Cuts a line to its first notes. False: it has fewer.
[[nodiscard]] bool cut(Line& line, std::size_t notes = kNotes);

/// The melodies of files: the first voice of each piece.
[[nodiscard]] Result<std::vector<Line>> real_lines(const std::string& path);

/// An index of generated incipits, with the real ones of options.more.
struct Material {
  std::shared_ptr<const index::Snapshot> snapshot;
  double incipits = 0;
  double bytes = 0;
  double building = 0;  ///< seconds, generating not counted
  double opening = 0;   ///< seconds
};
[[nodiscard]] Result<Material> build_material(const Options& options, std::uint64_t generated);
/// The same on several threads, without the real ones: an index of as many segments.
[[nodiscard]] Result<Material> build_parts(const Options& options, std::uint64_t generated, unsigned threads);

/// What people ask: half of the queries are melodies nobody has seen, half are melodies of the collection remembered
/// badly, transposed and with two wrong notes.
[[nodiscard]] std::vector<Line> make_queries(std::uint64_t seed, std::uint64_t count, std::size_t wanted);

/// Milliseconds to score every document once, estimated from some of them.
[[nodiscard]] double exhaustive(const Index& index, const System& system, const Line& query);

/// The systems that are wanted: those named, else every one, the fusions with their standard parts.
[[nodiscard]] Result<std::vector<ChosenSystem>> wanted_systems(const Options& options);

}  // namespace rondo::bench
