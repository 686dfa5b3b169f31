#include "server/workers.h"

#include <sys/resource.h>
#include <unistd.h>

#include "server/session.h"

namespace rondo::server {
namespace {

constexpr unsigned kCheapThreads = 2;

/// Slow searches yield to quick ones, and all of them to cheap requests: where all cores are busy with searches, a page
/// still comes at once.
void lower_priority(bool slow) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), slow ? 8 : 5);  // of this thread; a refusal does no harm
}

}  // namespace

Workers::Workers(unsigned threads, const Limits& limits)
    : cheap_({kCheapThreads, limits.queue_seconds, limits.connections}),
      expensive_(threads, limits.queue_seconds, limits.waiting) {}

Result<std::unique_ptr<Workers>> Workers::start(App& app, unsigned threads, const Limits& limits) {
  std::unique_ptr<Workers> workers(new Workers(threads, limits));
  const unsigned expensive = threads + 1;  // one of them for quick searches only
  for (unsigned i = 0; i < expensive + kCheapThreads; ++i) {
    auto session = app.session();
    if (!session) return fail(std::move(session.error()));
    workers->sessions_.push_back(std::move(*session));
  }
  for (unsigned i = 0; i < expensive + kCheapThreads; ++i) {
    workers->threads_.emplace_back([pool = workers.get(), session = workers->sessions_[i], i, expensive] {
      if (i >= expensive) return pool->work_cheap(*session);
      lower_priority(i + 1 < expensive);
      pool->work_expensive(i, *session);
    });
  }
  return workers;
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cheap_.clear();
    expensive_.clear();
  }
  cheap_changed_.notify_all();
  expensive_changed_.notify_all();
  threads_.clear();  // joins
}

int Workers::submit(bool expensive, Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return 1;
    job.seconds = times_.expected(job.kind);
    const int seconds =
        expensive ? expensive_.refusal(job.address, job.seconds) : cheap_.refusal(job.address, job.patient);
    if (seconds != 0) return seconds;
    expensive ? expensive_.add(std::move(job)) : cheap_.add(std::move(job));
  }
  wake(expensive);
  return 0;
}

void Workers::go_on(bool expensive, Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    job.seconds = times_.expected(job.kind);
    expensive ? expensive_.add(std::move(job)) : cheap_.add(std::move(job));
  }
  wake(expensive);
}

void Workers::wake(bool expensive) {
  if (!expensive) return cheap_changed_.notify_one();
  expensive_changed_.notify_all();  // not every worker takes every search
}

void Workers::work_cheap(Session& session) {
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      cheap_changed_.wait(lock, [&] { return ending_ || cheap_.size() > 0; });
      if (ending_) return;
      job = cheap_.next();
    }
    if (job) run(*job, session);
  }
}

void Workers::work_expensive(unsigned worker, Session& session) {
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      expensive_changed_.wait(lock, [&] { return ending_ || expensive_.has_job_for(worker); });
      if (ending_) return;
      job = expensive_.next(worker);
    }
    if (job) run(*job, session);
  }
}

void Workers::run(Job& job, Session& session) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const bool late = start > job.deadline;
  if (job.drop && (late || job.cancel.stop_requested())) return job.drop(late);
  job.run(session);
  if (job.cancel.stop_requested()) return;  // not what such a job takes
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  times_.learn(job.kind, seconds);
}

}  // namespace rondo::server
