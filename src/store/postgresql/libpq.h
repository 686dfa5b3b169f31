#pragma once

#include "rondo/base/result.h"

// Built without the headers of PostgreSQL's client library (libpq-dev), Rondo knows files only, and says so.
#if __has_include(<postgresql/libpq-fe.h>)
#define RONDO_LIBPQ
#include <postgresql/libpq-fe.h>

namespace rondo::postgresql {

/// The functions of PostgreSQL's client library that are used here. The library is loaded when the first collection on
/// a server is opened, so neither the program nor whoever links Rondo depends on it.
struct Libpq {
#define RONDO_LIBPQ_FUNCTIONS(use)                                                                                  \
  use(PQconnectdbParams) use(PQstatus) use(PQfinish) use(PQerrorMessage) use(PQexec) use(PQexecParams) use(PQclear) \
      use(PQresultStatus) use(PQresultErrorField) use(PQntuples) use(PQnfields) use(PQgetvalue) use(PQgetlength)    \
          use(PQgetisnull) use(PQputCopyData) use(PQputCopyEnd) use(PQgetResult) use(PQgetCopyData) use(PQfreemem)  \
              use(PQconninfoParse) use(PQconninfoFree)
#define RONDO_DECLARE(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses): a declaration
  RONDO_LIBPQ_FUNCTIONS(RONDO_DECLARE)
#undef RONDO_DECLARE
};

/// The error `store-libpq` where the library is not installed.
[[nodiscard]] Result<const Libpq*> libpq();

}  // namespace rondo::postgresql
#endif
