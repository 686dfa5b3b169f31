#include "access/relation.h"
#include "commands/defrem.h"
#include "index.h"
#include "storage/lmgr.h"

StaticAssertDecl(sizeof(RondoDirectory) <= RONDO_ROOM, "the list of segments fits on a page");

void rondo_meta_init(Page page) {
  RondoMeta* meta;

  rondo_page_init(page, RONDO_PAGE_META, 0);
  meta = (RondoMeta*)RondoContent(page);
  memset(meta, 0, sizeof(RondoDirectory));
  meta->magic = RONDO_MAGIC;
  meta->layout = RONDO_LAYOUT;
  /* Not 1: another index that gets the same storage later must not be taken for this one. */
  meta->generation = rondo_new_tag() >> 2;
  meta->next_key = 1;
  meta->first_epoch = 1;
  meta->last_epoch = 1;
  meta->first_pending = InvalidBlockNumber;
  meta->last_pending = InvalidBlockNumber;
  meta->statistics.first = InvalidBlockNumber;
  ((PageHeader)page)->pd_lower += sizeof(RondoDirectory);
}

static void check_meta(Relation index, Page page) {
  RondoMeta* meta = (RondoMeta*)RondoContent(page);

  if (!RondoIsPage(page) || RondoTail(page)->kind != RONDO_PAGE_META || meta->magic != RONDO_MAGIC ||
      meta->segment_count > RONDO_MAX_SEGMENTS) {
    ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                    errmsg("the first page of the index \"%s\" is damaged", RelationGetRelationName(index)),
                    errhint("REINDEX rebuilds the index.")));
  }
  if (meta->layout != RONDO_LAYOUT) {
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("the index \"%s\" was made by another version of rondo", RelationGetRelationName(index)),
                    errhint("REINDEX rebuilds the index.")));
  }
}

void rondo_read_meta(Relation index, RondoDirectory* directory) {
  Buffer buffer = ReadBuffer(index, RONDO_META_BLOCK);
  Page page = BufferGetPage(buffer);

  LockBuffer(buffer, BUFFER_LOCK_SHARE);
  check_meta(index, page);
  memcpy(directory, RondoContent(page), sizeof *directory);
  UnlockReleaseBuffer(buffer);
}

void rondo_write_meta(Relation index, const RondoDirectory* directory) {
  Buffer buffer = ReadBuffer(index, RONDO_META_BLOCK);
  GenericXLogState* state;
  RondoDirectory* now;
  Page page;

  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  check_meta(index, BufferGetPage(buffer));
  state = GenericXLogStart(index);
  page = GenericXLogRegisterBuffer(state, buffer, 0);
  now = (RondoDirectory*)RondoContent(page);
  {
    /* Inserts append pages while somebody else has the lock of changes. */
    BlockNumber last_pending = now->meta.last_pending;
    uint32 pending_pages = now->meta.pending_pages;
    BlockNumber first_pending = now->meta.first_pending;
    uint64 first_epoch = now->meta.first_epoch;
    uint64 last_epoch = now->meta.last_epoch;
    uint64 generation = now->meta.generation;

    *now = *directory;
    now->meta.generation = generation + 1;
    now->meta.last_pending = last_pending;
    now->meta.last_epoch = last_epoch;
    if (directory->meta.first_epoch == first_epoch) {
      now->meta.first_pending = first_pending;
      now->meta.pending_pages = pending_pages;
    } else {
      now->meta.pending_pages = pending_pages - Min(pending_pages, directory->meta.pending_pages);
    }
  }
  GenericXLogFinish(state);
  UnlockReleaseBuffer(buffer);
}

void rondo_lock_changes(Relation index, bool exclusive) {
  LockPage(index, RONDO_META_BLOCK, exclusive ? ExclusiveLock : ShareLock);
}

bool rondo_try_lock_changes(Relation index) { return ConditionalLockPage(index, RONDO_META_BLOCK, ExclusiveLock); }

void rondo_unlock_changes(Relation index, bool exclusive) {
  UnlockPage(index, RONDO_META_BLOCK, exclusive ? ExclusiveLock : ShareLock);
}

bool rondo_is_index(Relation relation) {
  return relation->rd_rel->relkind == RELKIND_INDEX && relation->rd_indam != NULL &&
         relation->rd_indam->aminsert == rondo_insert;
}

Relation rondo_open_index(Oid index, LOCKMODE lock) {
  Relation relation = try_relation_open(index, lock);

  if (relation == NULL) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("there is no index with OID %u", index)));
  }
  if (!rondo_is_index(relation)) {
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not an index of the access method rondo", RelationGetRelationName(relation))));
  }
  return relation;
}
