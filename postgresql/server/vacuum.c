#include "commands/vacuum.h"

#include "index.h"
#include "miscadmin.h"
#include "pending.h"
#include "storage/indexfsm.h"
#include "utils/memutils.h"

typedef struct Deletion {
  Relation index;
  IndexBulkDeleteCallback callback;
  void* state;
  BufferAccessStrategy strategy;
  double kept;
  double removed;
} Deletion;

static bool is_dead(Deletion* deletion, uint64 tid) {
  ItemPointerData item;

  rondo_item(tid, &item);
  if (deletion->callback(&item, deletion->state)) {
    deletion->removed += 1;
    return true;
  }
  deletion->kept += 1;
  return false;
}

static void damaged(Relation index) {
  ereport(ERROR,
          (errcode(ERRCODE_INDEX_CORRUPTED), errmsg("the index \"%s\" is damaged", RelationGetRelationName(index)),
           errhint("REINDEX rebuilds it.")));
}

/* Writes the bytes of a chain that have changed; their number stays. */
static void rewrite_chain(Relation index, RondoChain chain, const char* bytes) {
  BlockNumber block = chain.first;
  uint64 done = 0;

  while (done < chain.size) {
    Buffer buffer;
    Page page;
    Size size;
    BlockNumber next;

    if (block == InvalidBlockNumber) damaged(index);
    buffer = ReadBuffer(index, block);
    LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
    page = BufferGetPage(buffer);
    if (!RondoIsPage(page) || RondoTail(page)->tag != chain.tag || RondoContentSize(page) > chain.size - done) {
      UnlockReleaseBuffer(buffer);
      damaged(index);
    }
    size = RondoContentSize(page);
    next = RondoTail(page)->next;
    if (memcmp(RondoContent(page), bytes + done, size) != 0) {
      GenericXLogState* state = GenericXLogStart(index);

      memcpy(RondoContent(GenericXLogRegisterBuffer(state, buffer, 0)), bytes + done, size);
      GenericXLogFinish(state);
    }
    UnlockReleaseBuffer(buffer);
    done += size;
    block = next;
  }
}

static void delete_from_segment(Deletion* deletion, RondoSegmentEntry* entry) {
  RondoBytes tids;
  RondoBytes removed;
  double before = deletion->removed;

  if (!rondo_read_chain(deletion->index, entry->streams[RONDO_STREAM_TIDS], &tids) ||
      !rondo_read_chain(deletion->index, entry->streams[RONDO_STREAM_REMOVED], &removed) ||
      tids.size != entry->rows * sizeof(uint64) || removed.size != (entry->rows + 7) / 8) {
    damaged(deletion->index);
  }
  for (uint64 row = 0; row < entry->rows; ++row) {
    uint8* byte = (uint8*)removed.data + row / 8;
    uint64 tid;

    if (*byte & (1 << (row % 8))) continue;
    memcpy(&tid, tids.data + row * sizeof tid, sizeof tid);
    if (is_dead(deletion, tid)) *byte |= (uint8)(1 << (row % 8));
    if (row % 4096 == 0) vacuum_delay_point();
  }
  if (deletion->removed > before) {
    rewrite_chain(deletion->index, entry->streams[RONDO_STREAM_REMOVED], removed.data);
    entry->removed += (uint64)(deletion->removed - before);
  }
}

/* Marks dead rows of one page; returns the next one. */
static BlockNumber delete_from_page(Deletion* deletion, BlockNumber block) {
  Buffer buffer = ReadBufferExtended(deletion->index, MAIN_FORKNUM, block, RBM_NORMAL, deletion->strategy);
  Page page = BufferGetPage(buffer);
  GenericXLogState* state = NULL;
  BlockNumber next;
  Size size;

  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  if (!RondoIsPage(page) || RondoTail(page)->kind != RONDO_PAGE_PENDING) {
    UnlockReleaseBuffer(buffer);
    damaged(deletion->index);
  }
  next = RondoTail(page)->next;
  size = RondoContentSize(page);
  for (Size offset = 0; offset < size;) {
    RondoPendingRow* row = (RondoPendingRow*)(RondoContent(page) + offset);

    if (size - offset < sizeof *row || RondoRowBytes(row) > RONDO_ROOM || RondoRowSpace(row) > size - offset) {
      if (state != NULL) GenericXLogAbort(state);
      UnlockReleaseBuffer(buffer);
      damaged(deletion->index);
    }
    if (!(row->flags & RONDO_ROW_REMOVED) && is_dead(deletion, row->tid)) {
      if (state == NULL) {
        state = GenericXLogStart(deletion->index);
        page = GenericXLogRegisterBuffer(state, buffer, 0);
        row = (RondoPendingRow*)(RondoContent(page) + offset);
      }
      row->flags |= RONDO_ROW_REMOVED;
    }
    offset += RondoRowSpace(row);
  }
  if (state != NULL) GenericXLogFinish(state);
  UnlockReleaseBuffer(buffer);
  return next;
}

IndexBulkDeleteResult* rondo_bulk_delete(IndexVacuumInfo* info, IndexBulkDeleteResult* result,
                                         IndexBulkDeleteCallback callback, void* state) {
  Deletion deletion = {info->index, callback, state, info->strategy, 0, 0};
  RondoDirectory* directory = palloc(sizeof *directory);
  MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo vacuum", ALLOCSET_DEFAULT_SIZES);
  BlockNumber block;

  if (result == NULL) result = palloc0(sizeof *result);
  rondo_lock_changes(info->index, true);
  rondo_read_meta(info->index, directory);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    MemoryContext before = MemoryContextSwitchTo(context);

    delete_from_segment(&deletion, &directory->segments[i]);
    MemoryContextSwitchTo(before);
    MemoryContextReset(context);
  }
  for (block = directory->meta.first_pending; block != InvalidBlockNumber;) {
    vacuum_delay_point();
    block = delete_from_page(&deletion, block);
  }
  /* Before the places of these rows can be used again, every process must know that what it has read is out of date. */
  if (deletion.removed > 0) rondo_write_meta(info->index, directory);
  rondo_unlock_changes(info->index, true);
  MemoryContextDelete(context);
  pfree(directory);
  result->tuples_removed += deletion.removed;
  result->num_index_tuples = deletion.kept;
  result->num_pages = RelationGetNumberOfBlocks(info->index);
  return result;
}

static void count_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  (void)row;
  (void)content;
  *(double*)context += 1;
}

IndexBulkDeleteResult* rondo_vacuum_cleanup(IndexVacuumInfo* info, IndexBulkDeleteResult* result) {
  RondoDirectory* directory;
  double rows = 0;

  if (info->analyze_only) return result;
  if (result == NULL) result = palloc0(sizeof *result);
  rondo_lock_changes(info->index, true);
  rondo_merge(info->index, true);
  rondo_refresh_statistics(info->index);
  rondo_free_lost_pages(info->index);
  directory = palloc(sizeof *directory);
  rondo_read_meta(info->index, directory);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    rows += (double)(directory->segments[i].rows - directory->segments[i].removed);
  }
  rondo_visit_pending(info->index, directory->meta.first_pending, 0, directory->meta.first_epoch, PG_UINT64_MAX,
                      count_row, &rows, NULL);
  rondo_unlock_changes(info->index, true);
  pfree(directory);
  IndexFreeSpaceMapVacuum(info->index);
  result->num_index_tuples = rows;
  result->num_pages = RelationGetNumberOfBlocks(info->index);
  return result;
}
