#include "pending.h"

#include "miscadmin.h"
#include "storage/indexfsm.h"

/* Longer melodies lie in chains of their own. */
#define LONGEST_IN_PAGE 2000

bool rondo_visit_rows(const char* page, Size offset, RondoRowVisit visit, void* context) {
  const char* content = RondoContent((Page)page);
  Size size = RondoContentSize((Page)page);

  while (offset < size) {
    const RondoPendingRow* row = (const RondoPendingRow*)(content + offset);

    if (size - offset < sizeof(RondoPendingRow) || RondoRowBytes(row) > RONDO_ROOM ||
        RondoRowSpace(row) > size - offset) {
      return false;
    }
    if (!(row->flags & RONDO_ROW_REMOVED)) {
      visit(row, (RondoBytes){(const char*)(row + 1), RondoRowBytes(row)}, context);
    }
    offset += RondoRowSpace(row);
  }
  return true;
}

bool rondo_visit_pending(Relation index, BlockNumber block, Size offset, uint64 first_epoch, uint64 last_epoch,
                         RondoRowVisit visit, void* context, RondoPosition* position) {
  PGAlignedBlock page;
  BlockNumber pages = 0;

  while (block != InvalidBlockNumber) {
    CHECK_FOR_INTERRUPTS();
    /* More pages than there are: damaged, they form a ring. */
    if (++pages > RelationGetNumberOfBlocks(index)) return false;
    if (!rondo_copy_page(index, block, RONDO_PAGE_PENDING, 0, page.data)) return false;
    if (RondoTail(page.data)->tag < first_epoch) return false;
    if (RondoTail(page.data)->tag > last_epoch) break;
    if (!rondo_visit_rows(page.data, offset, visit, context)) return false;
    if (position != NULL) {
      position->block = block;
      position->offset = (uint32_t)RondoContentSize(page.data);
    }
    block = RondoTail(page.data)->next;
    offset = 0;
  }
  return true;
}

bool rondo_row_melody(Relation index, const RondoPendingRow* row, RondoBytes content, RondoBytes* melody) {
  RondoChain chain;

  *melody = content;
  if (!(row->flags & RONDO_ROW_LONG)) return true;
  memcpy(&chain, content.data, sizeof chain);
  return rondo_read_chain(index, chain, melody);
}

/* A page for pending rows behind `last`, which is locked, or the first one. Returns it locked, with the row on it;
 * InvalidBuffer: somebody else was faster. */
static bool append_page(Relation index, Buffer last, uint64 epoch_step, const RondoPendingRow* row, RondoBytes content,
                        BlockNumber* added, uint32* pages_before) {
  Buffer fresh = rondo_new_page(index);
  Buffer meta_buffer = ReadBuffer(index, RONDO_META_BLOCK);
  GenericXLogState* state;
  RondoMeta* meta;
  Page page;

  LockBuffer(meta_buffer, BUFFER_LOCK_EXCLUSIVE);
  meta = (RondoMeta*)RondoContent(BufferGetPage(meta_buffer));
  if (!BufferIsValid(last) && meta->last_pending != InvalidBlockNumber) {
    BlockNumber unused = BufferGetBlockNumber(fresh);

    UnlockReleaseBuffer(meta_buffer);
    UnlockReleaseBuffer(fresh);
    RecordFreeIndexPage(index, unused);
    return false;
  }
  *added = BufferGetBlockNumber(fresh);
  state = GenericXLogStart(index);
  page = GenericXLogRegisterBuffer(state, fresh, GENERIC_XLOG_FULL_IMAGE);
  meta = (RondoMeta*)RondoContent(GenericXLogRegisterBuffer(state, meta_buffer, 0));
  meta->last_epoch += epoch_step;
  rondo_page_init(page, RONDO_PAGE_PENDING, meta->last_epoch);
  if (row != NULL) {
    memcpy(RondoContent(page), row, sizeof *row);
    if (content.size > 0) memcpy(RondoContent(page) + sizeof *row, content.data, content.size);
    ((PageHeader)page)->pd_lower += RondoRowSpace(row);
  }
  if (BufferIsValid(last)) {
    Page before = GenericXLogRegisterBuffer(state, last, 0);

    RondoTail(before)->next = *added;
  } else {
    meta->first_pending = *added;
  }
  meta->last_pending = *added;
  *pages_before = meta->pending_pages;
  meta->pending_pages += 1;
  GenericXLogFinish(state);
  UnlockReleaseBuffer(meta_buffer);
  UnlockReleaseBuffer(fresh);
  return true;
}

static BlockNumber last_pending(Relation index) {
  Buffer buffer = ReadBuffer(index, RONDO_META_BLOCK);
  BlockNumber block;

  LockBuffer(buffer, BUFFER_LOCK_SHARE);
  block = ((RondoMeta*)RondoContent(BufferGetPage(buffer)))->last_pending;
  UnlockReleaseBuffer(buffer);
  return block;
}

/* The last page, locked exclusively; InvalidBuffer: there is none yet. */
static Buffer lock_last_page(Relation index) {
  for (int tries = 0;; ++tries) {
    BlockNumber block = last_pending(index);

    /* Each further try means that the rows were merged since the last one. */
    if (tries > 1000) {
      ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                      errmsg("pending rows of the index \"%s\" are damaged", RelationGetRelationName(index)),
                      errhint("REINDEX rebuilds the index.")));
    }

    while (block != InvalidBlockNumber) {
      Buffer buffer = ReadBuffer(index, block);
      Page page = BufferGetPage(buffer);
      BlockNumber next;

      LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
      /* Merged and freed since the meta page was read: that one knows better now. */
      if (!RondoIsPage(page) || RondoTail(page)->kind != RONDO_PAGE_PENDING) {
        UnlockReleaseBuffer(buffer);
        CHECK_FOR_INTERRUPTS();
        break;
      }
      next = RondoTail(page)->next;
      if (next == InvalidBlockNumber) return buffer;
      UnlockReleaseBuffer(buffer);
      block = next;
    }
    if (block == InvalidBlockNumber) return InvalidBuffer;
  }
}

static void append(Relation index, const RondoPendingRow* row, RondoBytes content) {
  for (;;) {
    Buffer last = lock_last_page(index);
    BlockNumber added;
    uint32 pages;

    if (BufferIsValid(last) && RondoContentSize(BufferGetPage(last)) + RondoRowSpace(row) <= RONDO_ROOM) {
      GenericXLogState* state = GenericXLogStart(index);
      Page page = GenericXLogRegisterBuffer(state, last, 0);
      char* at = RondoContent(page) + RondoContentSize(page);

      memset(at, 0, RondoRowSpace(row));
      memcpy(at, row, sizeof *row);
      if (content.size > 0) memcpy(at + sizeof *row, content.data, content.size);
      ((PageHeader)page)->pd_lower += RondoRowSpace(row);
      GenericXLogFinish(state);
      UnlockReleaseBuffer(last);
      return;
    }
    if (append_page(index, last, 0, row, content, &added, &pages)) {
      if (BufferIsValid(last)) UnlockReleaseBuffer(last);
      return;
    }
  }
}

void rondo_append_row(Relation index, uint64 tid, RondoBytes melody) {
  RondoPendingRow row = {tid, (uint32)melody.size, 0};
  RondoChain chain;

  if (melody.size <= LONGEST_IN_PAGE) {
    append(index, &row, melody);
    return;
  }
  rondo_lock_changes(index, false);
  chain = rondo_write_chain(index, melody);
  row.flags = RONDO_ROW_LONG;
  append(index, &row, (RondoBytes){(const char*)&chain, sizeof chain});
  rondo_unlock_changes(index, false);
}

bool rondo_seal_pending(Relation index, RondoSeal* seal) {
  Buffer last = lock_last_page(index);

  if (!BufferIsValid(last)) return false;
  seal->epoch = RondoTail(BufferGetPage(last))->tag;
  if (!append_page(index, last, 1, NULL, (RondoBytes){NULL, 0}, &seal->next_first, &seal->pages)) {
    elog(ERROR, "no page could be added");
  }
  UnlockReleaseBuffer(last);
  return true;
}
