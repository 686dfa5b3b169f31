#include "store/postgresql/connection.h"

#include <algorithm>

#include "store/postgresql/libpq.h"

namespace rondo::postgresql {

std::string shown_address(std::string_view url) {
  std::string out(url);
  const std::size_t begin = out.find("://");
  if (begin == std::string::npos) return out;
  const std::size_t end = std::min(out.find('/', begin + 3), out.size());
  const std::size_t at = out.rfind('@', end);
  const std::size_t colon = out.find(':', begin + 3);
  if (at != std::string::npos && at > begin && colon < at) out.erase(colon, at - colon);
  for (std::size_t word = out.find("password="); word != std::string::npos; word = out.find("password=", word + 1)) {
    const std::size_t value = word + std::string_view("password=").size();
    out.replace(value, std::min(out.find('&', value), out.size()) - value, "...");
  }
  return out;
}

#ifdef RONDO_LIBPQ
namespace {

struct Meaning {
  std::string_view state;  ///< a prefix of the SQLSTATE
  const char* code;
  const char* hint;
};

// PostgreSQL's manual, appendix A.
constexpr Meaning kMeanings[] = {
    {"08", "store-unreachable", "check the address and whether the server is running"},
    {"57P", "store-unreachable", "the server is starting, stopping or was stopped; try again"},
    {"28", "store-denied", "check user and password"},
    {"42501", "store-denied", "ask the owner of the database for the privilege"},
    {"3D000", "store-missing", "create the database first: createdb NAME"},
    {"55P03", "store-busy", "another program is writing; wait until it has finished"},
    {"25006", "store-read-only", "the server is a replica, or the role may only read; name the primary"},
    {"53100", "disk-full", "free some space on the server"},
};

Error error_for(std::string_view state, std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  Error error{"store-error", "the PostgreSQL server gave an error: " + message, {}, ""};
  const auto* found = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                   [&](const Meaning& one) { return state.starts_with(one.state); });
  if (found != std::end(kMeanings)) {
    error.code = found->code;
    error.hint = found->hint;
  } else if (!state.empty()) {
    error.message += " [" + std::string(state) + "]";
  }
  return error;
}

struct Clear {
  const Libpq* pq;
  void operator()(PGresult* result) const { pq->PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, Clear>;

}  // namespace

struct Connection::State {
  State(const Libpq* functions, PGconn* opened) : pq(functions), handle(opened) {}
  ~State() { pq->PQfinish(handle); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] Answer own(PGresult* result) const { return {result, Clear{pq}}; }

  [[nodiscard]] Failure failure(const PGresult* result) const {
    const char* state = result == nullptr ? nullptr : pq->PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* words = result == nullptr ? nullptr : pq->PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    // Without an answer the connection is gone.
    if (pq->PQstatus(handle) != CONNECTION_OK && state == nullptr) state = "08006";
    return fail(error_for(state == nullptr ? "" : state, words == nullptr ? pq->PQerrorMessage(handle) : words));
  }

  /// What is left of a command is read, so that the connection is ready for the next.
  void drain() const {
    while (const Answer rest = own(pq->PQgetResult(handle))) {
      if (pq->PQresultStatus(rest.get()) == PGRES_COPY_OUT) {
        char* data = nullptr;
        while (pq->PQgetCopyData(handle, &data, 0) > 0) pq->PQfreemem(data);
      }
      if (pq->PQstatus(handle) != CONNECTION_OK) return;
    }
  }

  const Libpq* pq;
  PGconn* handle;
};

Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

Result<Connection> Connection::open(const std::string& url) {
  auto pq = libpq();
  if (!pq) return fail(std::move(pq.error()));
  // What comes before the address can be changed by it. A server that does not answer must not be waited for for ever.
  const char* const names[] = {"connect_timeout", "tcp_user_timeout",          "dbname",
                               "client_encoding", "fallback_application_name", nullptr};
  const char* const values[] = {"10", "60000", url.c_str(), "UTF8", "rondo", nullptr};
  auto state = std::make_unique<State>(*pq, (*pq)->PQconnectdbParams(names, values, 1));
  if (state->handle == nullptr) return fail("out-of-memory", "there is not enough memory");
  if ((*pq)->PQstatus(state->handle) != CONNECTION_OK) {
    const std::string why = (*pq)->PQerrorMessage(state->handle);
    // Before a connection exists, libpq has no SQLSTATE to give.
    const auto says = [&](std::string_view words) { return why.find(words) != std::string::npos; };
    const bool missing = says("database \"") && says("does not exist");
    const bool denied = says("password authentication failed") || says("no password supplied") || says("pg_hba.conf") ||
                        says("role \"") || says("permission denied for database");
    Error error = error_for(missing ? "3D000" : denied ? "28000" : "08001", why);
    error.message = "the PostgreSQL server cannot be used: " +
                    error.message.substr(std::string_view("the PostgreSQL server gave an error: ").size());
    return fail(std::move(error));
  }
  Connection connection(std::move(state));
  // Notices belong to nobody here.
  auto quiet = connection.execute("SET client_min_messages = warning");
  if (!quiet) return fail(std::move(quiet.error()));
  return connection;
}

Result<void> Connection::execute(const std::string& sql) {
  const Answer answer = state_->own(state_->pq->PQexec(state_->handle, sql.c_str()));
  const ExecStatusType status = state_->pq->PQresultStatus(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return state_->failure(answer.get());
  return {};
}

Result<std::vector<Connection::Row>> Connection::rows(const std::string& sql,
                                                      const std::vector<std::string>& parameters) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
  const Libpq& pq = *state_->pq;
  const Answer answer = state_->own(pq.PQexecParams(state_->handle, sql.c_str(), static_cast<int>(values.size()),
                                                    nullptr, values.data(), nullptr, nullptr, 0));
  const ExecStatusType status = pq.PQresultStatus(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return state_->failure(answer.get());
  std::vector<Row> out(static_cast<std::size_t>(pq.PQntuples(answer.get())));
  for (std::size_t r = 0; r < out.size(); ++r) {
    const int row = static_cast<int>(r);
    for (int column = 0; column < pq.PQnfields(answer.get()); ++column) {
      if (pq.PQgetisnull(answer.get(), row, column) != 0) {
        out[r].emplace_back();
      } else {
        out[r].emplace_back(std::string(pq.PQgetvalue(answer.get(), row, column),
                                        static_cast<std::size_t>(pq.PQgetlength(answer.get(), row, column))));
      }
    }
  }
  return out;
}

Result<void> Connection::copy_in(const std::string& sql, const std::function<Result<bool>(CopyWriter&)>& fill) {
  const Libpq& pq = *state_->pq;
  {
    const Answer begun = state_->own(pq.PQexec(state_->handle, sql.c_str()));
    if (pq.PQresultStatus(begun.get()) != PGRES_COPY_IN) return state_->failure(begun.get());
  }
  CopyWriter writer;
  std::optional<Error> local;
  for (bool more = true; more && !local;) {
    auto filled = fill(writer);
    if (!filled) {
      local = std::move(filled.error());
      break;
    }
    more = *filled;
    if (!more) writer.end();
    constexpr std::size_t kMessage = std::size_t{64} << 10U;
    if (more && writer.buffer().size() < kMessage) continue;
    if (pq.PQputCopyData(state_->handle, writer.buffer().data(), static_cast<int>(writer.buffer().size())) != 1) break;
    writer.clear();
  }
  if (pq.PQputCopyEnd(state_->handle, local ? "given up by the client" : nullptr) != 1) return state_->failure(nullptr);
  const Answer ended = state_->own(pq.PQgetResult(state_->handle));
  const bool good = pq.PQresultStatus(ended.get()) == PGRES_COMMAND_OK;
  auto failure = good ? fail("", "") : state_->failure(ended.get());
  state_->drain();
  if (local) return fail(std::move(*local));
  if (!good) return failure;
  return {};
}

Result<void> Connection::copy_out(const std::string& sql, std::size_t columns,
                                  const std::function<Result<void>(const std::vector<CopyField>&)>& visit) {
  const Libpq& pq = *state_->pq;
  {
    const Answer begun = state_->own(pq.PQexec(state_->handle, sql.c_str()));
    if (pq.PQresultStatus(begun.get()) != PGRES_COPY_OUT) return state_->failure(begun.get());
  }
  CopyReader reader(columns);
  Result<void> done;
  for (;;) {
    char* data = nullptr;
    const int size = pq.PQgetCopyData(state_->handle, &data, 0);
    if (size < 0) break;
    if (done) reader.add({data, static_cast<std::size_t>(size)});
    pq.PQfreemem(data);
    while (done) {
      auto row = reader.next();
      if (!row) {
        done = fail(std::move(row.error()));
      } else if (*row == nullptr) {
        break;
      } else {
        done = visit(**row);
      }
    }
  }
  const Answer ended = state_->own(pq.PQgetResult(state_->handle));
  const bool good = pq.PQresultStatus(ended.get()) == PGRES_COMMAND_OK;
  auto failure =
      good ? fail("store-protocol", "the server ended its response too early") : state_->failure(ended.get());
  state_->drain();
  if (!done) return done;
  if (!good || !reader.ended()) return failure;
  return {};
}

bool Connection::lost() const { return state_->pq->PQstatus(state_->handle) != CONNECTION_OK; }

#else

struct Connection::State {};
Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

namespace {
Failure unsupported() {
  return fail("store-libpq", "this Rondo was built without PostgreSQL's client library", {},
              "build it with libpq-dev installed");
}
}  // namespace

Result<Connection> Connection::open(const std::string& /*url*/) { return unsupported(); }
Result<void> Connection::execute(const std::string& /*sql*/) { return unsupported(); }
Result<std::vector<Connection::Row>> Connection::rows(const std::string& /*sql*/,
                                                      const std::vector<std::string>& /*parameters*/) {
  return unsupported();
}
Result<void> Connection::copy_in(const std::string& /*sql*/, const std::function<Result<bool>(CopyWriter&)>& /*fill*/) {
  return unsupported();
}
Result<void> Connection::copy_out(const std::string& /*sql*/, std::size_t /*columns*/,
                                  const std::function<Result<void>(const std::vector<CopyField>&)>& /*visit*/) {
  return unsupported();
}
bool Connection::lost() const { return true; }
#endif

}  // namespace rondo::postgresql
