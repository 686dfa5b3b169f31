#include "search/index.h"

#include <map>

#include "base/collection_files.h"
#include "search/index/builder.h"
#include "search/index/snapshot.h"

namespace rondo {
namespace {

bool same_music(const Points& a, const Points& b) {
  const std::int64_t grid = common_grid(a, b);
  return on_grid(a, grid).points == on_grid(b, grid).points;
}

}  // namespace

std::filesystem::path Index::path_for(const std::filesystem::path& collection, const LineOptions& heard) {
  std::filesystem::path name = companion_of(collection, Companion::index);
  const bool chosen[] = {heard.graces, heard.ignore_repeated, heard.fold_octaves};
  static_assert(std::size(chosen) == std::size(kIndexVariants));
  for (std::size_t i = 0; i < std::size(chosen); ++i) {
    if (chosen[i]) name += kIndexVariants[i];
  }
  return name;
}

Index Index::opening(std::uint32_t notes) const { return Index(snapshot_->opening(notes)); }

Result<Index> Index::of(const Corpus& corpus) {
  index::SegmentBuilder builder;
  std::map<std::string_view, std::int64_t> by_id;
  std::int64_t key = 0;
  std::int64_t voice_key = 0;
  for (const Document& document : corpus.documents) {
    by_id.emplace(document.id, ++key);
    std::uint32_t number = 0;
    // Of its points alone it cannot be told whether a line has them all: they must be the same.
    const bool whole = document.voices.size() == 1 && same_music(make_points(document.voices[0]), document.points);
    for (const Line& line : document.voices) {
      if (auto done = builder.add(VoiceKey{++voice_key}, PieceKey{key}, number++, line, whole); !done) {
        return fail(done.error());
      }
    }
  }
  index::IdOrder order;
  for (const auto& entry : by_id) order.add(entry.second);
  order.finish();
  auto snapshot = index::Snapshot::of({builder.finish(order)});
  if (!snapshot) return fail(snapshot.error());
  return Index(std::move(*snapshot));
}

const std::vector<PieceKey>& Index::partial() const { return snapshot_->partial; }

std::size_t Index::voices() const {
  std::size_t sum = 0;
  for (const index::Segment& segment : snapshot_->segments) sum += segment.size();
  return sum;
}

std::size_t Index::bytes() const {
  std::size_t sum = 0;
  for (const index::Segment& segment : snapshot_->segments) sum += segment.bytes();
  return sum;
}

std::size_t Index::segments() const { return snapshot_->segments.size(); }

}  // namespace rondo
