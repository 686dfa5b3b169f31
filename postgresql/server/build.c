#include "access/tableam.h"
#include "access/xloginsert.h"
#include "catalog/index.h"
#include "commands/progress.h"
#include "index.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "pending.h"
#include "pgstat.h"
#include "storage/smgr.h"
#include "utils/memutils.h"

typedef struct Build {
  Relation index;
  RondoDirectory* directory;
  RondoBuilder* builder;
  uint64 memory;         /* that the builder may take */
  MemoryContext segment; /* the builder's; reset after each segment */
  MemoryContext row;
  double rows;
} Build;

static void start_segment(Build* build) {
  MemoryContext before = MemoryContextSwitchTo(build->segment);

  build->memory = rondo_maintenance_memory();
  build->builder = rondo_make_builder(build->directory->meta.next_key);
  MemoryContextSwitchTo(before);
}

static void finish_segment(Build* build) {
  pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, 3);
  rondo_add_segment(build->index, build->directory, build->builder);
  MemoryContextReset(build->segment);
  if (build->directory->meta.segment_count >= RONDO_CROWDED_SEGMENTS) {
    /* A large table with little memory: two become one, before there is no room for more. */
    rondo_write_meta(build->index, build->directory);
    rondo_merge(build->index, false);
    rondo_read_meta(build->index, build->directory);
  }
  pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, 2);
}

static void build_row(Relation index, ItemPointer tid, Datum* values, bool* nulls, bool alive, void* context) {
  Build* build = context;
  MemoryContext before = MemoryContextSwitchTo(build->row);
  RondoBytes melody = {NULL, 0};

  (void)index;
  (void)alive;
  if (!nulls[0]) melody = rondo_content((struct varlena*)PG_DETOAST_DATUM_PACKED(values[0]));
  rondo_expect(rondo_builder_add(build->builder, rondo_tid(tid), melody), ERRCODE_DATA_CORRUPTED);
  MemoryContextSwitchTo(before);
  MemoryContextReset(build->row);
  build->rows += 1;
  pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, (int64)build->rows);
  if (rondo_builder_memory(build->builder) > build->memory) {
    finish_segment(build);
    start_segment(build);
  }
}

static void write_first_page(Relation index) {
  Buffer buffer = ReadBuffer(index, P_NEW);
  GenericXLogState* state;

  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  Assert(BufferGetBlockNumber(buffer) == RONDO_META_BLOCK);
  state = GenericXLogStart(index);
  rondo_meta_init(GenericXLogRegisterBuffer(state, buffer, GENERIC_XLOG_FULL_IMAGE));
  GenericXLogFinish(state);
  UnlockReleaseBuffer(buffer);
}

IndexBuildResult* rondo_build(Relation heap, Relation index, IndexInfo* info) {
  IndexBuildResult* result = palloc0(sizeof *result);
  Build build = {index, palloc(sizeof(RondoDirectory)), NULL, 0, NULL, NULL, 0};

  if (RelationGetNumberOfBlocks(index) != 0) {
    elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
  }
  write_first_page(index);
  build.segment = AllocSetContextCreate(CurrentMemoryContext, "rondo build", ALLOCSET_DEFAULT_SIZES);
  build.row = AllocSetContextCreate(CurrentMemoryContext, "rondo build row", ALLOCSET_DEFAULT_SIZES);
  rondo_read_meta(index, build.directory);
  start_segment(&build);
  pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, 2);
  result->heap_tuples = table_index_build_scan(heap, index, info, true, true, build_row, &build, NULL);
  result->index_tuples = build.rows;
  finish_segment(&build);
  rondo_write_meta(index, build.directory);
  if (build.directory->meta.segment_count > 0) {
    pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, 4);
    rondo_refresh_statistics(index);
  }
  MemoryContextDelete(build.segment);
  MemoryContextDelete(build.row);
  return result;
}

/* Of an unlogged index this page alone is in the log: a crash and the promotion of a replica make the index anew from
 * it. Generic records of an unlogged index are not written, so this one is a page of its own, and on disk at once. */
void rondo_build_empty(Relation index) {
  PGAlignedBlock page;
  SMgrRelation storage = RelationGetSmgr(index);

  rondo_meta_init(page.data);
  PageSetChecksumInplace(page.data, RONDO_META_BLOCK);
  smgrwrite(storage, INIT_FORKNUM, RONDO_META_BLOCK, page.data, true);
  log_newpage(&storage->smgr_rnode.node, INIT_FORKNUM, RONDO_META_BLOCK, page.data, true);
  /* A checkpoint since the record was begun must not miss the page. */
  smgrimmedsync(storage, INIT_FORKNUM);
}

static uint32 pending_pages(Relation index) {
  Buffer buffer = ReadBuffer(index, RONDO_META_BLOCK);
  uint32 pages;

  LockBuffer(buffer, BUFFER_LOCK_SHARE);
  pages = ((RondoMeta*)RondoContent(BufferGetPage(buffer)))->pending_pages;
  UnlockReleaseBuffer(buffer);
  return pages;
}

bool rondo_insert(Relation index, Datum* values, bool* nulls, ItemPointer tid, Relation heap, IndexUniqueCheck unique,
                  bool unchanged, IndexInfo* info) {
  RondoBytes melody = {NULL, 0};
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo insert", ALLOCSET_SMALL_SIZES);
  MemoryContext before = MemoryContextSwitchTo(context);

  (void)heap;
  (void)unique;
  (void)unchanged;
  (void)info;
  if (!nulls[0]) melody = rondo_content((struct varlena*)PG_DETOAST_DATUM_PACKED(values[0]));
  rondo_append_row(index, rondo_tid(tid), melody);
  if (pending_pages(index) > (uint32)rondo_pending_kilobytes / (BLCKSZ / 1024) && rondo_try_lock_changes(index)) {
    /* Somebody else may have done it while this one waited for the page. */
    if (pending_pages(index) > (uint32)rondo_pending_kilobytes / (BLCKSZ / 1024)) rondo_merge(index, false);
    rondo_unlock_changes(index, true);
  }
  MemoryContextSwitchTo(before);
  MemoryContextDelete(context);
  return false;
}
