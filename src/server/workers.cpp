#include "server/workers.h"

#include <sys/resource.h>
#include <unistd.h>

#include "server/session.h"

namespace rondo::server {
namespace {

constexpr unsigned kCheapThreads = 2;

/// Searches yield to cheap requests: where all cores are busy with them, a page still comes at once.
void yield_to_others() {
  constexpr int kNice = 5;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);  // of this thread; a refusal does no harm
}

}  // namespace

Workers::Workers(unsigned threads, const Limits& limits)
    : cheap_({kCheapThreads, limits.queue_seconds, limits.connections}),
      expensive_({threads, limits.queue_seconds, limits.waiting}) {}

Result<std::unique_ptr<Workers>> Workers::start(App& app, unsigned threads, const Limits& limits) {
  std::unique_ptr<Workers> workers(new Workers(threads, limits));
  for (unsigned i = 0; i < threads + kCheapThreads; ++i) {
    auto session = app.session();
    if (!session) return fail(std::move(session.error()));
    workers->sessions_.push_back(std::move(*session));
  }
  for (unsigned i = 0; i < threads + kCheapThreads; ++i) {
    const bool expensive = i < threads;
    workers->threads_.emplace_back([pool = workers.get(), session = workers->sessions_[i], expensive] {
      if (expensive) yield_to_others();
      pool->work(expensive ? pool->expensive_ : pool->cheap_, *session);
    });
  }
  return workers;
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cheap_.queue.clear();
    expensive_.queue.clear();
  }
  cheap_.changed.notify_all();
  expensive_.changed.notify_all();
  threads_.clear();  // joins
}

int Workers::submit(bool expensive, Job job) {
  Lane& lane = expensive ? expensive_ : cheap_;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return 1;
    if (const int seconds = lane.queue.refusal(job.address); seconds != 0) return seconds;
    lane.queue.add(std::move(job));
  }
  lane.changed.notify_one();
  return 0;
}

void Workers::go_on(bool expensive, Job job) {
  Lane& lane = expensive ? expensive_ : cheap_;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    lane.queue.add(std::move(job));
  }
  lane.changed.notify_one();
}

void Workers::work(Lane& lane, Session& session) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      lane.changed.wait(lock, [&] { return ending_ || lane.queue.size() > 0; });
      if (ending_) return;
      job = lane.queue.next();
    }
    if (!job) continue;
    const auto start = Clock::now();
    const bool late = start > job->deadline;
    if (job->drop && (late || job->cancel.stop_requested())) {
      job->drop(late);
      continue;
    }
    job->run(session);
    if (job->cancel.stop_requested()) continue;  // not what such a job takes
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::lock_guard lock(mutex_);
    lane.queue.learn(job->kind, seconds);
  }
}

}  // namespace rondo::server
