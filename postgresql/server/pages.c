#include "index.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "storage/indexfsm.h"
#include "storage/lmgr.h"

void rondo_page_init(Page page, RondoPageKind kind, uint64 tag) {
  RondoPageTail* tail;

  PageInit(page, BLCKSZ, sizeof(RondoPageTail));
  ((PageHeader)page)->pd_lower = MAXALIGN(SizeOfPageHeaderData);
  tail = RondoTail(page);
  tail->tag = tag;
  tail->next = InvalidBlockNumber;
  tail->kind = kind;
  tail->page_id = RONDO_PAGE_ID;
}

uint64 rondo_new_tag(void) {
  uint64 tag;

  if (!pg_strong_random(&tag, sizeof tag)) ereport(ERROR, (errmsg("could not generate random values")));
  return tag;
}

Buffer rondo_new_page(Relation index) {
  Buffer buffer;
  bool shared = !RELATION_IS_LOCAL(index);

  for (;;) {
    BlockNumber block = GetFreeIndexPage(index);

    if (block == InvalidBlockNumber) break;
    buffer = ReadBuffer(index, block);
    /* The map of free pages is not crash-safe: only the page itself knows whether it is free. */
    if (ConditionalLockBuffer(buffer)) {
      Page page = BufferGetPage(buffer);

      if (PageIsNew(page) || (RondoIsPage(page) && RondoTail(page)->kind == RONDO_PAGE_FREE)) return buffer;
      LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
    }
    ReleaseBuffer(buffer);
  }
  if (shared) LockRelationForExtension(index, ExclusiveLock);
  buffer = ReadBuffer(index, P_NEW);
  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  if (shared) UnlockRelationForExtension(index, ExclusiveLock);
  return buffer;
}

bool rondo_copy_page(Relation index, BlockNumber block, RondoPageKind kind, uint64 tag, char* copy) {
  Buffer buffer;
  Page page;
  bool fits;

  if (block == InvalidBlockNumber || block >= RelationGetNumberOfBlocks(index)) return false;
  buffer = ReadBuffer(index, block);
  LockBuffer(buffer, BUFFER_LOCK_SHARE);
  page = BufferGetPage(buffer);
  fits = RondoIsPage(page) && RondoTail(page)->kind == kind &&
         (kind == RONDO_PAGE_PENDING || RondoTail(page)->tag == tag) &&
         ((PageHeader)page)->pd_lower >= MAXALIGN(SizeOfPageHeaderData) && RondoContentSize(page) <= RONDO_ROOM;
  if (fits) memcpy(copy, page, BLCKSZ);
  UnlockReleaseBuffer(buffer);
  return fits;
}

static uint32 sum_of(const char* data, size_t size) {
  pg_crc32c sum;

  INIT_CRC32C(sum);
  COMP_CRC32C(sum, data, size);
  FIN_CRC32C(sum);
  return Max(sum, 1);
}

RondoChain rondo_write_chain(Relation index, RondoBytes bytes) {
  RondoChain chain = {InvalidBlockNumber, 0, 0, bytes.size};
  Buffer buffer;
  size_t written = 0;

  if (bytes.size == 0) return chain;
  chain.tag = rondo_new_tag();
  chain.sum = sum_of(bytes.data, bytes.size);
  buffer = rondo_new_page(index);
  chain.first = BufferGetBlockNumber(buffer);
  while (BufferIsValid(buffer)) {
    size_t part = Min(bytes.size - written, RONDO_ROOM);
    Buffer next = written + part < bytes.size ? rondo_new_page(index) : InvalidBuffer;
    GenericXLogState* state = GenericXLogStart(index);
    Page page = GenericXLogRegisterBuffer(state, buffer, GENERIC_XLOG_FULL_IMAGE);

    rondo_page_init(page, RONDO_PAGE_CHAIN, chain.tag);
    memcpy(RondoContent(page), bytes.data + written, part);
    ((PageHeader)page)->pd_lower += part;
    if (BufferIsValid(next)) RondoTail(page)->next = BufferGetBlockNumber(next);
    GenericXLogFinish(state);
    UnlockReleaseBuffer(buffer);
    buffer = next;
    written += part;
  }
  return chain;
}

bool rondo_read_chain(Relation index, RondoChain chain, RondoBytes* bytes) {
  char* content;
  PGAlignedBlock page;
  BlockNumber block = chain.first;
  uint64 read = 0;

  *bytes = (RondoBytes){NULL, 0};
  if (chain.size == 0) return true;
  if (chain.size > (uint64)RelationGetNumberOfBlocks(index) * BLCKSZ) return false;
  content = MemoryContextAllocHuge(CurrentMemoryContext, chain.size);
  while (read < chain.size) {
    Size size;

    CHECK_FOR_INTERRUPTS();
    if (!rondo_copy_page(index, block, RONDO_PAGE_CHAIN, chain.tag, page.data)) break;
    size = RondoContentSize(page.data);
    if (size == 0 || size > chain.size - read) break;
    memcpy(content + read, RondoContent(page.data), size);
    read += size;
    block = RondoTail(page.data)->next;
  }
  if (read != chain.size || (chain.sum != 0 && chain.sum != sum_of(content, chain.size))) {
    pfree(content);
    return false;
  }
  *bytes = (RondoBytes){content, chain.size};
  return true;
}

void rondo_free_page(Relation index, BlockNumber block) {
  Buffer buffer = ReadBuffer(index, block);
  GenericXLogState* state;

  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  state = GenericXLogStart(index);
  rondo_page_init(GenericXLogRegisterBuffer(state, buffer, GENERIC_XLOG_FULL_IMAGE), RONDO_PAGE_FREE, 0);
  GenericXLogFinish(state);
  UnlockReleaseBuffer(buffer);
  RecordFreeIndexPage(index, block);
}

void rondo_free_chain(Relation index, RondoChain chain) {
  PGAlignedBlock page;
  BlockNumber block = chain.first;

  while (chain.size > 0 && block != InvalidBlockNumber &&
         rondo_copy_page(index, block, RONDO_PAGE_CHAIN, chain.tag, page.data)) {
    BlockNumber next = RondoTail(page.data)->next;

    rondo_free_page(index, block);
    block = next;
  }
}
