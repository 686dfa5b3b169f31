/* An index as this process searches it, brought up to date with its pages. */
#include "common/file_perm.h"
#include "index.h"
#include "miscadmin.h"
#include "pending.h"
#include "storage/fd.h"
#include "utils/memutils.h"

/* Beside PostgreSQL's own temporary files: removed when the server starts, and in no backup. */
#define SHARED_FOLDER "base/" PG_TEMP_FILES_DIR

typedef struct PendingReader {
  Relation index;
  RondoCache* cache;
  bool stale;
} PendingReader;

static void read_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  PendingReader* reader = context;
  RondoBytes melody;

  if (reader->stale) return;
  if (!rondo_row_melody(reader->index, row, content, &melody)) {
    reader->stale = true;
    return;
  }
  rondo_expect(rondo_cache_pending(reader->cache, row->tid, melody), ERRCODE_INDEX_CORRUPTED);
}

/* Pending rows from a position on. */
static bool read_pending(Relation index, RondoCache* cache, const RondoMeta* meta, BlockNumber block, Size offset,
                         RondoPosition* position) {
  PendingReader reader = {index, cache, false};

  return rondo_visit_pending(index, block, offset, meta->first_epoch, PG_UINT64_MAX, read_row, &reader, position) &&
         !reader.stale;
}

static bool nothing_new(Relation index, const RondoMeta* meta, RondoPosition position) {
  PGAlignedBlock page;

  if (position.block == InvalidBlockNumber) return meta->first_pending == InvalidBlockNumber;
  if (position.block != meta->last_pending) return false;
  return rondo_copy_page(index, position.block, RONDO_PAGE_PENDING, 0, page.data) &&
         RondoContentSize(page.data) == position.offset && RondoTail(page.data)->next == InvalidBlockNumber;
}

static bool load_segment(Relation index, RondoCache* cache, const RondoSegmentEntry* entry) {
  const char* folder = rondo_cache_megabytes > 0 && !RelationUsesLocalBuffers(index) ? SHARED_FOLDER : NULL;
  RondoBytes streams[RONDO_STREAMS];
  bool done = false;

  if (!rondo_read_chain(index, entry->streams[RONDO_STREAM_REMOVED], &streams[RONDO_STREAM_REMOVED])) return false;
  rondo_expect(rondo_cache_keep(cache, entry->id, entry->rows, streams[RONDO_STREAM_REMOVED], &done),
               ERRCODE_INDEX_CORRUPTED);
  if (!done && folder != NULL) {
    rondo_expect(rondo_cache_map(cache, folder, entry->id, entry->rows, streams[RONDO_STREAM_REMOVED], &done),
                 ERRCODE_INDEX_CORRUPTED);
  }
  if (done) return true;
  for (int i = 0; i < RONDO_STREAMS; ++i) {
    if (i != RONDO_STREAM_REMOVED && !rondo_read_chain(index, entry->streams[i], &streams[i])) return false;
  }
  rondo_expect(rondo_cache_add(cache, folder, (uint64_t)rondo_cache_megabytes << 20, entry->id, streams),
               ERRCODE_INDEX_CORRUPTED);
  return true;
}

static bool load_all(Relation index, RondoCache* cache, const RondoDirectory* directory, RondoPosition* position) {
  rondo_expect(rondo_cache_begin(cache), ERRCODE_INTERNAL_ERROR);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo segment", ALLOCSET_DEFAULT_SIZES);
    MemoryContext before = MemoryContextSwitchTo(context);
    bool loaded = load_segment(index, cache, &directory->segments[i]);

    MemoryContextSwitchTo(before);
    MemoryContextDelete(context);
    if (!loaded) return false;
  }
  return read_pending(index, cache, &directory->meta, directory->meta.first_pending, 0, position);
}

/* Brings the cache up to date; false: the pages changed meanwhile. */
static bool refresh(Relation index, RondoCache* cache, RondoDirectory* directory) {
  RondoPosition position;
  RondoPosition now = {directory->meta.generation, InvalidBlockNumber, 0};
  RondoDirectory* after;
  bool same;

  if (rondo_cache_position(cache, &position) && position.generation == directory->meta.generation) {
    BlockNumber block = position.block == InvalidBlockNumber ? directory->meta.first_pending : position.block;

    if (nothing_new(index, &directory->meta, position)) return true;
    rondo_expect(rondo_cache_extend(cache), ERRCODE_INTERNAL_ERROR);
    if (!read_pending(index, cache, &directory->meta, block, position.offset, &now)) return false;
  } else if (!load_all(index, cache, directory, &now)) {
    return false;
  }
  after = palloc(sizeof *after);
  rondo_read_meta(index, after);
  same = after->meta.generation == directory->meta.generation;
  pfree(after);
  if (same) rondo_expect(rondo_cache_commit(cache, now), ERRCODE_INDEX_CORRUPTED);
  return same;
}

RondoCache* rondo_load(Relation index) {
  uint32_t storage[3] = {index->rd_node.spcNode, index->rd_node.dbNode, index->rd_node.relNode};
  RondoCache* cache;
  RondoDirectory* directory = palloc(sizeof *directory);
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo load", ALLOCSET_DEFAULT_SIZES);
  MemoryContext before = MemoryContextSwitchTo(context);
  uint64 generation = 0;

  rondo_expect(rondo_cache_get(storage, &cache), ERRCODE_INTERNAL_ERROR);
  for (;;) {
    rondo_read_meta(index, directory);
    if (refresh(index, cache, directory)) break;
    /* Pages that cannot be read although nothing has changed are damaged. */
    if (directory->meta.generation == generation) {
      ereport(ERROR,
              (errcode(ERRCODE_INDEX_CORRUPTED), errmsg("the index \"%s\" is damaged", RelationGetRelationName(index)),
               errhint("rondo_index_check() says where; REINDEX rebuilds it.")));
    }
    generation = directory->meta.generation;
    CHECK_FOR_INTERRUPTS();
  }
  MemoryContextSwitchTo(before);
  MemoryContextDelete(context);
  pfree(directory);
  return cache;
}
