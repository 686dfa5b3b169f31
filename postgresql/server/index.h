#pragma once

/* The access method rondo: how an index lies in PostgreSQL's pages.
 *
 * Block 0 is the meta page. It lists the segments, which are never changed once they are listed, and knows the first
 * and the last page of pending rows: rows that were inserted one by one. All else is chains of pages, each page with
 * the block of the next one.
 *
 * Every change is one generic WAL record, and what consists of several pages becomes visible by the change of the meta
 * page alone. So after a crash there is the state before or the state after; pages that belong to neither are found and
 * freed by vacuum.
 *
 * Readers lock one page at a time. A chain that is freed while it is read is noticed: its pages carry a tag that no
 * other chain has, and the generation on the meta page has changed.
 *
 * Whoever changes the list of segments or marks rows as removed holds the lock of rondo_lock_changes exclusively; who
 * writes a melody too long for a page of pending rows holds it shared, so that vacuum does not free pages in use. */

#include "access/amapi.h"
#include "access/genam.h"
#include "access/generic_xlog.h"
#include "nodes/execnodes.h"
#include "rondo.h"
#include "storage/block.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"
#include "utils/rel.h"

#define RONDO_META_BLOCK 0
#define RONDO_MAGIC 0x524E444F
#define RONDO_LAYOUT 1
#define RONDO_MAX_SEGMENTS 48
/* So many that two are merged even if that takes more memory than maintenance may use: there is room for no more than
 * RONDO_MAX_SEGMENTS. */
#define RONDO_CROWDED_SEGMENTS 32

typedef enum RondoPageKind { RONDO_PAGE_META = 1, RONDO_PAGE_CHAIN, RONDO_PAGE_PENDING, RONDO_PAGE_FREE } RondoPageKind;

/* At the end of each page. */
typedef struct RondoPageTail {
  uint64 tag;       /* of a chain: the same on all of its pages, and on no other; of pending rows: their epoch */
  BlockNumber next; /* InvalidBlockNumber: the last one */
  uint16 kind;      /* RondoPageKind */
  uint16 page_id;   /* RONDO_PAGE_ID, so that tools recognise the page */
} RondoPageTail;
#define RONDO_PAGE_ID 0xFF92

#define RondoTail(page) ((RondoPageTail*)PageGetSpecialPointer(page))
#define RondoIsPage(page)                                                             \
  (!PageIsNew(page) && PageGetSpecialSize(page) == MAXALIGN(sizeof(RondoPageTail)) && \
   RondoTail(page)->page_id == RONDO_PAGE_ID)
/* Bytes of content that fit on a page. */
#define RONDO_ROOM (BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - MAXALIGN(sizeof(RondoPageTail)))
#define RondoContent(page) ((char*)PageGetContents(page))
#define RondoContentSize(page) ((Size)(((PageHeader)(page))->pd_lower - MAXALIGN(SizeOfPageHeaderData)))

typedef struct RondoChain {
  BlockNumber first; /* InvalidBlockNumber: it is empty */
  uint32 sum;        /* CRC-32C of its bytes; 0: they change, so there is none */
  uint64 tag;
  uint64 size; /* bytes */
} RondoChain;

typedef struct RondoSegmentEntry {
  RondoSegmentId id; /* random, so that no other segment ever has it */
  uint64 first_key;
  uint64 rows;
  uint64 melodies; /* rows with notes */
  uint64 removed;  /* rows that are gone */
  RondoChain streams[RONDO_STREAMS];
} RondoSegmentEntry;

typedef struct RondoMeta {
  uint32 magic;
  uint32 layout;
  uint64 generation; /* changes with the list of segments, with removed rows and with statistics */
  uint64 next_key;
  /* Rows inserted one by one. Pages of an epoch before first_epoch are in a segment already. */
  uint64 first_epoch;
  uint64 last_epoch;
  BlockNumber first_pending;
  BlockNumber last_pending;
  uint32 pending_pages; /* since the first epoch */
  /* How often windows of notes occur, on which scores of some systems depend. */
  uint32 statistics_given; /* 1: somebody has set them */
  uint64 statistics_version;
  uint64 statistics_generation; /* that they were counted at */
  RondoChain statistics;
  uint32 segment_count;
  uint32 unused;
} RondoMeta;

/* The entries follow RondoMeta on the page. */
typedef struct RondoDirectory {
  RondoMeta meta;
  RondoSegmentEntry segments[RONDO_MAX_SEGMENTS];
} RondoDirectory;

/* A pending row: this, then `size` bytes of the packed melody, then up to the next multiple of eight. */
typedef struct RondoPendingRow {
  uint64 tid; /* block * 65536 + offset */
  uint32 size;
  uint32 flags;
} RondoPendingRow;
#define RONDO_ROW_REMOVED 1 /* the row is gone */
#define RONDO_ROW_LONG 2    /* a RondoChain follows instead of the melody */

#define RondoRowBytes(row) ((row)->flags & RONDO_ROW_LONG ? sizeof(RondoChain) : (row)->size)
#define RondoRowSpace(row) (sizeof(RondoPendingRow) + MAXALIGN(RondoRowBytes(row)))

static inline uint64 rondo_tid(ItemPointer tid) {
  return ((uint64)ItemPointerGetBlockNumber(tid) << 16) | ItemPointerGetOffsetNumber(tid);
}
static inline void rondo_item(uint64 tid, ItemPointer out) {
  ItemPointerSet(out, (BlockNumber)(tid >> 16), (OffsetNumber)(tid & 0xFFFF));
}

/* pages.c */
extern void rondo_page_init(Page page, RondoPageKind kind, uint64 tag);
/* A page that nobody uses, locked exclusively. */
extern Buffer rondo_new_page(Relation index);
extern uint64 rondo_new_tag(void);
/* Copies a page; false where it is not one of this kind and tag. The epoch of pending rows is left to the caller. */
extern bool rondo_copy_page(Relation index, BlockNumber block, RondoPageKind kind, uint64 tag, char* page);
extern RondoChain rondo_write_chain(Relation index, RondoBytes bytes);
/* The bytes of a chain in memory of the current context; false where it has been freed. */
extern bool rondo_read_chain(Relation index, RondoChain chain, RondoBytes* bytes);
/* Gives the pages of a chain back. */
extern void rondo_free_chain(Relation index, RondoChain chain);
extern void rondo_free_page(Relation index, BlockNumber block);

/* meta.c */
extern void rondo_meta_init(Page page);
extern void rondo_read_meta(Relation index, RondoDirectory* directory);
/* Writes what has changed. Only under rondo_lock_changes; what inserts change at the same time is kept. */
extern void rondo_write_meta(Relation index, const RondoDirectory* directory);
extern void rondo_lock_changes(Relation index, bool exclusive);
extern bool rondo_try_lock_changes(Relation index);
extern void rondo_unlock_changes(Relation index, bool exclusive);
extern bool rondo_is_index(Relation relation);
extern Relation rondo_open_index(Oid index, LOCKMODE lock);

/* load.c */
/* The cache of an index, brought up to date with its pages. */
extern RondoCache* rondo_load(Relation index);

/* segments.c */
/* Stores what a builder has as a segment and lists it in `directory`, which is not written yet. */
extern void rondo_add_segment(Relation index, RondoDirectory* directory, RondoBuilder* builder);
/* Makes a segment of the pending rows, and merges small segments. Under the exclusive lock of changes, or while nobody
 * else sees the index. With `everything`, also rows that are gone leave the segments if they are many. */
extern void rondo_merge(Relation index, bool everything);
/* Counts windows anew and stores the counts, unless somebody has set them. Under the exclusive lock. */
extern void rondo_refresh_statistics(Relation index);
extern void rondo_store_statistics(Relation index, RondoBytes pairs, bool given);
/* Frees pages that belong to nothing, which a crash has left. Under the exclusive lock. */
extern void rondo_free_lost_pages(Relation index);
/* Bytes that a builder may take: what maintenance may use, but not what rondo.memory_limit has no room for. */
extern uint64 rondo_maintenance_memory(void);
/* A builder that the end of the current memory context frees. */
extern RondoBuilder* rondo_make_builder(uint64 first_key);

/* The functions of the access method. */
extern void rondo_define_options(void);
extern bytea* rondo_options(Datum options, bool validate);
extern IndexBuildResult* rondo_build(Relation heap, Relation index, IndexInfo* info);
extern void rondo_build_empty(Relation index);
extern bool rondo_insert(Relation index, Datum* values, bool* nulls, ItemPointer tid, Relation heap,
                         IndexUniqueCheck unique, bool unchanged, IndexInfo* info);
extern IndexBulkDeleteResult* rondo_bulk_delete(IndexVacuumInfo* info, IndexBulkDeleteResult* result,
                                                IndexBulkDeleteCallback callback, void* state);
extern IndexBulkDeleteResult* rondo_vacuum_cleanup(IndexVacuumInfo* info, IndexBulkDeleteResult* result);
extern IndexScanDesc rondo_begin_scan(Relation index, int keys, int orders);
extern void rondo_rescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orders, int order_count);
extern bool rondo_next_tuple(IndexScanDesc scan, ScanDirection direction);
extern void rondo_end_scan(IndexScanDesc scan);
