#include "server/workers.h"

#include "server/session.h"

namespace rondo::server {

Result<std::unique_ptr<Workers>> Workers::start(App& app, unsigned threads, std::size_t waiting) {
  std::unique_ptr<Workers> workers(new Workers(waiting));
  for (unsigned i = 0; i < threads; ++i) {
    auto session = app.session();
    if (!session) return fail(std::move(session.error()));
    workers->sessions_.push_back(std::move(*session));
  }
  for (const auto& session : workers->sessions_) {
    workers->threads_.emplace_back([pool = workers.get(), session] { pool->work(*session); });
  }
  return workers;
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  threads_.clear();  // joins
}

bool Workers::submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || jobs_.size() >= waiting_) return false;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void Workers::go_on(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Workers::work(Session& session) {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (ending_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job(session);
  }
}

}  // namespace rondo::server
