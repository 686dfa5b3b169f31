#include "access/relscan.h"
#include "index.h"
#include "pgstat.h"
#include "utils/float.h"
#include "utils/memutils.h"

typedef struct OwnScan {
  RondoSearch* search;
  MemoryContext context; /* its reset frees the search */
} OwnScan;

static void free_search(void* search) { rondo_search_free(search); }

IndexScanDesc rondo_begin_scan(Relation index, int keys, int orders) {
  IndexScanDesc scan = RelationGetIndexScan(index, keys, orders);
  OwnScan* own = palloc0(sizeof *own);

  own->context = AllocSetContextCreate(CurrentMemoryContext, "rondo scan", ALLOCSET_SMALL_SIZES);
  scan->opaque = own;
  if (orders > 0) {
    scan->xs_orderbyvals = palloc0(sizeof(Datum) * orders);
    scan->xs_orderbynulls = palloc(sizeof(bool) * orders);
    memset(scan->xs_orderbynulls, true, sizeof(bool) * orders);
  }
  return scan;
}

void rondo_rescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orders, int order_count) {
  OwnScan* own = scan->opaque;

  if (keys != NULL && scan->numberOfKeys > 0) memmove(scan->keyData, keys, scan->numberOfKeys * sizeof(ScanKeyData));
  if (orders != NULL && scan->numberOfOrderBys > 0) {
    memmove(scan->orderByData, orders, scan->numberOfOrderBys * sizeof(ScanKeyData));
  }
  (void)key_count;
  (void)order_count;
  own->search = NULL;
  MemoryContextReset(own->context);
}

static void start(IndexScanDesc scan) {
  OwnScan* own = scan->opaque;
  MemoryContext before = MemoryContextSwitchTo(own->context);
  MemoryContextCallback* callback = palloc0(sizeof *callback);
  RondoBytes query = {NULL, 0};
  RondoCache* cache;

  pgstat_count_index_scan(scan->indexRelation);
  if (scan->numberOfOrderBys > 0 && !(scan->orderByData[0].sk_flags & SK_ISNULL)) {
    query = rondo_content((struct varlena*)PG_DETOAST_DATUM_PACKED(scan->orderByData[0].sk_argument));
    rondo_need_query_statistics(query, scan->orderByData[0].sk_collation);
  }
  cache = rondo_load(scan->indexRelation);
  rondo_expect(rondo_search_make(cache, query, (uint32_t)rondo_first_hits, &own->search), ERRCODE_INDEX_CORRUPTED);
  callback->func = free_search;
  callback->arg = own->search;
  MemoryContextRegisterResetCallback(own->context, callback);
  MemoryContextSwitchTo(before);
}

bool rondo_next_tuple(IndexScanDesc scan, ScanDirection direction) {
  OwnScan* own = scan->opaque;
  RondoHit hit;

  if (direction != ForwardScanDirection) elog(ERROR, "an index of rondo is read forwards only");
  if (own->search == NULL) start(scan);
  rondo_expect(rondo_search_next(own->search, &hit), ERRCODE_INDEX_CORRUPTED);
  if (hit.end) return false;
  rondo_item(hit.tid, &scan->xs_heaptid);
  scan->xs_recheck = false;
  scan->xs_recheckorderby = scan->numberOfOrderBys > 1;
  if (scan->numberOfOrderBys > 0) {
    scan->xs_orderbyvals[0] = Float8GetDatum(hit.ranked ? hit.distance : 0);
    scan->xs_orderbynulls[0] = !hit.ranked;
  }
  /* Of further distances only the least there can be is known; the executor computes them and sorts. */
  for (int i = 1; i < scan->numberOfOrderBys; ++i) {
    scan->xs_orderbyvals[i] = Float8GetDatum(-get_float8_infinity());
    scan->xs_orderbynulls[i] = false;
  }
  return true;
}

void rondo_end_scan(IndexScanDesc scan) {
  OwnScan* own = scan->opaque;

  MemoryContextDelete(own->context);
  pfree(own);
}
