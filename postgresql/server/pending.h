#pragma once

/* Rows that were inserted one by one, page by page. */

#include "index.h"

/* Calls for each row of a page that is not removed, from `offset` of its content on; `row` is in the page. */
typedef void (*RondoRowVisit)(const RondoPendingRow* row, RondoBytes melody, void* context);

/* False: the content is not one of rows. Long melodies come as the bytes of a RondoChain. */
extern bool rondo_visit_rows(const char* page, Size offset, RondoRowVisit visit, void* context);

/* Visits all pages from a block on, as copies. False: they have been freed meanwhile. `position` gets the last block
 * and how much content it had; it is left as it is where there are no pages. */
extern bool rondo_visit_pending(Relation index, BlockNumber first, Size offset, uint64 first_epoch, uint64 last_epoch,
                                RondoRowVisit visit, void* context, RondoPosition* position);

/* The melody of a row, read from its chain if it is a long one; false: that has been freed. */
extern bool rondo_row_melody(Relation index, const RondoPendingRow* row, RondoBytes content, RondoBytes* melody);

/* Appends a row. */
extern void rondo_append_row(Relation index, uint64 tid, RondoBytes melody);

/* Begins a new epoch, so that the rows of those before it stay as they are; false: there are no rows. */
typedef struct RondoSeal {
  uint64 epoch;           /* the last one before it */
  uint32 pages;           /* of it and those before */
  BlockNumber next_first; /* the first page of the new epoch */
} RondoSeal;
extern bool rondo_seal_pending(Relation index, RondoSeal* seal);
