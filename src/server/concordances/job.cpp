#include "server/concordances/job.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/collection_files.h"
#include "base/json.h"
#include "base/output_file.h"
#include "concordances/group_facts.h"

namespace rondo::server {
namespace {

namespace fs = std::filesystem;
using concordances::Job;

std::string now_utc() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

fs::path state_path(const fs::path& collection) { return companion_of(collection, Companion::concordances); }
fs::path journal_path(const fs::path& collection) { return companion_of(collection, Companion::concordances_journal); }

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Reads the sources of one group after the other.
Result<ConcordanceResult::Facts> read_facts(const ConcordanceResult& result, const concordances::Group& group,
                                            const System& system, Collection& collection) {
  const concordances::LoneGroup own = concordances::alone(result.found, group);
  auto sources = concordances::read_sources(own.found, collection, nullptr);
  if (!sources) return fail(sources.error());
  const concordances::Shown shown{own.found, own.grouping, *sources, system, result.options, {}};
  const concordances::GroupFacts facts = concordances::facts_of(shown, own.grouping.groups.front());
  ConcordanceResult::Facts out{facts.across_libraries(), facts.across_centuries(), facts.different_composers(), {}};
  for (std::size_t m = 0; m < sources->size(); ++m) {
    const Metadata& metadata = (*sources)[m].metadata;
    for (const std::string& word : {own.found.melodies[m].id, metadata.title, metadata.composer, metadata.library,
                                    metadata.shelfmark, metadata.year}) {
      out.words += lower_case(word) + "\n";
    }
  }
  return out;
}

ConcordanceJob::State state_of(std::string_view text) {
  using State = ConcordanceJob::State;
  for (const State state : {State::running, State::cancelled, State::done, State::failed}) {
    if (text == to_string(state)) return state;
  }
  return State::none;
}

}  // namespace

ConcordanceJob::ConcordanceJob(fs::path collection, const MakeBackground& background)
    : collection_(std::move(collection)),
      file_(collection_),
      queue_(make_background(background, BackgroundTask::concordances)) {
  load();
  if (status_.state == State::running) begin(false);
}

ConcordanceJob::~ConcordanceJob() { stop_.request_stop(); }

void ConcordanceJob::load() {
  std::error_code problem;
  if (!fs::is_regular_file(state_path(collection_), problem)) return;
  std::ifstream in(state_path(collection_), std::ios::binary);
  if (!in) return;
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Json json = json_or_null<Json>(text);
  const auto member = [&](const char* name) {
    return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
  };
  auto options = concordance_options(json.is_object() && json.contains("options") ? json["options"] : Json());
  const State state = state_of(member("state"));
  // A file that nobody here wrote is as good as none: what it says can be asked for again.
  if (!options || state == State::none) return;
  status_.state = state;
  status_.options = std::move(*options);
  status_.started = member("started");
  status_.ended = member("ended");
  if (state == State::failed) status_.error = Error{member("code"), member("error"), {}, {}};
}

Result<void> ConcordanceJob::save() const {
  Json json = {{"state", to_string(status_.state == State::loading ? State::done : status_.state)},
               {"options", options_json(status_.options)},
               {"started", status_.started},
               {"ended", status_.ended}};
  if (status_.error) {
    json["code"] = status_.error->code;
    json["error"] = status_.error->message;
  }
  return replace_companion(state_path(collection_), json_text(json) + "\n");
}

/// The lock is held, or nobody else is there yet.
void ConcordanceJob::begin(bool again) {
  stop_ = std::stop_source();
  cancelled_ = false;
  status_.progress = {};
  status_.result.reset();
  queue_->run([this, again, stop = stop_.get_token()] { work(stop, again); });
}

Result<void> ConcordanceJob::start(const concordances::Options& options) {
  const std::lock_guard lock(mutex_);
  if (status_.state == State::running || status_.state == State::loading) {
    return fail("concordances-running", "a run is in progress; only one can run at a time", {},
                "wait for it or cancel it");
  }
  Status before = status_;
  status_ = Status{};
  status_.state = State::running;
  status_.options = options;
  status_.started = now_utc();
  if (auto saved = save(); !saved) {
    status_ = std::move(before);
    return saved;
  }
  begin(false);
  return {};
}

Result<void> ConcordanceJob::cancel() {
  const std::lock_guard lock(mutex_);
  if (status_.state != State::running) return fail("concordances-not-running", "no run is in progress");
  cancelled_ = true;
  stop_.request_stop();
  return {};
}

ConcordanceJob::Status ConcordanceJob::status() {
  const std::lock_guard lock(mutex_);
  if (status_.state == State::done && !status_.result) {
    status_.state = State::loading;
    begin(true);
  }
  return status_;
}

void ConcordanceJob::use_file(fs::path file) {
  const std::lock_guard lock(mutex_);
  file_ = std::move(file);
  status_.result.reset();
}

Result<std::shared_ptr<const ConcordanceResult>> ConcordanceJob::find(const concordances::Options& options,
                                                                      std::stop_source& stop, bool again) {
  fs::path file;
  {
    const std::lock_guard lock(mutex_);
    file = file_;
  }
  auto collection = Collection::open(file, OpenMode::read);
  if (!collection) return fail(collection.error());
  auto job = Job::prepare(*collection, nullptr, options);
  if (!job) return fail(job.error());
  const fs::path journal = journal_path(collection_);
  const auto watch = [&](const concordances::Progress& now) {
    const std::lock_guard lock(mutex_);
    status_.progress = now;
    if (now.found > kMostPairs) stop.request_stop();
  };
  auto done = job->run(journal, stop.get_token(), watch);
  if (!done && !again && (done.error().code == "journal-other" || done.error().code == "journal-unreadable")) {
    std::error_code ignored;
    fs::remove(journal, ignored);
    done = job->run(journal, stop.get_token(), watch);
  }
  if (!done && again && done.error().code == "journal-other") {
    return fail("concordances-outdated", "the collection has changed since the run", {}, "start the run again");
  }
  if (!done) return fail(done.error());
  if (!*done) return std::shared_ptr<const ConcordanceResult>();
  const fs::path journals[] = {journal};
  // What is left out of the best partners may have been several times as much.
  auto found = job->collect(journals, 10 * kMostPairs);
  if (!found) return fail(found.error());
  auto result = std::make_shared<ConcordanceResult>();
  result->options = options;
  result->found = std::move(*found);
  if (result->found.pairs.size() > kMostPairs) return std::shared_ptr<const ConcordanceResult>();
  result->grouping = concordances::make_groups(result->found, options);
  auto system = resolve_system(options.system, options.settings);
  if (!system) return fail(system.error());
  for (const concordances::Group& group : result->grouping.groups) {
    auto facts = read_facts(*result, group, *system->system, *collection);
    if (!facts) return fail(facts.error());
    result->facts.push_back(std::move(*facts));
  }
  return result;
}

void ConcordanceJob::work(const std::stop_token& stop, bool again) {
  std::stop_source own;
  const std::stop_callback both(stop, [&] { own.request_stop(); });
  concordances::Options options;
  {
    const std::lock_guard lock(mutex_);
    options = status_.options;
  }
  auto result = find(options, own, again);
  const std::lock_guard lock(mutex_);
  if (result && *result) {
    status_.state = State::done;
    status_.result = std::move(*result);
  } else if (!result) {
    status_.state = State::failed;
    status_.error = result.error();
  } else if (cancelled_) {
    status_.state = State::cancelled;
  } else if (stop.stop_requested()) {
    return;  // the server ends; the next one goes on
  } else {
    status_.state = State::failed;
    status_.error = Error{"concordances-too-many",
                          fmt::format("more than {} pairs reach the threshold", kMostPairs),
                          {},
                          "raise the threshold, or use 'rondo concordances'"};
  }
  if (again && status_.state == State::done) return;
  status_.ended = now_utc();
  if (auto saved = save(); !saved && status_.state == State::done) {
    status_.state = State::failed;
    status_.error = saved.error();
  }
}

Result<concordances::Decisions> ConcordanceJob::decisions() {
  return concordances::Decisions::open(concordances::Decisions::path_for(collection_));
}

Result<void> ConcordanceJob::decide(concordances::Decision decision) {
  const std::lock_guard lock(deciding_);
  auto known = decisions();
  return known ? known->decide(std::move(decision)) : fail(known.error());
}

}  // namespace rondo::server
