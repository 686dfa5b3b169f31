#include "catalog/pg_type.h"
#include "index.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "rondo.h"
#include "storage/proc.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

int rondo_cache_megabytes = 1024;
int rondo_pending_kilobytes = 4096;
int rondo_first_hits = 16;
static int memory_kilobytes = 1048576;

void _PG_init(void);

static void assign_memory_limit(int kilobytes, void* extra) {
  (void)extra;
  rondo_memory_limit(kilobytes < 0 ? -1 : (int64_t)kilobytes * 1024);
}

void _PG_init(void) {
  DefineCustomIntVariable("rondo.cache_size",
                          "Size limit of the segments that all processes of the server share in mapped files.",
                          "A segment that does not fit is copied into the memory of each process that searches it.",
                          &rondo_cache_megabytes, 1024, 0, INT_MAX / 2, PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
  DefineCustomIntVariable("rondo.pending_limit",
                          "Size of the rows that were inserted one by one at which they are made a segment.", NULL,
                          &rondo_pending_kilobytes, 4096, 64, INT_MAX / 2, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
  DefineCustomIntVariable("rondo.first_hits", "How many hits an index scan searches for at first.",
                          "When a statement reads more of them, it searches again for eight times as many.",
                          &rondo_first_hits, 16, 1, 1000000, PGC_USERSET, 0, NULL, NULL, NULL);
  DefineCustomIntVariable("rondo.memory_limit",
                          "Limits the memory that melodies and indexes take in each process; -1 means no limit.",
                          "Segments in files that all processes share do not count.", &memory_kilobytes, 1048576, -1,
                          MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, assign_memory_limit, NULL);
  MarkGUCPrefixReserved("rondo");
  rondo_define_options();
}

/* Called from C++: reads flags and raises nothing. True only if CHECK_FOR_INTERRUPTS will raise an error. */
bool rondo_interrupt_wanted(void) {
  if (InterruptHoldoffCount != 0 || CritSectionCount != 0) return false;
  return ProcDiePending || (QueryCancelPending && QueryCancelHoldoffCount == 0);
}

/* What is kept to save time is given up, so that the next statement has all the memory there is. */
static void out_of_memory(void) {
  RondoRefusal refusal = rondo_memory_refused();

  rondo_memory_release();
  if (!refusal.by_limit) {
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
                    errdetail("Failed while melodies were compared or read.")));
  }
  ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("the memory limit of rondo is exceeded"),
                  errdetail("This process had " INT64_FORMAT " kB in use and needed " UINT64_FORMAT
                            " kB more; rondo.memory_limit is " INT64_FORMAT " kB.",
                            refusal.used / 1024, (refusal.wanted + 1023) / 1024, refusal.limit / 1024),
                  errhint("Raise rondo.memory_limit; or rondo.cache_size, if an index does not fit into it.")));
}

void rondo_end_connection(void) {
  ereport(FATAL, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("internal error of rondo: an exception cannot be caught"),
                  errdetail("The connection is closed; the server continues.")));
  pg_unreachable();
}

void rondo_expect(RondoStatus status, int sqlstate) {
  const RondoError* error = rondo_error();

  switch (status) {
    case RONDO_OK: return;
    case RONDO_INTERRUPTED:
      CHECK_FOR_INTERRUPTS();
      ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED), errmsg("canceling statement due to user request")));
      break;
    case RONDO_OUT_OF_MEMORY: out_of_memory(); break;
    case RONDO_BUG:
      ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("internal error of rondo: %s", error->message)));
      break;
    case RONDO_FAILED: {
      bool damaged = strncmp(error->code, "index-", 6) == 0;
      char* message = rondo_cstring(rondo_from_utf8((RondoBytes){error->message, strlen(error->message)}));
      char* hint = rondo_cstring(rondo_from_utf8((RondoBytes){error->hint, strlen(error->hint)}));
      char* place = rondo_cstring(rondo_from_utf8((RondoBytes){error->place, strlen(error->place)}));

      ereport(ERROR, (errcode(damaged ? ERRCODE_INDEX_CORRUPTED : sqlstate), errmsg("%s", message),
                      place[0] != '\0' ? errdetail("%s [%s]", place, error->code) : errdetail("[%s]", error->code),
                      hint[0] != '\0' ? errhint("%s", hint) : 0));
      break;
    }
  }
}

void rondo_expect_read(RondoStatus status, int sqlstate) {
  const RondoError* warning;

  rondo_expect(status, sqlstate);
  for (size_t i = 0; (warning = rondo_warning(i)) != NULL; ++i) {
    char* message = rondo_cstring(rondo_from_utf8((RondoBytes){warning->message, strlen(warning->message)}));
    char* hint = rondo_cstring(rondo_from_utf8((RondoBytes){warning->hint, strlen(warning->hint)}));
    char* place = rondo_cstring(rondo_from_utf8((RondoBytes){warning->place, strlen(warning->place)}));

    ereport(WARNING, (errmsg("%s", message),
                      place[0] != '\0' ? errdetail("%s [%s]", place, warning->code) : errdetail("[%s]", warning->code),
                      hint[0] != '\0' ? errhint("%s", hint) : 0));
  }
}

RondoBytes rondo_content(const struct varlena* value) {
  return (RondoBytes){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}

struct varlena* rondo_value(RondoBytes bytes) {
  struct varlena* value;

  if (bytes.size > MaxAllocSize - VARHDRSZ) {
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("the result is too large")));
  }
  value = palloc(bytes.size + VARHDRSZ);
  SET_VARSIZE(value, bytes.size + VARHDRSZ);
  if (bytes.size > 0) memcpy(VARDATA(value), bytes.data, bytes.size);
  return value;
}

char* rondo_cstring(RondoBytes bytes) { return pnstrdup(bytes.size > 0 ? bytes.data : "", bytes.size); }

RondoBytes rondo_utf8(RondoBytes text) {
  char* converted;

  if (GetDatabaseEncoding() == PG_UTF8 || text.size == 0) return text;
  converted = pg_server_to_any(text.data, (int)text.size, PG_UTF8);
  return converted == text.data ? text : (RondoBytes){converted, strlen(converted)};
}

RondoBytes rondo_from_utf8(RondoBytes text) {
  char* converted;

  if (GetDatabaseEncoding() == PG_UTF8 || text.size == 0) return text;
  converted = pg_any_to_server(text.data, (int)text.size, PG_UTF8);
  return converted == text.data ? text : (RondoBytes){converted, strlen(converted)};
}

RondoBytes* rondo_texts(Datum array, size_t* count) {
  ArrayType* texts = DatumGetArrayTypeP(array);
  Datum* values;
  bool* nulls;
  int number;
  RondoBytes* out;

  deconstruct_array(texts, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &number);
  out = palloc0(sizeof(RondoBytes) * Max(number, 1));
  *count = 0;
  for (int i = 0; i < number; ++i) {
    if (!nulls[i]) out[(*count)++] = rondo_utf8(rondo_content((struct varlena*)PG_DETOAST_DATUM(values[i])));
  }
  return out;
}
