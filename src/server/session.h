#pragma once

#include <memory>
#include <optional>

#include "rondo/server/app.h"
#include "rondo/store/collection.h"
#include "rondo/study/studies.h"
#include "server/library.h"

namespace rondo::server {

/// What a thread has of its own while it answers.
struct Session {
  App& app;
  Collection collection;
  std::shared_ptr<Edition> edition;  ///< of the request at hand
  FileIdentity file{};               ///< of the collection as it was opened
  std::int64_t data_version = -1;    ///< what SQLite said last
  std::optional<study::Studies> opened_studies{};

  /// A search must be done by then.
  [[nodiscard]] Clock::time_point deadline() const { return Clock::now() + app.options().search_time; }
  [[nodiscard]] std::stop_token stop() const { return app.stop_.get_token(); }
  /// The studies of the collection, opened when they are first asked for. Error `studies-missing`.
  [[nodiscard]] Result<study::Studies*> studies();
  /// Takes the edition in service for the next request. Notices when the collection has changed or was replaced.
  void renew();
};

}  // namespace rondo::server
