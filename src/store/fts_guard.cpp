#include "store/fts_guard.h"

#include <memory>
#include <new>

namespace rondo {
namespace {

/// Wraps SQLite's own tokenizer under the same name and counts the words of queries.
struct CountingFactory {
  fts5_tokenizer original{};
  void* original_context = nullptr;
  SqlClock* clock = nullptr;
};

struct CountingTokenizer {
  const CountingFactory* factory = nullptr;
  Fts5Tokenizer* original = nullptr;
};

using OnToken = int (*)(void*, int, const char*, int, int, int);

struct Forward {
  SqlClock* clock;
  bool prefix;
  void* context;
  OnToken on_token;
};

CountingTokenizer* counting(Fts5Tokenizer* opaque) { return reinterpret_cast<CountingTokenizer*>(opaque); }

int create(void* context, const char** arguments, int count, Fts5Tokenizer** out) {
  const auto* factory = static_cast<CountingFactory*>(context);
  std::unique_ptr<CountingTokenizer> made(new (std::nothrow) CountingTokenizer);  // SQLite called this
  if (made == nullptr) return SQLITE_NOMEM;
  made->factory = factory;
  const int code = factory->original.xCreate(factory->original_context, arguments, count, &made->original);
  if (code != SQLITE_OK) return code;
  *out = reinterpret_cast<Fts5Tokenizer*>(made.release());
  return SQLITE_OK;
}

void destroy(Fts5Tokenizer* opaque) {
  const std::unique_ptr<CountingTokenizer> owner(counting(opaque));
  owner->factory->original.xDelete(owner->original);
}

int forward(void* context, int flags, const char* text, int size, int begin, int end) {
  const auto& to = *static_cast<Forward*>(context);
  if (!to.clock->take_word(to.prefix)) return SQLITE_INTERRUPT;
  return to.on_token(to.context, flags, text, size, begin, end);
}

int tokenize(Fts5Tokenizer* opaque, void* context, int flags, const char* text, int size, OnToken on_token) {
  const CountingTokenizer& self = *counting(opaque);
  const fts5_tokenizer& original = self.factory->original;
  if ((flags & FTS5_TOKENIZE_QUERY) == 0) {
    return original.xTokenize(self.original, context, flags, text, size, on_token);
  }
  Forward to{self.factory->clock, (flags & FTS5_TOKENIZE_PREFIX) != 0, context, on_token};
  return original.xTokenize(self.original, &to, flags, text, size, forward);
}

Result<fts5_api*> api_of(Database& database) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(database.handle(), "SELECT fts5(?1)", -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  fts5_api* api = nullptr;
  if (code == SQLITE_OK) code = sqlite3_bind_pointer(raw, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
  if (code == SQLITE_OK) sqlite3_step(raw);
  if (api == nullptr) return fail("store-error", "this SQLite has no full text (FTS5)");
  return api;
}

}  // namespace

Result<void> limit_full_text_words(Database& database, SqlClock& clock) {
  constexpr const char* kTokenizer = "unicode61";  // the one of the schema
  auto api = api_of(database);
  if (!api) return fail(std::move(api.error()));
  auto factory = std::make_unique<CountingFactory>();
  factory->clock = &clock;
  int code = (*api)->xFindTokenizer(*api, kTokenizer, &factory->original_context, &factory->original);
  if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  fts5_tokenizer ours{create, destroy, tokenize};
  code = (*api)->xCreateTokenizer(*api, kTokenizer, factory.release(), &ours,
                                  [](void* kept) { delete static_cast<CountingFactory*>(kept); });  // NOLINT
  if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  return {};
}

}  // namespace rondo
