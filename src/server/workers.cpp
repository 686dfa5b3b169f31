#include "server/workers.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace rondo::server {
namespace {

constexpr unsigned kCheapThreads = 2;
constexpr unsigned kWaitingThreads = 4;
constexpr unsigned kCheckingThreads = 1;
constexpr double kSecondsOfCheck = 0.1;
constexpr double kLongestCheck = 2;  ///< seconds that a token may be expected to wait for its check

/// Slow searches have lower priority than quick ones, and all of them than cheap requests, so that pages are served at
/// once even if all cores are busy with searches.
void lower_priority(bool slow) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), slow ? 8 : 5);  // of this thread; failure is harmless
}

}  // namespace

Workers::Workers(unsigned threads, const Limits& limits)
    : cheap_({kCheapThreads, limits.queue_seconds, limits.connections}),
      expensive_(threads, limits.queue_seconds, limits.waiting),
      waiting_({kWaitingThreads, limits.queue_seconds, limits.waiting}),
      checking_({kCheckingThreads, kLongestCheck, limits.waiting}) {}

Result<std::unique_ptr<Workers>> Workers::start(App& app, unsigned threads, const Limits& limits) {
  std::unique_ptr<Workers> workers(new Workers(threads, limits));
  const unsigned expensive = threads + 1;  // one of them for quick searches only
  for (unsigned i = 0; i < expensive; ++i) workers->searchers_.emplace_back();
  constexpr unsigned kOthers = kCheapThreads + kWaitingThreads + kCheckingThreads;
  for (unsigned i = 0; i < expensive + kOthers; ++i) {
    auto session = app.session();
    if (!session) return fail(std::move(session.error()));
    workers->sessions_.push_back(std::move(*session));
  }
  for (unsigned i = 0; i < expensive + kOthers; ++i) {
    workers->sessions_[i]->may_wait = i >= expensive;
    workers->sessions_[i]->may_check = i >= expensive + kOthers - kCheckingThreads;
    workers->threads_.emplace_back([pool = workers.get(), session = workers->sessions_[i], i, expensive] {
      if (i >= expensive && i < expensive + kCheapThreads) {
        return pool->work_through(pool->cheap_, pool->cheap_changed_, *session);
      }
      lower_priority(i + 1 != expensive);
      if (i < expensive) return pool->work_expensive(i, *session);
      if (session->may_check) return pool->work_through(pool->checking_, pool->checking_changed_, *session);
      pool->work_through(pool->waiting_, pool->waiting_changed_, *session);
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
    waiting_.clear();
    checking_.clear();
  }
  cheap_changed_.notify_all();
  waiting_changed_.notify_all();
  checking_changed_.notify_all();
  for (Searcher& searcher : searchers_) searcher.called.notify_one();
  threads_.clear();  // joins
}

int Workers::submit(bool expensive, Job job) {
  std::condition_variable* called = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return 1;
    job.seconds = times_.expected(job.kind, job.presumed_slow ? 2 * SearchQueue::kSlow : JobTimes::kShort);
    const int seconds =
        expensive ? expensive_.refusal(job.address, job.seconds) : cheap_.refusal(job.address, job.patient);
    if (seconds != 0) return seconds;
    called = add(expensive, std::move(job));
  }
  if (called != nullptr) called->notify_one();
  return 0;
}

void Workers::go_on(bool expensive, Job job) {
  std::condition_variable* called = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    job.seconds = times_.expected(job.kind);
    called = add(expensive, std::move(job));
  }
  if (called != nullptr) called->notify_one();
}

bool Workers::move_to(Session::Elsewhere where, Job job) {
  const bool check = where == Session::Elsewhere::checking;
  {
    const std::lock_guard lock(mutex_);
    FairQueue& queue = check ? checking_ : waiting_;
    // The time that a job waits for a preparation costs nobody anything, so only their number counts.
    if (check) job.kind = "check of a token";
    job.seconds = check ? times_.expected(job.kind, kSecondsOfCheck) : 0;
    if (ending_ || queue.refusal(job.address) != 0) return false;
    queue.add(std::move(job));
  }
  (check ? checking_changed_ : waiting_changed_).notify_one();
  return true;
}

std::condition_variable* Workers::add(bool expensive, Job job) {
  if (!expensive) {
    cheap_.add(std::move(job));
    return &cheap_changed_;
  }
  expensive_.add(std::move(job));
  // Only one, for on a card there are more than a hundred; that which became idle last, because its caches are warm.
  const auto taker =
      std::find_if(idle_.rbegin(), idle_.rend(), [&](unsigned worker) { return expensive_.has_job_for(worker); });
  if (taker == idle_.rend()) return nullptr;
  Searcher& searcher = searchers_[*taker];
  searcher.idle = false;
  idle_.erase(std::next(taker).base());
  return &searcher.called;
}

void Workers::work_through(FairQueue& queue, std::condition_variable& changed, Session& session) {
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      changed.wait(lock, [&] { return ending_ || queue.size() > 0; });
      if (ending_) return;
      job = queue.next();
    }
    if (job) run(*job, session);
  }
}

void Workers::work_expensive(unsigned worker, Session& session) {
  Searcher& own = searchers_[worker];
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      while (!ending_ && !expensive_.has_job_for(worker)) {
        own.idle = true;
        idle_.push_back(worker);
        own.called.wait(lock, [&] { return ending_ || !own.idle; });
      }
      if (ending_) return;
      job = expensive_.next(worker);
    }
    if (job) run(*job, session);
  }
}

void Workers::run(Job& job, Session& session) {
  using Steady = std::chrono::steady_clock;
  const auto start = Steady::now();
  const bool late = start > job.deadline;
  if (job.drop && (late || job.cancel.stop_requested())) return job.drop(late);
  job.run(session);
  // Not a typical time of such a job, or one that only waited.
  if (job.cancel.stop_requested() || session.elsewhere != Session::Elsewhere::no || job.kind.empty()) return;
  const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
  const std::lock_guard lock(mutex_);
  times_.learn(job.kind, seconds);
}

}  // namespace rondo::server
