#include "rondo/search/service.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "bench/bench.h"
#include "bench/folder.h"
#include "bench/http_client.h"
#include "bench/server_process.h"
#include "generate/generate.h"

namespace rondo::bench {
namespace {

/// Seconds that this program takes, started anew, to answer one search; below 0: it failed.
double cold_search(const std::filesystem::path& db, const std::string& id) {
  return seconds([&] {
    const ::pid_t child = ::fork();
    if (child == 0) {
      // What is buffered here is the parent's to write.
      const int nowhere = ::open("/dev/null", O_WRONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
      if (nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0 || ::dup2(nowhere, STDERR_FILENO) < 0) ::_exit(1);
      ::execl("/proc/self/exe", "rondo", "search", "--db", db.c_str(), "--id", id.c_str(), nullptr);
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
  });
}

/// Seconds of processor time for the searches of one kind; nine are made at least.
constexpr double kBudget = 3;

struct Case {
  const char* name;
  SearchRequest request;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto add = [&](const char* name) -> SearchRequest& { return out.emplace_back(Case{name, {}}).request; };
  (void)add("plain");
  add("beginnings only").anchored = true;
  add("repeated notes ignored").heard.ignore_repeated = true;
  add("octaves folded").heard.fold_octaves = true;
  add("grace notes kept").heard.graces = true;
  add("equal melodies folded").fold_duplicates = true;
  add("with a word").text = "sonata";
  SearchRequest& beginnings = add("beginnings only, with a word");
  beginnings.anchored = true;
  beginnings.text = "sonata";
  SearchRequest& repeated = add("repeated notes ignored, octaves folded, with a word");
  repeated.heard.ignore_repeated = true;
  repeated.heard.fold_octaves = true;
  repeated.text = "sonata";
  return out;
}

}  // namespace

Result<std::vector<Measurement>> bench_service(const Options& options) {
  const Folder folder(options.folder);
  const auto db = folder.path / "collection.db";
  auto collection = Collection::open(db, OpenMode::create);
  if (!collection) return fail(collection.error());
  const Generator generator(options.seed);
  {
    auto batch = collection->begin();
    if (!batch) return fail(batch.error());
    for (std::uint64_t i = 0; i < options.count; ++i) {
      if (auto done = collection->put(generator.piece(i)); !done) return fail(done.error());
    }
    if (auto done = batch->commit(); !done) return fail(done.error());
  }
  std::vector<Measurement> out;
  std::shared_ptr<CollectionSnapshot> snapshot;
  const double first = seconds([&] {
    if (auto opened = CollectionSnapshot::open(*collection)) snapshot = std::move(*opened);
  });
  if (snapshot == nullptr) return fail("bench-disk", "the collection cannot be searched");
  out.push_back({"index built", first, "s"});
  const std::vector<std::string> systems =
      options.systems.empty() ? std::vector<std::string>{std::string(kDefaultSystem)} : options.systems;
  for (Case& one : cases()) {
    for (const std::string& system : systems) {
      one.request.system = system;
      std::vector<double> times;
      double spent = 0;
      for (std::uint64_t q = 0; q < 31 && (spent < kBudget || times.size() < 9); ++q) {
        one.request.like = generator.piece(q * 7919 % options.count).id;
        const double time = busy_seconds([&] { (void)snapshot->search(*collection, one.request); });
        // The first one makes what is missing.
        if (q == 0) {
          out.push_back({fmt::format("{}, {}: first", system, one.name), 1000 * time, "ms"});
        } else {
          times.push_back(1000 * time);
          spent += time;
        }
      }
      std::sort(times.begin(), times.end());
      out.push_back({fmt::format("{}, {}: median", system, one.name), times[times.size() / 2], "ms"});
      out.push_back({fmt::format("{}, {}: maximum", system, one.name), times.back(), "ms"});
    }
  }
  double cold = 1e9;
  for (std::uint64_t i = 0; i < 5; ++i) cold = std::min(cold, cold_search(db, generator.piece(i).id));
  out.push_back({"`rondo search` as a separate process, best of 5", 1000 * cold, "ms"});
  std::optional<ServerProcess> server;
  const double start = seconds([&] { server.emplace(db.string()); });
  if (server->port() == 0) return fail("bench-server", "the server did not start");
  out.push_back({"`rondo serve` accepts requests after", 1000 * start, "ms"});
  HttpClient client(server->port(), "127.0.0.2");
  HttpClient::Answer answer;
  const std::string target = "/api/v1/search?k=10&id=" + generator.piece(7).id;
  const double http = seconds([&] { answer = client.get(target); });
  if (answer.status != 200) return fail("bench-server", fmt::format("the server answered {}", answer.status));
  out.push_back({"its first HTTP request, a search", 1000 * http, "ms"});
  return out;
}

}  // namespace rondo::bench
