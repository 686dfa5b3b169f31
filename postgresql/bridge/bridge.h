#pragma once

/* The border between PostgreSQL and Rondo: what the C of server/ calls and the C++ of bridge/ implements.
 *
 * C++ exceptions do not cross it: every function catches all. PostgreSQL's errors (longjmp) do not cross it either: no
 * function of bridge/ calls PostgreSQL, so no C++ frame is on the stack when C raises one. The only calls back are
 * rondo_interrupt_wanted, which reads flags, and rondo_end_connection, which does not return.
 *
 * Bytes that a function returns (RondoBytes) belong to the bridge and are valid until the next call; C copies them into
 * a memory context of PostgreSQL. What lives longer are objects with a function that frees them, which C registers with
 * a memory context, so that an aborted statement frees them. */

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

typedef struct RondoBytes {
  const char* data;
  size_t size;
} RondoBytes;

typedef enum RondoStatus {
  RONDO_OK = 0,
  RONDO_FAILED,        /* rondo_error says why */
  RONDO_INTERRUPTED,   /* rondo_interrupt_wanted said so; what was to be made is not there */
  RONDO_OUT_OF_MEMORY, /* rondo_memory_refused says why */
  RONDO_BUG            /* an exception; rondo_error has its text */
} RondoStatus;

/* Of the last call that did not succeed. Fixed arrays, so that running out of memory can be reported. */
typedef struct RondoError {
  char code[64];
  char message[2048];
  char place[512];
  char hint[1024];
} RondoError;
const RondoError* rondo_error(void);
/* What the last call guessed or left out of a text or file that it read, from 0 on; null: there are no more. */
const RondoError* rondo_warning(size_t number);

/* Defined in C: whether the statement at hand is to be cancelled. Called from C++, so it must not raise an error. */
bool rondo_interrupt_wanted(void);

/* Defined in C: ends this process in good order, with an error, and does not return. For what must never happen: that
 * an exception cannot be caught. */
void rondo_end_connection(void);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Bytes that the library has in use in this process, the most it has had, and the most it may have; -1: no limit. */
typedef struct RondoMemory {
  int64_t used;
  int64_t peak;
  int64_t limit;
} RondoMemory;
RondoMemory rondo_memory_use(void);
/* From now on; what is beyond the limit already stays. */
void rondo_memory_limit(int64_t bytes);

/* Why a call was RONDO_OUT_OF_MEMORY. */
typedef struct RondoRefusal {
  bool by_limit; /* false: the system has no more */
  int64_t used;  /* at that moment */
  uint64_t wanted;
  int64_t limit;
} RondoRefusal;
RondoRefusal rondo_memory_refused(void);
/* Frees what is kept only to save time. What a search or a scorer uses stays. */
void rondo_memory_release(void);

/* ---- melodies: `packed` is the packed form of melody/packed.h -------------------------------------------- */

/* Plaine & Easie with or without its header, or JSON. */
RondoStatus rondo_melody_in(RondoBytes text, RondoBytes* packed);
/* Plaine & Easie where reading that gives the same melody, else JSON. */
RondoStatus rondo_melody_out(RondoBytes packed, RondoBytes* text);
RondoStatus rondo_melody_check(RondoBytes packed);
/* Any format that is read; an empty name: recognised by content. `voice` counts from 1. */
RondoStatus rondo_melody_from(RondoBytes file, RondoBytes format, int voice, RondoBytes* packed);
/* Any format that is written. */
RondoStatus rondo_melody_to(RondoBytes packed, const char* format, RondoBytes* file);
/* The feature of that name (features/features.h), which must be a number. */
RondoStatus rondo_feature_number(RondoBytes packed, const char* name, double* value);
/* The feature of that name as text; all of them as JSON where `name` is null. */
RondoStatus rondo_feature_text(RondoBytes packed, const char* name, RondoBytes* text);

/* ---- scores ----------------------------------------------------------------------------------------------------- */

/* Settings are NAME=VALUE. `null` where the two cannot be compared. */
RondoStatus rondo_score(RondoBytes system, const RondoBytes* settings, size_t count, RondoBytes a, RondoBytes b,
                        double* score, bool* null);
RondoStatus rondo_explain(RondoBytes system, const RondoBytes* settings, size_t count, RondoBytes a, RondoBytes b,
                          RondoBytes* json);

/* ---- queries: a melody, a system with its settings, and whose statistics count ---------------------------------- */

/* `query` is text, read as a query is typed; or packed. */
RondoStatus rondo_query_make(RondoBytes query, bool is_packed, RondoBytes system, const RondoBytes* settings,
                             size_t count, uint32_t statistics, RondoBytes* out);
/* JSON as rondo_query_out writes it, or a melody as it is typed, for the default system. */
RondoStatus rondo_query_in(RondoBytes text, RondoBytes* out);
RondoStatus rondo_query_out(RondoBytes query, RondoBytes* text);
RondoStatus rondo_query_check(RondoBytes query);
/* The OID of the index whose statistics count, 0 for none; and whether the system's scores depend on statistics. */
RondoStatus rondo_query_statistics(RondoBytes query, uint32_t* statistics, bool* learns);
RondoStatus rondo_query_bind(RondoBytes query, uint32_t statistics, RondoBytes* out);
/* The melody that is looked for, packed. */
RondoStatus rondo_query_melody(RondoBytes query, RondoBytes* packed);

/* Statistics of indexes, kept in this process. A statistic is pairs of u64: window of three notes, occurrences. The
 * version is any number that other statistics of the same index do not have. */
bool rondo_statistics_known(uint32_t index, uint64_t version);
RondoStatus rondo_statistics_keep(uint32_t index, uint64_t version, RondoBytes pairs);
RondoStatus rondo_statistics_check(RondoBytes pairs);

/* One query against many melodies. The statistics that the query names must have been kept. */
typedef struct RondoScorer RondoScorer;
RondoStatus rondo_scorer_make(RondoBytes query, RondoScorer** out);
bool rondo_scorer_is_for(const RondoScorer* scorer, RondoBytes query);
/* Minus the score; null where the system does not rank the melody. */
RondoStatus rondo_scorer_distance(RondoScorer* scorer, RondoBytes packed, double* distance, bool* null);
/* What decides between equal distances, lower first: the system's own rule, then the difference of note counts. */
RondoStatus rondo_scorer_tie(RondoScorer* scorer, RondoBytes packed, double* rule, int32_t* notes);
void rondo_scorer_free(RondoScorer* scorer);

/* ---- making segments -------------------------------------------------------------------------------------------- */

/* What a segment consists of, each a string of bytes that the index stores. */
typedef enum RondoStream {
  RONDO_STREAM_MELODIES = 0, /* a segment of docs/index-format.md; empty where there are no melodies */
  RONDO_STREAM_TIDS,         /* u64 each, in the order of keys: those of melodies, then those of rows without notes */
  RONDO_STREAM_PARTIAL,      /* melodies of which the segment does not have every note: key u64, size u64, packed */
  RONDO_STREAM_REMOVED,      /* a bit for each row */
  RONDO_STREAMS
} RondoStream;

typedef struct RondoBuilder RondoBuilder;
RondoStatus rondo_builder_make(uint64_t first_key, RondoBuilder** out);
/* A row; no bytes: it is null. */
RondoStatus rondo_builder_add(RondoBuilder* builder, uint64_t tid, RondoBytes packed);
/* All rows of a segment that are not removed. */
RondoStatus rondo_builder_add_segment(RondoBuilder* builder, const RondoBytes streams[RONDO_STREAMS]);
/* Bytes that the rows will have taken when the segment is made; every builder takes up to RONDO_BUILDER_BYTES more. */
#define RONDO_BUILDER_BYTES (1 << 20)
size_t rondo_builder_memory(const RondoBuilder* builder);
uint64_t rondo_builder_rows(const RondoBuilder* builder);
/* Once, at the end. `melodies`: how many of the rows are melodies. The streams live as long as the builder. */
RondoStatus rondo_builder_finish(RondoBuilder* builder, RondoBytes streams[RONDO_STREAMS], uint64_t* melodies);
void rondo_builder_free(RondoBuilder* builder);

/* ---- an index as this process searches it ----------------------------------------------------------------------- */

typedef struct RondoSegmentId {
  uint8_t bytes[16];
} RondoSegmentId;

/* Up to where an index has been read. */
typedef struct RondoPosition {
  uint64_t generation;
  uint32_t block;  /* of the last page of pending rows that was read */
  uint32_t offset; /* up to where */
} RondoPosition;

typedef struct RondoCache RondoCache;
/* The cache of an index; made where there is none. `index` identifies its storage. The cache is there until the one of
 * another index is asked for. */
RondoStatus rondo_cache_get(const uint32_t index[3], RondoCache** out);
/* False: nothing has been read yet. */
bool rondo_cache_position(const RondoCache* cache, RondoPosition* out);
/* Begins to collect a state: everything that is added until rondo_cache_commit. */
RondoStatus rondo_cache_begin(RondoCache* cache);
/* A segment that this cache has in memory already, if it has. */
RondoStatus rondo_cache_keep(RondoCache* cache, RondoSegmentId id, uint64_t rows, RondoBytes removed, bool* kept);
/* A segment from the files that all processes share, if there is one and it is what it should be. */
RondoStatus rondo_cache_map(RondoCache* cache, const char* folder, RondoSegmentId id, uint64_t rows, RondoBytes removed,
                            bool* mapped);
/* A segment from its bytes. With a folder it is also written there for others, within `limit` bytes in all. */
RondoStatus rondo_cache_add(RondoCache* cache, const char* folder, uint64_t limit, RondoSegmentId id,
                            const RondoBytes streams[RONDO_STREAMS]);
/* A row that is not in a segment yet. */
RondoStatus rondo_cache_pending(RondoCache* cache, uint64_t tid, RondoBytes packed);
/* Begins to add pending rows to the state there is. */
RondoStatus rondo_cache_extend(RondoCache* cache);
/* Makes what was collected the state that is searched. */
RondoStatus rondo_cache_commit(RondoCache* cache, RondoPosition position);
/* Counts of windows of all melodies of the state, as a statistic. */
RondoStatus rondo_cache_statistics(RondoCache* cache, RondoBytes* pairs);

/* A ranked list that goes on as long as one asks. */
typedef struct RondoSearch RondoSearch;
typedef struct RondoHit {
  uint64_t tid;
  double distance;
  bool ranked; /* false: the distance is null */
  bool end;    /* there are no more */
} RondoHit;
/* Without a query (no bytes) all rows in no order. So many hits are searched for at first, more when they are used up.
 */
RondoStatus rondo_search_make(RondoCache* cache, RondoBytes query, uint32_t first_hits, RondoSearch** out);
RondoStatus rondo_search_next(RondoSearch* search, RondoHit* hit);
void rondo_search_free(RondoSearch* search);

/* What is wrong with the streams of a segment; no bytes: nothing. */
RondoStatus rondo_segment_fault(uint64_t first_key, const RondoBytes streams[RONDO_STREAMS], RondoBytes* fault);

#ifdef __cplusplus
}
#endif
