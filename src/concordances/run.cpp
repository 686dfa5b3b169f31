#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "concordances/job_state.h"
#include "concordances/journal.h"

namespace rondo::concordances {
namespace {

/// What is known of a run when it begins.
struct JournalSoFar {
  std::uint64_t bytes = 0;
  std::vector<char> done;  ///< by strip
};

Result<JournalSoFar> read_so_far(const std::filesystem::path& path, const std::string& description,
                                 std::size_t strips) {
  JournalSoFar out;
  out.done.assign(strips, 0);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return out;
  auto known = Journal::read(path);
  if (!known) return fail(known.error());
  if (!known->description.empty() && known->description != description) {
    return fail("journal-other", "is the journal of another run, or the collection has changed since",
                Place{path.string(), {}, {}, 0, 0}, "remove it to begin anew, or give another --out");
  }
  out.bytes = known->bytes;
  for (const Journal::Strip& strip : known->strips) {
    if (strip.number < strips) out.done[strip.number] = 1;
  }
  return out;
}

/// The strips of a run, decided by several threads, each by whichever is free.
class StripWork {
 public:
  StripWork(std::span<const std::size_t> left, JournalWriter& writer, Progress& progress, const Watcher& watch)
      : left_(left), writer_(writer), progress_(progress), watch_(watch) {}

  /// decide(number, strip, counts) fills the pairs of a strip; false: stopped. pairs_of(number) is for the progress.
  template <typename Decide, typename PairsOf>
  void work(const Decide& decide, const PairsOf& pairs_of, Counts& sum) {
    Journal::Strip strip;
    for (std::size_t i = next_++; i < left_.size() && !ended_; i = next_++) {
      Counts counts;
      strip.pairs.clear();
      strip.number = static_cast<std::uint32_t>(left_[i]);
      if (!decide(left_[i], strip, counts)) {
        ended_ = true;
        return;
      }
      strip.decided = counts.pairs;
      const std::lock_guard lock(mutex_);
      if (failed_) return;
      if (auto written = writer_.append(strip); !written) {
        failed_ = written.error();
        ended_ = true;
        return;
      }
      sum += counts;
      progress_.pairs += counts.pairs;
      progress_.found += counts.found;
      progress_.done += pairs_of(left_[i]);
      progress_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      if (watch_) watch_(progress_);
    }
  }

  [[nodiscard]] bool ended_early() const { return ended_; }
  [[nodiscard]] const std::optional<Error>& failed() const { return failed_; }

 private:
  std::span<const std::size_t> left_;
  JournalWriter& writer_;
  Progress& progress_;
  const Watcher& watch_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  ///< of the journal, the counts and the progress
  std::optional<Error> failed_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ended_{false};
};

}  // namespace

Result<bool> Job::run(const std::filesystem::path& journal, const std::stop_token& stop, const Watcher& watch) {
  State& state = *state_;
  const Options& options = state.options;
  const std::string description = state.description(options.part, options.parts).dump();
  auto known = read_so_far(journal, description, state.strips());
  if (!known) return fail(known.error());
  JournalWriter writer;
  if (auto begun = writer.begin(journal, description, known->bytes); !begun) return fail(begun.error());
  Progress progress;
  std::vector<std::size_t> left;
  for (std::size_t s = options.part - 1; s < known->done.size(); s += options.parts) {
    progress.total += state.pairs_of(s);
    if (known->done[s] != 0) {
      progress.before += state.pairs_of(s);
    } else {
      left.push_back(s);
    }
  }
  progress.done = progress.before;
  if (!left.empty() && !state.engine && !state.make_engine(stop)) return false;
  StripWork strips(left, writer, progress, watch);
  const auto work = [&] {
    strips.work(
        [&](std::size_t number, Journal::Strip& strip, Counts& counts) {
          if (!state.engine->find(state.rows_of(number), stop, strip.pairs, counts)) return false;
          state.prepare_spreads(number, strip.pairs, stop);
          return true;
        },
        [&](std::size_t number) { return state.pairs_of(number); }, state.counts);
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min<std::size_t>(options.threads, left.size()); ++t) others.emplace_back(work);
    work();
  }
  if (strips.failed()) return fail(*strips.failed());
  if (auto closed = writer.close(); !closed) return fail(closed.error());
  if (state.engine) state.card_warning = state.engine->card_failure();
  if (strips.ended_early() && state.card_warning && options.device == Device::cuda) {
    return fail(*state.card_warning);
  }
  return !strips.ended_early();
}

}  // namespace rondo::concordances
