#include "index.h"
#include "miscadmin.h"
#include "pending.h"
#include "postmaster/autovacuum.h"
#include "storage/indexfsm.h"
#include "utils/memutils.h"

/* More than so many segments are merged, and a quarter of removed rows makes a segment worth writing anew. */
#define MANY_SEGMENTS 8
#define WORN_SHARE 4
static void free_builder(void* builder) { rondo_builder_free(builder); }

RondoBuilder* rondo_make_builder(uint64 first_key) {
  MemoryContextCallback* callback = palloc0(sizeof *callback);
  RondoBuilder* builder;

  rondo_expect(rondo_builder_make(first_key, &builder), ERRCODE_INTERNAL_ERROR);
  callback->func = free_builder;
  callback->arg = builder;
  MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
  return builder;
}

void rondo_add_segment(Relation index, RondoDirectory* directory, RondoBuilder* builder) {
  RondoSegmentEntry* entry;
  RondoBytes streams[RONDO_STREAMS];
  uint64_t melodies;

  if (rondo_builder_rows(builder) == 0) return;
  if (directory->meta.segment_count == RONDO_MAX_SEGMENTS) {
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("the index would have too many segments"),
                    errhint("Raise maintenance_work_mem.")));
  }
  rondo_expect(rondo_builder_finish(builder, streams, &melodies), ERRCODE_INTERNAL_ERROR);
  entry = &directory->segments[directory->meta.segment_count];
  memset(entry, 0, sizeof *entry);
  if (!pg_strong_random(entry->id.bytes, sizeof entry->id.bytes)) {
    ereport(ERROR, (errmsg("could not generate random values")));
  }
  entry->first_key = directory->meta.next_key;
  entry->rows = rondo_builder_rows(builder);
  entry->melodies = melodies;
  for (int i = 0; i < RONDO_STREAMS; ++i) entry->streams[i] = rondo_write_chain(index, streams[i]);
  entry->streams[RONDO_STREAM_REMOVED].sum = 0; /* vacuum changes it in place */
  directory->meta.segment_count += 1;
  directory->meta.next_key += entry->rows;
}

/* ---- merging ------------------------------------------------------------------------------------------------------
 */

static int by_rows(const void* a, const void* b) {
  uint64 x = (*(RondoSegmentEntry* const*)a)->rows;
  uint64 y = (*(RondoSegmentEntry* const*)b)->rows;

  return x < y ? -1 : x > y ? 1 : 0;
}

/* What merging needs of memory for each byte of a segment: the segment itself, what a builder keeps of it, and the new
 * segment. Measured on incipits of 22 notes. */
#define MERGE_FACTOR 5

static uint64 merge_memory(const RondoSegmentEntry* entry) {
  uint64 bytes = 0;

  for (int i = 0; i < RONDO_STREAMS; ++i) bytes += entry->streams[i].size;
  return bytes * MERGE_FACTOR;
}

uint64 rondo_maintenance_memory(void) {
  int kilobytes = IsAutoVacuumWorkerProcess() && autovacuum_work_mem != -1 ? autovacuum_work_mem : maintenance_work_mem;
  RondoMemory memory = rondo_memory_use();
  uint64 bytes = (uint64)kilobytes * 1024;

  if (memory.limit < 0) return bytes;
  return Min(bytes, (uint64)Max(memory.limit - memory.used - RONDO_BUILDER_BYTES, 0));
}

/* Which segments are to be merged with the pending rows: while the next larger one is not much larger than all before
 * it, so that a row is rewritten a number of times that grows with the logarithm of the rows; and while that fits the
 * memory that maintenance may use. */
static void choose_segments(RondoDirectory* directory, uint64 rows, bool everything, bool* chosen) {
  RondoSegmentEntry* order[RONDO_MAX_SEGMENTS];
  uint32 count = directory->meta.segment_count;
  uint64 sum = rows;
  uint64 limit = rondo_maintenance_memory();
  uint64 memory = (uint64)directory->meta.pending_pages * BLCKSZ * MERGE_FACTOR;
  bool many = count >= MANY_SEGMENTS;
  bool crowded = count >= RONDO_CROWDED_SEGMENTS;
  bool worn = false;

  for (uint32 i = 0; i < count; ++i) {
    RondoSegmentEntry* entry = &directory->segments[i];

    order[i] = entry;
    chosen[i] = false;
    if (!everything || entry->removed * WORN_SHARE <= entry->rows) continue;
    /* Those that do not fit have their turn at the next vacuum. */
    if (worn && memory + merge_memory(entry) > limit) continue;
    chosen[i] = worn = true;
    memory += merge_memory(entry);
  }
  qsort(order, count, sizeof order[0], by_rows);
  for (uint32 i = 0; i < count; ++i) {
    uint32 at = (uint32)(order[i] - directory->segments);
    bool small = order[i]->rows <= 2 * sum;

    if (!chosen[at]) {
      /* Many, but each much larger than those before it: the two smallest will do. */
      if (!small && !(many && i < 2)) break;
      if (memory + merge_memory(order[i]) > limit && !(crowded && i < 2)) break;
      memory += merge_memory(order[i]);
      chosen[at] = true;
    }
    sum += order[i]->rows;
  }
}

typedef struct RowCollector {
  Relation index;
  RondoBuilder* builder; /* null: only count */
  uint64 rows;
} RowCollector;

static void collect_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  RowCollector* collector = context;
  RondoBytes melody;

  collector->rows += 1;
  if (collector->builder == NULL) return;
  if (!rondo_row_melody(collector->index, row, content, &melody)) {
    ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                    errmsg("a long melody of the index \"%s\" is damaged", RelationGetRelationName(collector->index))));
  }
  rondo_expect(rondo_builder_add(collector->builder, row->tid, melody), ERRCODE_INDEX_CORRUPTED);
}

static void collect_pending(Relation index, const RondoMeta* meta, uint64 last_epoch, RowCollector* collector) {
  if (!rondo_visit_pending(index, meta->first_pending, 0, meta->first_epoch, last_epoch, collect_row, collector,
                           NULL)) {
    ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                    errmsg("pending rows of the index \"%s\" are damaged", RelationGetRelationName(index))));
  }
}

static void collect_segment(Relation index, const RondoSegmentEntry* entry, RondoBuilder* builder) {
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo segment", ALLOCSET_DEFAULT_SIZES);
  MemoryContext before = MemoryContextSwitchTo(context);
  RondoBytes streams[RONDO_STREAMS];

  for (int i = 0; i < RONDO_STREAMS; ++i) {
    if (!rondo_read_chain(index, entry->streams[i], &streams[i])) {
      ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                      errmsg("a segment of the index \"%s\" is damaged", RelationGetRelationName(index)),
                      errhint("REINDEX rebuilds the index.")));
    }
  }
  rondo_expect(rondo_builder_add_segment(builder, streams), ERRCODE_INDEX_CORRUPTED);
  MemoryContextSwitchTo(before);
  MemoryContextDelete(context);
}

static void free_long_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  RondoChain chain;

  if (!(row->flags & RONDO_ROW_LONG)) return;
  memcpy(&chain, content.data, sizeof chain);
  rondo_free_chain((Relation)context, chain);
}

static void free_pending(Relation index, BlockNumber block, BlockNumber end) {
  PGAlignedBlock page;

  while (block != end && rondo_copy_page(index, block, RONDO_PAGE_PENDING, 0, page.data)) {
    rondo_visit_rows(page.data, 0, free_long_row, index);
    rondo_free_page(index, block);
    block = RondoTail(page.data)->next;
  }
}

static void merge(Relation index, bool everything) {
  RondoDirectory* now = palloc(sizeof *now);
  RondoDirectory* then = palloc(sizeof *then);
  bool chosen[RONDO_MAX_SEGMENTS];
  RowCollector collector = {index, NULL, 0};
  RondoSeal seal = {0, 0, InvalidBlockNumber};
  bool any = false;
  bool pending;

  rondo_read_meta(index, now);
  pending = now->meta.first_pending != InvalidBlockNumber;
  if (pending) collect_pending(index, &now->meta, PG_UINT64_MAX, &collector);
  /* An empty page or one with removed rows only stays where it is. */
  pending = collector.rows > 0;
  if (pending) pending = rondo_seal_pending(index, &seal);
  rondo_read_meta(index, now);
  choose_segments(now, collector.rows, everything, chosen);
  for (uint32 i = 0; i < now->meta.segment_count; ++i) any |= chosen[i];
  if (!pending && !any) return;
  if (!pending) {
    /* One segment by itself is written anew only to be rid of removed rows. */
    uint32 count = 0;
    bool worn = false;

    for (uint32 i = 0; i < now->meta.segment_count; ++i) {
      count += chosen[i] ? 1 : 0;
      worn |= chosen[i] && now->segments[i].removed * WORN_SHARE > now->segments[i].rows;
    }
    if (count < 2 && !worn) return;
  }

  *then = *now;
  then->meta.segment_count = 0;
  collector.builder = rondo_make_builder(then->meta.next_key);
  collector.rows = 0;
  for (uint32 i = 0; i < now->meta.segment_count; ++i) {
    if (chosen[i]) {
      collect_segment(index, &now->segments[i], collector.builder);
    } else {
      then->segments[then->meta.segment_count++] = now->segments[i];
    }
  }
  if (pending) {
    collect_pending(index, &now->meta, seal.epoch, &collector);
    then->meta.first_epoch = seal.epoch + 1;
    then->meta.first_pending = seal.next_first;
    /* How many pages go, which rondo_write_meta subtracts. Counted when the epoch ended: inserts add pages since then.
     */
    then->meta.pending_pages = seal.pages;
  }
  rondo_add_segment(index, then, collector.builder);
  rondo_write_meta(index, then);

  /* Nobody finds these pages any more; who reads them at this moment notices. */
  for (uint32 i = 0; i < now->meta.segment_count; ++i) {
    if (!chosen[i]) continue;
    for (int s = 0; s < RONDO_STREAMS; ++s) rondo_free_chain(index, now->segments[i].streams[s]);
  }
  if (pending) free_pending(index, now->meta.first_pending, seal.next_first);
}

void rondo_merge(Relation index, bool everything) {
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo merge", ALLOCSET_DEFAULT_SIZES);
  MemoryContext before = MemoryContextSwitchTo(context);

  merge(index, everything);
  MemoryContextSwitchTo(before);
  MemoryContextDelete(context);
}

/* ---- statistics ---------------------------------------------------------------------------------------------------
 */

void rondo_store_statistics(Relation index, RondoBytes pairs, bool given) {
  RondoDirectory* directory = palloc(sizeof *directory);
  RondoChain before;

  rondo_read_meta(index, directory);
  before = directory->meta.statistics;
  directory->meta.statistics = rondo_write_chain(index, pairs);
  directory->meta.statistics_version += 1;
  directory->meta.statistics_given = given ? 1 : 0;
  directory->meta.statistics_generation = directory->meta.generation + 1;
  rondo_write_meta(index, directory);
  rondo_free_chain(index, before);
  pfree(directory);
}

void rondo_refresh_statistics(Relation index) {
  RondoDirectory* directory = palloc(sizeof *directory);
  RondoCache* cache;
  RondoBytes pairs;
  RondoBytes stored;
  RondoBytes copy;
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo statistics", ALLOCSET_DEFAULT_SIZES);
  MemoryContext before = MemoryContextSwitchTo(context);

  rondo_read_meta(index, directory);
  if (directory->meta.statistics_given == 0 && directory->meta.statistics_generation != directory->meta.generation) {
    cache = rondo_load(index);
    rondo_expect(rondo_cache_statistics(cache, &pairs), ERRCODE_INTERNAL_ERROR);
    copy.data = memcpy(MemoryContextAllocHuge(context, Max(pairs.size, 1)), pairs.data, pairs.size);
    copy.size = pairs.size;
    if (!rondo_read_chain(index, directory->meta.statistics, &stored) || stored.size != copy.size ||
        memcmp(stored.data, copy.data, copy.size) != 0) {
      rondo_store_statistics(index, copy, false);
    }
  }
  MemoryContextSwitchTo(before);
  MemoryContextDelete(context);
  pfree(directory);
}

/* ---- lost pages ----------------------------------------------------------------------------------------------------
 */

typedef struct BlockMarks {
  Relation index;
  BlockNumber count;
  uint8* used; /* a bit each */
} BlockMarks;

static void mark_chain(BlockMarks* marks, RondoChain chain) {
  PGAlignedBlock page;
  BlockNumber block = chain.first;

  while (chain.size > 0 && block < marks->count &&
         rondo_copy_page(marks->index, block, RONDO_PAGE_CHAIN, chain.tag, page.data)) {
    CHECK_FOR_INTERRUPTS();
    if (marks->used[block / 8] & (1 << (block % 8))) break;
    marks->used[block / 8] |= (uint8)(1 << (block % 8));
    block = RondoTail(page.data)->next;
  }
}

static void mark_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  RondoChain chain;

  if (!(row->flags & RONDO_ROW_LONG)) return;
  memcpy(&chain, content.data, sizeof chain);
  mark_chain(context, chain);
}

void rondo_free_lost_pages(Relation index) {
  RondoDirectory* directory = palloc(sizeof *directory);
  BlockMarks marks = {index, RelationGetNumberOfBlocks(index), NULL};

  /* Blocks beyond this number may be in use by the time they are looked at. */
  marks.used = palloc0(marks.count / 8 + 1);
  rondo_read_meta(index, directory);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    for (int s = 0; s < RONDO_STREAMS; ++s) mark_chain(&marks, directory->segments[i].streams[s]);
  }
  mark_chain(&marks, directory->meta.statistics);
  rondo_visit_pending(index, directory->meta.first_pending, 0, directory->meta.first_epoch, PG_UINT64_MAX, mark_row,
                      &marks, NULL);
  for (BlockNumber block = 1; block < marks.count; ++block) {
    Buffer buffer;
    Page page;
    bool lost = false;
    bool unused = false;

    CHECK_FOR_INTERRUPTS();
    if (marks.used[block / 8] & (1 << (block % 8))) continue;
    buffer = ReadBuffer(index, block);
    LockBuffer(buffer, BUFFER_LOCK_SHARE);
    page = BufferGetPage(buffer);
    if (PageIsNew(page)) {
      unused = true;
    } else if (RondoIsPage(page)) {
      unused = RondoTail(page)->kind == RONDO_PAGE_FREE;
      /* With the lock of changes nobody writes a chain. Pages of pending rows are lost if their epoch is over. */
      lost = RondoTail(page)->kind == RONDO_PAGE_CHAIN ||
             (RondoTail(page)->kind == RONDO_PAGE_PENDING && RondoTail(page)->tag < directory->meta.first_epoch);
    }
    UnlockReleaseBuffer(buffer);
    if (lost) rondo_free_page(index, block);
    if (unused) RecordFreeIndexPage(index, block);
  }
  pfree(marks.used);
  pfree(directory);
}
