#include "store/postgresql/libpq.h"

#ifdef RONDO_LIBPQ
#include <dlfcn.h>

namespace rondo::postgresql {
namespace {

Result<Libpq> load() {
  void* library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);  // never closed: connections may outlive any scope
  if (library == nullptr) {
    return fail("store-libpq", "PostgreSQL's client library cannot be loaded", {}, "install it: apt install libpq5");
  }
  Libpq functions;
  bool complete = true;
#define RONDO_FIND(name)                                                       \
  functions.name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name)); \
  complete = complete && functions.name != nullptr;
  RONDO_LIBPQ_FUNCTIONS(RONDO_FIND)
#undef RONDO_FIND
  if (!complete) {
    return fail("store-libpq", "PostgreSQL's client library is too old", {},
                "install libpq5 of PostgreSQL 15 or newer");
  }
  return functions;
}

}  // namespace

Result<const Libpq*> libpq() {
  static const Result<Libpq> loaded = load();
  if (!loaded) return fail(loaded.error());
  return &*loaded;
}

}  // namespace rondo::postgresql
#endif
