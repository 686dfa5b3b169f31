#pragma once

/* PostgreSQL's side of the extension. Plain C: nothing here has a destructor that an error could jump over.
 * postgres.h, which must come before all other headers, is included by the compiler (CMakeLists.txt). */

#include "bridge/bridge.h"
#include "fmgr.h"
#include "utils/memutils.h"

/* Raises an error unless the call succeeded. `sqlstate` is that of bad input; other kinds of failure have their own. */
extern void rondo_expect(RondoStatus status, int sqlstate);
/* The same for a call that reads a text or a file; what it guessed or left out becomes warnings. */
extern void rondo_expect_read(RondoStatus status, int sqlstate);

/* The content of a varlena that has been detoasted; and a new one with a copy of bytes of the bridge. */
extern RondoBytes rondo_content(const struct varlena* value);
extern struct varlena* rondo_value(RondoBytes bytes);
extern char* rondo_cstring(RondoBytes bytes);
/* A text as UTF-8, which is what the library reads and writes, whatever the encoding of the database. */
extern RondoBytes rondo_utf8(RondoBytes text);
extern RondoBytes rondo_from_utf8(RondoBytes text);

/* The elements of a text[] without nulls, as UTF-8. */
extern RondoBytes* rondo_texts(Datum array, size_t* count);

/* What the two types have in common: input and output as text, receiving and sending as binary. */
typedef RondoStatus (*RondoConvert)(RondoBytes in, RondoBytes* out);
typedef RondoStatus (*RondoCheck)(RondoBytes value);
extern Datum rondo_type_in(FunctionCallInfo fcinfo, RondoConvert read);
extern Datum rondo_type_out(FunctionCallInfo fcinfo, RondoConvert show);
extern Datum rondo_type_recv(FunctionCallInfo fcinfo, RondoCheck check);
extern Datum rondo_type_send(FunctionCallInfo fcinfo);

/* Reads the statistics of an index unless this process has its present ones. */
extern void rondo_need_statistics(Oid index);
/* Raises an error unless the user may read what the index is made of. */
extern void rondo_need_right_to_read(Oid index);
/* The statistics that a query names. Its user must have the right to read them, unless `collation` is the mark of a
 * query that the planner gave the statistics of the table itself. */
extern void rondo_need_query_statistics(RondoBytes query, Oid collation);

/* Settings of the server (rondo.*). */
extern int rondo_cache_megabytes;
extern int rondo_pending_kilobytes;
extern int rondo_first_hits;
