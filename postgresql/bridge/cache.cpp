#include "bridge/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "bridge/guard.h"
#include "bridge/melody.h"
#include "bridge/query.h"

namespace rondo::postgresql {
namespace {

/// Of indexes that were dropped nobody tells; so those used least recently go.
constexpr std::size_t kMostCaches = 32;

using CacheKey = std::array<std::uint32_t, 3>;
struct KeptCache {
  RondoCache cache;
  std::uint64_t used = 0;
};

std::map<CacheKey, KeptCache>& all_caches() {
  static std::map<CacheKey, KeptCache> caches;
  return caches;
}

RondoCache& cache_of(const CacheKey& key) {
  static std::uint64_t now = 0;
  std::map<CacheKey, KeptCache>& caches = all_caches();
  KeptCache& kept = caches[key];
  kept.used = ++now;
  if (caches.size() > kMostCaches) {
    caches.erase(std::min_element(caches.begin(), caches.end(),
                                  [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
  }
  return kept.cache;
}

/// An index is about to be read: where memory is short, others give theirs up, which can be read again.
void make_room_for(const RondoCache& cache) {
  const RondoMemory memory = rondo_memory_use();
  if (memory.limit < 0 || memory.used <= memory.limit / 2) return;
  std::erase_if(all_caches(), [&](const auto& one) { return &one.second.cache != &cache; });
}

}  // namespace

std::vector<const LiveSegment*> IndexState::all() const {
  std::vector<const LiveSegment*> out;
  for (const auto* list : {&segments, &pending}) {
    for (const LiveSegment& one : *list) out.push_back(&one);
  }
  return out;
}

Result<void> IndexState::prepare() {
  auto made = std::make_shared<index::Snapshot>();
  auto memory = std::make_shared<std::vector<std::shared_ptr<const StoredSegment>>>();
  by_key_.clear();
  for (const LiveSegment* one : all()) {
    if (one->stored->melodies() == 0) continue;
    by_key_.push_back(one);
    memory->push_back(one->stored);
    made->segments.push_back(*one->stored->segment);
    index::DocumentSet removed;
    if (one->removed.find_first_not_of('\0') != std::string::npos) {
      removed = index::DocumentSet(one->stored->melodies());
      for (index::DocumentId d = 0; d < one->stored->melodies(); ++d) {
        if (has_bit(one->removed, one->stored->row_of(d))) removed.add(d);
      }
    }
    made->removed.push_back(std::move(removed));
  }
  made->memory = memory;
  made->count();
  snapshot = std::move(made);
  std::sort(by_key_.begin(), by_key_.end(),
            [](const LiveSegment* a, const LiveSegment* b) { return a->stored->first_key() < b->stored->first_key(); });
  for (std::size_t i = 1; i < by_key_.size(); ++i) {
    const StoredSegment& before = *by_key_[i - 1]->stored;
    if (before.first_key() + before.melodies() > by_key_[i]->stored->first_key()) {
      return fail("index-damaged", "the index is damaged: two segments have the same keys", {}, "REINDEX rebuilds it");
    }
  }
  return {};
}

const LiveSegment& IndexState::segment_of(PieceKey key) const {
  const auto wanted = static_cast<std::uint64_t>(key);
  const auto after =
      std::upper_bound(by_key_.begin(), by_key_.end(), wanted,
                       [](std::uint64_t value, const LiveSegment* one) { return value < one->stored->first_key(); });
  return **(after - 1);
}

std::uint64_t IndexState::tid_of(PieceKey key) const {
  const StoredSegment& stored = *segment_of(key).stored;
  return stored.tid(static_cast<std::uint64_t>(key) - stored.first_key());
}

std::string IndexState::id_of(PieceKey key) const { return fmt::format("{:016x}", tid_of(key)); }

Result<std::shared_ptr<const Corpus>> IndexState::rest() const {
  if (rest_) return rest_;
  auto corpus = std::make_shared<Corpus>();
  for (const PieceKey key : snapshot->partial) {
    const StoredSegment& stored = *segment_of(key).stored;
    auto voice = unpacked(bytes_of(stored.packed(static_cast<std::uint64_t>(key) - stored.first_key())));
    if (!voice) return fail(std::move(voice.error()));
    Piece piece;
    piece.id = id_of(key);
    piece.voices.push_back(std::move(*voice));
    corpus->documents.push_back(make_document(piece));
    corpus->documents.back().key = key;
  }
  rest_ = std::move(corpus);
  return rest_;
}

}  // namespace rondo::postgresql

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

Result<void> RondoCache::add_pending(std::uint64_t tid, RondoBytes packed) {
  if (!adding_) adding_ = std::make_unique<RondoBuilder>(next_key_);
  return adding_->add(tid, packed);
}

Result<void> RondoCache::add_own(std::unique_ptr<RondoBuilder> builder) {
  builder->finish();
  next_key_ += builder->tids.size() + 1;
  RondoBytes streams[RONDO_STREAMS];
  builder->streams(streams);
  auto stored = StoredSegment::of(streams);
  if (!stored) return fail(std::move(stored.error()));
  stored->memory = std::shared_ptr<const RondoBuilder>(std::move(builder));
  LiveSegment live;
  live.stored = std::make_shared<const StoredSegment>(std::move(*stored));
  collected->pending.push_back(std::move(live));
  return {};
}

/// The sizes of our own segments at least double from each to the one before, so that they stay few.
Result<void> RondoCache::merge_own() {
  std::vector<LiveSegment>& own = collected->pending;
  while (own.size() > 1 && own[own.size() - 2].stored->rows() <= 2 * own.back().stored->rows()) {
    auto merged = std::make_unique<RondoBuilder>(next_key_);
    for (std::size_t i = own.size() - 2; i < own.size(); ++i) {
      RondoBytes streams[RONDO_STREAMS];
      std::static_pointer_cast<const RondoBuilder>(own[i].stored->memory)->streams(streams);
      if (auto done = merged->add_segment(streams); !done) return done;
    }
    if (interrupted()) return {};
    own.resize(own.size() - 2);
    if (auto done = add_own(std::move(merged)); !done) return done;
  }
  return {};
}

Result<void> RondoCache::commit(RondoPosition position) {
  if (!collected) return fail("internal-error", "nothing was collected");
  if (adding_) {
    auto builder = std::move(adding_);
    if (builder->rows() > 0) {
      if (auto done = add_own(std::move(builder)); !done) return done;
      if (auto done = merge_own(); !done) return done;
    }
  }
  collected->position = position;
  if (auto done = collected->prepare(); !done) return done;
  current = std::move(collected);
  collected.reset();
  return {};
}

void rondo_memory_release(void) {
  all_caches().clear();
  forget_systems();
  forget_kept();
}

RondoStatus rondo_cache_get(const uint32_t index[3], RondoCache** out) {
  return guarded([&]() -> Result<void> {
    *out = &cache_of({index[0], index[1], index[2]});
    return {};
  });
}

bool rondo_cache_position(const RondoCache* cache, RondoPosition* out) {
  if (!cache->current) return false;
  *out = cache->current->position;
  return true;
}

RondoStatus rondo_cache_begin(RondoCache* cache) {
  return guarded([&]() -> Result<void> {
    cache->begin();
    make_room_for(*cache);
    cache->collected = std::make_shared<IndexState>();
    return {};
  });
}

RondoStatus rondo_cache_extend(RondoCache* cache) {
  return guarded([&]() -> Result<void> {
    cache->begin();
    cache->collected = std::make_shared<IndexState>();
    cache->collected->segments = cache->current->segments;
    cache->collected->pending = cache->current->pending;
    return {};
  });
}

RondoStatus rondo_cache_keep(RondoCache* cache, RondoSegmentId id, uint64_t rows, RondoBytes removed, bool* kept) {
  return guarded([&]() -> Result<void> {
    *kept = false;
    if (!cache->current) return {};
    for (const LiveSegment& one : cache->current->segments) {
      if (std::memcmp(one.id.bytes, id.bytes, sizeof id.bytes) != 0 || one.stored->rows() != rows) continue;
      cache->collected->segments.push_back({id, one.stored, std::string(view(removed))});
      *kept = true;
      break;
    }
    return {};
  });
}

RondoStatus rondo_cache_map(RondoCache* cache, const char* folder, RondoSegmentId id, uint64_t rows, RondoBytes removed,
                            bool* mapped) {
  return guarded([&]() -> Result<void> {
    auto stored = map_shared(folder, id);
    *mapped = stored && stored->rows() == rows;
    if (!*mapped) return {};
    cache->collected->segments.push_back(
        {id, std::make_shared<const StoredSegment>(std::move(*stored)), std::string(view(removed))});
    return {};
  });
}

RondoStatus rondo_cache_add(RondoCache* cache, const char* folder, uint64_t limit, RondoSegmentId id,
                            const RondoBytes streams[RONDO_STREAMS]) {
  return guarded([&]() -> Result<void> {
    const std::string removed(view(streams[RONDO_STREAM_REMOVED]));
    if (folder != nullptr && write_shared(folder, limit, id, streams)) {
      if (auto mapped = map_shared(folder, id)) {
        cache->collected->segments.push_back({id, std::make_shared<const StoredSegment>(std::move(*mapped)), removed});
        return {};
      }
    }
    // A copy of this process's own.
    auto copies = std::make_shared<std::array<std::string, RONDO_STREAMS>>();
    RondoBytes own[RONDO_STREAMS] = {};
    for (std::size_t i = 0; i < RONDO_STREAMS; ++i) {
      (*copies)[i] = std::string(view(streams[i]));
      own[i] = bytes_of((*copies)[i]);
    }
    auto stored = StoredSegment::of(own);
    if (!stored) return fail(std::move(stored.error()));
    stored->memory = std::move(copies);
    cache->collected->segments.push_back({id, std::make_shared<const StoredSegment>(std::move(*stored)), removed});
    return {};
  });
}

RondoStatus rondo_cache_pending(RondoCache* cache, uint64_t tid, RondoBytes packed) {
  return guarded([&] { return cache->add_pending(tid, packed); });
}

RondoStatus rondo_cache_commit(RondoCache* cache, RondoPosition position) {
  return guarded([&] { return cache->commit(position); });
}

RondoStatus rondo_cache_statistics(RondoCache* cache, RondoBytes* pairs) {
  return guarded([&]() -> Result<void> {
    if (!cache->current) return fail("internal-error", "the index has not been read");
    const index::Snapshot& snapshot = *cache->current->snapshot;
    std::vector<std::uint64_t> keys;
    for (const index::Segment& segment : snapshot.segments) {
      keys.insert(keys.end(), segment.threes().begin(), segment.threes().end());
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::string out;
    for (const std::uint64_t key : keys) {
      const std::uint64_t pair[2] = {key, static_cast<std::uint64_t>(snapshot.threes.count(key))};
      if (pair[1] != 0) out.append(reinterpret_cast<const char*>(pair), sizeof pair);  // NOLINT: bytes of numbers
    }
    *pairs = keep(std::move(out));
    return {};
  });
}
