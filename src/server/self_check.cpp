#include "server/self_check.h"

#include <fmt/format.h>

#include "server/session.h"

namespace rondo::server {
namespace {

/// The error, unless the search only took too long.
Result<void> try_search(Session& session) {
  constexpr std::chrono::milliseconds kLongest(500);
  SearchRequest request;
  request.query = sample_melody();
  request.k = 3;
  request.wait = false;
  request.time_limit = kLongest;
  auto answer = session.snapshot->collection_snapshot().search(session.collection, request);
  if (!answer) return answer.error().code == "search-preparing" ? Result<void>() : fail(std::move(answer.error()));
  std::optional<Error> first;
  for (const Found& hit : answer->result.hits) {
    auto piece = session.collection.get(hit.piece);
    if (piece) return {};  // others may be damaged each for itself
    if (!first) first = std::move(piece.error());
  }
  return first ? fail(std::move(*first)) : Result<void>();
}

}  // namespace

Result<void> SelfCheck::run(Session& session, Clock::time_point now) {
  std::unique_lock lock(mutex_);
  if (!checking_ && (!last_ || now - *last_ >= kInterval)) {
    last_ = now;
    checking_ = true;
    lock.unlock();
    auto done = try_search(session);
    lock.lock();
    checking_ = false;
    const bool failed_before = error_.has_value();
    error_ = done ? std::nullopt : std::optional<Error>(std::move(done.error()));
    App& app = session.app;
    if (error_) app.reload();
    if (error_.has_value() != failed_before && app.options().notice) {
      app.options().notice(error_ ? fmt::format("searches fail: {}", error_->message) : "searches work again");
    }
  }
  return error_ ? fail(*error_) : Result<void>();
}

}  // namespace rondo::server
