/* Statistics of an index, what it consists of, and whether it is sound. */
#include "access/relation.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "index.h"
#include "miscadmin.h"
#include "pending.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(rondo_statistics);
PG_FUNCTION_INFO_V1(rondo_statistics_count);
PG_FUNCTION_INFO_V1(rondo_statistics_sum);
PG_FUNCTION_INFO_V1(rondo_statistics_set);
PG_FUNCTION_INFO_V1(rondo_statistics_reset);
PG_FUNCTION_INFO_V1(rondo_index_info);
PG_FUNCTION_INFO_V1(rondo_index_check);
PG_FUNCTION_INFO_V1(rondo_memory);

static void damaged_statistics(Relation index) {
  ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
                  errmsg("the statistics of the index \"%s\" are damaged", RelationGetRelationName(index))));
}

/* Which statistics: the version on this index, and the sum, which is the same wherever the counts are the same. */
typedef struct StatisticsId {
  uint64 version;
  uint32 sum;
} StatisticsId;

/* What this process remembers them by. REINDEX, TRUNCATE and VACUUM FULL begin to count versions anew, so the version
 * alone would take the statistics before for those after. */
static uint64 known_as(StatisticsId id) { return id.version ^ (uint64)id.sum << 32; }

/* The statistics as they are stored now. */
static RondoBytes read_statistics(Relation index, StatisticsId* id) {
  RondoDirectory* directory = palloc(sizeof *directory);
  RondoBytes pairs;

  for (;;) {
    uint64 generation;

    rondo_read_meta(index, directory);
    *id = (StatisticsId){directory->meta.statistics_version, directory->meta.statistics.sum};
    if (rondo_read_chain(index, directory->meta.statistics, &pairs)) break;
    generation = directory->meta.generation;
    rondo_read_meta(index, directory);
    if (directory->meta.generation == generation) damaged_statistics(index);
  }
  pfree(directory);
  return pairs;
}

/* Which statistics the statement at hand has used. It must not use others when somebody changes them meanwhile: what an
 * index scan sorts by and what is shown would differ. */
typedef struct Pin {
  Oid index;
  uint32 sum;
  TimestampTz statement;
} Pin;
static Pin pins[16];
static int next_pin = 0;

static const Pin* find_pin(Oid index) {
  for (int i = 0; i < (int)lengthof(pins); ++i) {
    if (pins[i].index == index && pins[i].statement == GetCurrentStatementStartTimestamp()) return &pins[i];
  }
  return NULL;
}

static void pin(Oid index, uint32 sum) {
  for (int i = 0; i < (int)lengthof(pins); ++i) {
    if (pins[i].index == index) pins[i].index = InvalidOid;
  }
  pins[next_pin] = (Pin){index, sum, GetCurrentStatementStartTimestamp()};
  next_pin = (next_pin + 1) % (int)lengthof(pins);
}

/* Of all indexes: this process itself has changed statistics, and sees that at once. */
static void unpin(void) { memset(pins, 0, sizeof pins); }

void rondo_need_statistics(Oid oid) {
  Relation index;
  RondoDirectory* directory;
  StatisticsId id;

  if (find_pin(oid) != NULL) return;
  index = rondo_open_index(oid, AccessShareLock);
  directory = palloc(sizeof *directory);
  rondo_read_meta(index, directory);
  id = (StatisticsId){directory->meta.statistics_version, directory->meta.statistics.sum};
  if (!rondo_statistics_known(oid, known_as(id))) {
    RondoBytes pairs = read_statistics(index, &id);

    rondo_expect(rondo_statistics_keep(oid, known_as(id), pairs), ERRCODE_INDEX_CORRUPTED);
    if (pairs.size > 0) pfree((void*)pairs.data);
  }
  pin(oid, id.sum);
  pfree(directory);
  relation_close(index, AccessShareLock);
}

/* For those who may read the table, or its column. */
static Relation open_readable_index(Oid oid) {
  Relation index = rondo_open_index(oid, AccessShareLock);
  Oid table = index->rd_index->indrelid;
  AttrNumber column = index->rd_index->indkey.values[0];
  AclResult allowed = pg_class_aclcheck(table, GetUserId(), ACL_SELECT);

  if (allowed != ACLCHECK_OK && column > 0) allowed = pg_attribute_aclcheck(table, column, GetUserId(), ACL_SELECT);
  if (allowed != ACLCHECK_OK) aclcheck_error(allowed, OBJECT_INDEX, RelationGetRelationName(index));
  return index;
}

void rondo_need_right_to_read(Oid index) { relation_close(open_readable_index(index), AccessShareLock); }

/* Pairs as the rows of a function. */
static void return_pairs(FunctionCallInfo fcinfo, RondoBytes pairs) {
  ReturnSetInfo* set = (ReturnSetInfo*)fcinfo->resultinfo;

  InitMaterializedSRF(fcinfo, 0);
  for (size_t at = 0; at + 16 <= pairs.size; at += 16) {
    uint64 pair[2];
    Datum values[2];
    bool nulls[2] = {false, false};

    CHECK_FOR_INTERRUPTS();
    memcpy(pair, pairs.data + at, sizeof pair);
    values[0] = Int64GetDatum((int64)pair[0]);
    values[1] = Int64GetDatum((int64)pair[1]);
    tuplestore_putvalues(set->setResult, set->setDesc, values, nulls);
  }
}

Datum rondo_statistics(PG_FUNCTION_ARGS) {
  Relation index = open_readable_index(PG_GETARG_OID(0));
  StatisticsId id;

  return_pairs(fcinfo, read_statistics(index, &id));
  relation_close(index, AccessShareLock);
  return (Datum)0;
}

/* The windows of all rows there are, in memory of the current context. */
static RondoBytes count_windows(Relation index) {
  RondoCache* cache = rondo_load(index);
  RondoBytes pairs;
  RondoBytes copy;

  rondo_expect(rondo_cache_statistics(cache, &pairs), ERRCODE_INTERNAL_ERROR);
  copy.data = memcpy(MemoryContextAllocHuge(CurrentMemoryContext, Max(pairs.size, 1)), pairs.data, pairs.size);
  copy.size = pairs.size;
  return copy;
}

/* What rondo_statistics_reset would store. */
Datum rondo_statistics_count(PG_FUNCTION_ARGS) {
  Relation index = open_readable_index(PG_GETARG_OID(0));

  return_pairs(fcinfo, count_windows(index));
  relation_close(index, AccessShareLock);
  return (Datum)0;
}

/* Of the statistics that the statement at hand uses. */
Datum rondo_statistics_sum(PG_FUNCTION_ARGS) {
  Oid oid = PG_GETARG_OID(0);

  relation_close(open_readable_index(oid), AccessShareLock);
  rondo_need_statistics(oid);
  PG_RETURN_INT64((int64)find_pin(oid)->sum);
}

static Relation open_own_index(Oid oid) {
  Relation index = rondo_open_index(oid, RowExclusiveLock);

  PreventCommandDuringRecovery("setting statistics");
  PreventCommandIfReadOnly("setting statistics");
  if (!pg_class_ownercheck(oid, GetUserId())) {
    aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_INDEX, RelationGetRelationName(index));
  }
  return index;
}

static int by_window(const void* a, const void* b) {
  uint64 x = *(const uint64*)a;
  uint64 y = *(const uint64*)b;

  return x < y ? -1 : x > y ? 1 : 0;
}

static int64* numbers(ArrayType* array, int* count) {
  if (ARR_HASNULL(array) || ARR_ELEMTYPE(array) != INT8OID || ARR_NDIM(array) > 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a list of numbers without nulls is needed")));
  }
  *count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
  return (int64*)ARR_DATA_PTR(array);
}

Datum rondo_statistics_set(PG_FUNCTION_ARGS) {
  Relation index = open_own_index(PG_GETARG_OID(0));
  int windows_count;
  int counts_count;
  int64* windows = numbers(PG_GETARG_ARRAYTYPE_P(1), &windows_count);
  int64* counts = numbers(PG_GETARG_ARRAYTYPE_P(2), &counts_count);
  uint64* pairs;
  RondoBytes bytes;

  if (windows_count != counts_count) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("there are %d windows and %d counts", windows_count, counts_count)));
  }
  pairs = MemoryContextAllocHuge(CurrentMemoryContext, Max((Size)windows_count, 1) * 16);
  for (int i = 0; i < windows_count; ++i) {
    pairs[2 * (Size)i] = (uint64)windows[i];
    pairs[2 * (Size)i + 1] = (uint64)counts[i];
  }
  qsort(pairs, windows_count, 16, by_window);
  bytes = (RondoBytes){(const char*)pairs, (size_t)windows_count * 16};
  rondo_expect(rondo_statistics_check(bytes), ERRCODE_INVALID_PARAMETER_VALUE);
  rondo_lock_changes(index, true);
  rondo_store_statistics(index, bytes, true);
  unpin();
  rondo_unlock_changes(index, true);
  relation_close(index, NoLock);
  PG_RETURN_VOID();
}

Datum rondo_statistics_reset(PG_FUNCTION_ARGS) {
  Relation index = open_own_index(PG_GETARG_OID(0));

  rondo_lock_changes(index, true);
  rondo_store_statistics(index, count_windows(index), false);
  unpin();
  rondo_unlock_changes(index, true);
  relation_close(index, NoLock);
  PG_RETURN_VOID();
}

/* Of this process. */
Datum rondo_memory(PG_FUNCTION_ARGS) {
  RondoMemory memory = rondo_memory_use();
  Datum values[3] = {Int64GetDatum(memory.used), Int64GetDatum(memory.peak), Int64GetDatum(memory.limit)};
  bool nulls[3] = {false, false, memory.limit < 0};
  TupleDesc description;

  if (get_call_result_type(fcinfo, NULL, &description) != TYPEFUNC_COMPOSITE) elog(ERROR, "a row type is needed");
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(description), values, nulls)));
}

static void count_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  (void)row;
  (void)content;
  *(int64*)context += 1;
}

Datum rondo_index_info(PG_FUNCTION_ARGS) {
  Relation index = open_readable_index(PG_GETARG_OID(0));
  RondoDirectory* directory = palloc(sizeof *directory);
  int64 rows = 0;
  int64 removed = 0;
  int64 pending = 0;
  Datum values[8];
  bool nulls[8] = {false};
  TupleDesc description;

  if (get_call_result_type(fcinfo, NULL, &description) != TYPEFUNC_COMPOSITE) elog(ERROR, "a row type is needed");
  rondo_read_meta(index, directory);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    rows += (int64)directory->segments[i].rows;
    removed += (int64)directory->segments[i].removed;
  }
  rondo_visit_pending(index, directory->meta.first_pending, 0, directory->meta.first_epoch, PG_UINT64_MAX, count_row,
                      &pending, NULL);
  values[0] = Int32GetDatum((int32)directory->meta.segment_count);
  values[1] = Int64GetDatum(rows);
  values[2] = Int64GetDatum(removed);
  values[3] = Int64GetDatum(pending);
  values[4] = Int32GetDatum((int32)directory->meta.pending_pages);
  values[5] = Int64GetDatum((int64)directory->meta.statistics_version);
  values[6] = BoolGetDatum(directory->meta.statistics_given != 0);
  values[7] = Int64GetDatum((int64)directory->meta.statistics.size / 16);
  relation_close(index, AccessShareLock);
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(description), values, nulls)));
}

/* ---- the check -----------------------------------------------------------------------------------------------------
 */

typedef struct Check {
  Relation index;
  ReturnSetInfo* set;
  uint8* used;
  BlockNumber blocks;
} Check;

static void report(Check* check, const char* format, ...) pg_attribute_printf(2, 3);

static void report(Check* check, const char* format, ...) {
  char text[512];
  va_list arguments;
  Datum value;
  bool null = false;

  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  value = CStringGetTextDatum(text);
  tuplestore_putvalues(check->set->setResult, check->set->setDesc, &value, &null);
}

/* Of what was looked at; that it could not be looked at is an error. */
static bool sound(RondoStatus status) {
  if (status == RONDO_FAILED) return false;
  rondo_expect(status, ERRCODE_INTERNAL_ERROR);
  return true;
}

/* False: it is used already. */
static bool use_block(Check* check, BlockNumber block, const char* what) {
  if (block >= check->blocks) return true;
  if (check->used[block / 8] & (1 << (block % 8))) {
    report(check, "block %u is used twice, the second time by %s", block, what);
    return false;
  }
  check->used[block / 8] |= (uint8)(1 << (block % 8));
  return true;
}

static bool check_chain(Check* check, RondoChain chain, const char* what, RondoBytes* bytes) {
  PGAlignedBlock page;
  BlockNumber block = chain.first;
  uint64 size = 0;

  *bytes = (RondoBytes){NULL, 0};
  if (chain.size == 0) return true;
  while (block != InvalidBlockNumber && size <= chain.size) {
    CHECK_FOR_INTERRUPTS();
    if (!rondo_copy_page(check->index, block, RONDO_PAGE_CHAIN, chain.tag, page.data)) {
      report(check, "block %u does not belong to %s", block, what);
      return false;
    }
    if (!use_block(check, block, what)) return false;
    size += RondoContentSize(page.data);
    block = RondoTail(page.data)->next;
  }
  if (size != chain.size) {
    report(check, "%s has " UINT64_FORMAT " bytes instead of " UINT64_FORMAT, what, size, chain.size);
    return false;
  }
  if (rondo_read_chain(check->index, chain, bytes)) return true;
  report(check, "the bytes of %s do not have their sum", what);
  return false;
}

static void check_segment(Check* check, const RondoSegmentEntry* entry, uint32 number) {
  static const char* const names[RONDO_STREAMS] = {"melodies", "places of rows", "melodies with chords",
                                                   "removed rows"};
  RondoBytes streams[RONDO_STREAMS];
  RondoBytes fault;
  uint64 removed = 0;
  bool whole = true;

  for (int i = 0; i < RONDO_STREAMS; ++i) {
    char what[64];

    snprintf(what, sizeof what, "%s of segment %u", names[i], number);
    whole &= check_chain(check, entry->streams[i], what, &streams[i]);
  }
  if (!whole) return;
  if (streams[RONDO_STREAM_TIDS].size != entry->rows * sizeof(uint64)) {
    report(check, "segment %u has not as many rows as it says", number);
  }
  rondo_expect(rondo_segment_fault(entry->first_key, streams, &fault), ERRCODE_INDEX_CORRUPTED);
  if (fault.size > 0) report(check, "segment %u: %s", number, rondo_cstring(fault));
  for (size_t i = 0; i < streams[RONDO_STREAM_REMOVED].size; ++i) {
    for (int bit = 0; bit < 8; ++bit) removed += (uint8)streams[RONDO_STREAM_REMOVED].data[i] >> bit & 1;
  }
  /* After a crash in the middle of a vacuum more rows are marked than were counted; the next vacuum goes on from there.
   */
  if (removed < entry->removed) report(check, "segment %u has fewer removed rows than it says", number);
}

static void check_row(const RondoPendingRow* row, RondoBytes content, void* context) {
  Check* check = context;
  RondoBytes melody = content;
  RondoChain chain;

  if (row->flags & RONDO_ROW_LONG) {
    memcpy(&chain, content.data, sizeof chain);
    if (!check_chain(check, chain, "a long melody", &melody)) return;
  }
  if (melody.size > 0 && !sound(rondo_melody_check(melody))) {
    report(check, "a pending row has a damaged melody: %s", rondo_error()->message);
  }
}

Datum rondo_index_check(PG_FUNCTION_ARGS) {
  /* Nothing is changed while it looks, not even by inserts. On a replica there is no such lock: what changes while it
   * looks may be reported there. */
  Relation index = rondo_open_index(PG_GETARG_OID(0), RecoveryInProgress() ? AccessShareLock : ShareLock);
  RondoDirectory* directory = palloc(sizeof *directory);
  Check check = {index, (ReturnSetInfo*)fcinfo->resultinfo, NULL, RelationGetNumberOfBlocks(index)};
  PGAlignedBlock page;
  RondoBytes pairs;
  uint32 pages = 0;

  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  check.used = palloc0(check.blocks / 8 + 1);
  if (!RecoveryInProgress()) rondo_lock_changes(index, true);
  rondo_read_meta(index, directory);
  for (uint32 i = 0; i < directory->meta.segment_count; ++i) {
    MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "rondo check", ALLOCSET_DEFAULT_SIZES);
    MemoryContext before = MemoryContextSwitchTo(context);

    check_segment(&check, &directory->segments[i], i);
    MemoryContextSwitchTo(before);
    MemoryContextDelete(context);
    if (directory->segments[i].first_key + directory->segments[i].rows > directory->meta.next_key) {
      report(&check, "segment %u has keys that are not given yet", i);
    }
  }
  if (check_chain(&check, directory->meta.statistics, "the statistics", &pairs) &&
      !sound(rondo_statistics_check(pairs))) {
    report(&check, "the statistics are damaged: %s", rondo_error()->message);
  }
  for (BlockNumber block = directory->meta.first_pending; block != InvalidBlockNumber; ++pages) {
    if (!rondo_copy_page(index, block, RONDO_PAGE_PENDING, 0, page.data) ||
        RondoTail(page.data)->tag < directory->meta.first_epoch ||
        RondoTail(page.data)->tag > directory->meta.last_epoch) {
      report(&check, "block %u is not one of pending rows", block);
      break;
    }
    if (!use_block(&check, block, "pending rows")) break;
    if (!rondo_visit_rows(page.data, 0, check_row, &check)) report(&check, "rows of block %u are damaged", block);
    if (RondoTail(page.data)->next == InvalidBlockNumber && block != directory->meta.last_pending) {
      report(&check, "block %u is the last one of pending rows, but not the one that is listed", block);
    }
    block = RondoTail(page.data)->next;
  }
  if (pages != directory->meta.pending_pages) {
    report(&check, "there are %u pages of pending rows instead of %u", pages, directory->meta.pending_pages);
  }
  if (!RecoveryInProgress()) rondo_unlock_changes(index, true);
  relation_close(index, NoLock);
  return (Datum)0;
}
