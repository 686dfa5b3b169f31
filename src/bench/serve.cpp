// A server under more load than it can bear: what happens to those whom it serves, and to those whom it refuses.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "bench/bench.h"
#include "bench/folder.h"
#include "bench/http_client.h"
#include "bench/server_process.h"
#include "generate/generate.h"
#include "rondo/store/collection.h"
#include "search/index.h"

namespace rondo::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

Result<void> fill_collection(Collection& collection, const Options& options) {
  const Generator generator(options.seed);
  constexpr std::uint64_t kBatch = 20'000;
  for (std::uint64_t i = 0; i < options.count;) {
    auto batch = collection.begin();
    if (!batch) return fail(batch.error());
    for (const std::uint64_t end = std::min(options.count, i + kBatch); i < end; ++i) {
      if (auto done = collection.put(generator.piece(i)); !done) return fail(done.error());
    }
    if (auto done = batch->commit(); !done) return done;
  }
  return {};
}

/// What people ask: mostly quick searches, some slow ones, melodies and pages.
class Requests {
 public:
  Requests(const Options& options, unsigned seed) : generator_(options.seed), count_(options.count), random_(seed) {}

  struct Request {
    std::string target;
    bool search = false;
    bool quick = false;  ///< a search by a system that takes milliseconds
  };
  [[nodiscard]] Request next() {
    const std::string id = generator_.piece(random_() % count_).id;
    const auto kind = random_() % 20;
    if (kind == 0) return {"/api/v1/systems"};
    if (kind < 3) return {"/api/v1/melodies/" + id};
    constexpr const char* kSystems[] = {"shapeh", "shapeh", "shapeh", "time", "time", "contour", "P2", "P3", "EMD"};
    const std::size_t system = random_() % std::size(kSystems);
    constexpr std::size_t kQuickSystems = 7;
    return {"/api/v1/search?k=10&id=" + id + "&system=" + kSystems[system], true, system < kQuickSystems};
  }

 private:
  Generator generator_;
  std::uint64_t count_;
  std::mt19937_64 random_;
};

/// Times of answers, gathered by many clients.
struct Times {
  std::vector<double> accepted;  ///< seconds, of searches
  std::vector<double> quick;     ///< those of them by quick systems
  std::vector<double> refused;
  std::uint64_t failed = 0;
  std::uint64_t done = 0;

  void add(const Times& other) {
    accepted.insert(accepted.end(), other.accepted.begin(), other.accepted.end());
    quick.insert(quick.end(), other.quick.begin(), other.quick.end());
    refused.insert(refused.end(), other.refused.begin(), other.refused.end());
    failed += other.failed;
    done += other.done;
  }
};

double quantile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// `clients` ask for so long; `rate` requests a second together, or, where that is 0, each as soon as it has its
/// answer.
Times put_load(const Options& options, std::uint16_t port, unsigned clients, double rate, double duration) {
  std::vector<Times> times(clients);
  std::vector<std::jthread> threads;
  const auto start = Clock::now();
  for (unsigned c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] {
      HttpClient client(port, "127.0.0." + std::to_string(2 + c % 16));
      Requests requests(options, 1000 + c);
      for (std::uint64_t n = 0; Seconds(Clock::now() - start).count() < duration; ++n) {
        if (rate > 0) {
          const double at = (static_cast<double>(n) * clients + c) / rate;
          std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(Seconds(at)));
        }
        const auto request = requests.next();
        const auto asked = Clock::now();
        const auto answer = client.get(request.target);
        const double seconds = Seconds(Clock::now() - asked).count();
        if (answer.status == 503) {
          times[c].refused.push_back(seconds);
        } else if (answer.status != 200) {
          ++times[c].failed;
        } else {
          ++times[c].done;
          if (request.search) times[c].accepted.push_back(seconds);
          if (request.quick) times[c].quick.push_back(seconds);
        }
      }
    });
  }
  threads.clear();
  Times all;
  for (const Times& one : times) all.add(one);
  return all;
}

/// Asks /health ten times a second while something else happens.
class HealthWatch {
 public:
  explicit HealthWatch(std::uint16_t port)
      : thread_([this, port](const std::stop_token& stop) {
          HttpClient client(port, "127.0.0.1");
          while (!stop.stop_requested()) {
            const auto asked = Clock::now();
            const bool fine = client.get("/health").status == 200;
            times_.push_back(fine ? Seconds(Clock::now() - asked).count() : 60);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
          }
        }) {}
  /// Seconds that all but so many in a thousand took; ends the watch.
  [[nodiscard]] double all_but(double in_a_thousand) {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    return quantile(times_, 1 - in_a_thousand / 1000);
  }

 private:
  std::vector<double> times_;
  std::jthread thread_;
};

/// Seconds until a search takes no longer than usual.
double recovery(const Options& options, std::uint16_t port, double usual) {
  HttpClient client(port, "127.0.0.1");
  const auto start = Clock::now();
  for (;;) {
    const auto asked = Clock::now();
    const auto answer = client.get("/api/v1/search?k=10&system=shapeh&id=" + Generator(options.seed).piece(3).id);
    if (answer.status == 200 && Seconds(Clock::now() - asked).count() <= usual) break;
    if (Seconds(Clock::now() - start).count() > 60) break;
  }
  return Seconds(Clock::now() - start).count();
}

}  // namespace

Result<std::vector<Measurement>> bench_serve(const Options& options) {
  const Folder folder(options.folder);
  const auto db = folder.path / "collection.db";
  {
    auto collection = Collection::open(db, OpenMode::create);
    if (!collection) return fail(collection.error());
    if (auto done = fill_collection(*collection, options); !done) return fail(done.error());
    if (auto index = Index::update(*collection, Index::path_for(db)); !index) return fail(index.error());
  }
  const double duration = options.seconds > 0 ? options.seconds : 600;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const ServerProcess server(db.string());
  if (server.port() == 0) return fail("bench-serve", "the server could not be started");
  // Systems that learn the collection do so at their first use.
  (void)put_load(options, server.port(), cores, 0, std::min(20.0, duration / 3));
  Times full = put_load(options, server.port(), cores, 0, std::clamp(duration / 3, 5.0, 60.0));
  const double span = std::clamp(duration / 3, 5.0, 60.0);
  const double capacity = static_cast<double>(full.done) / span;
  const double full_p99 = quantile(full.accepted, 0.99);
  HealthWatch health(server.port());
  const double warm = std::min(60.0, duration / 4);
  Times load = put_load(options, server.port(), 64, 4 * capacity, warm);
  const double memory_before = server.memory();
  load.add(put_load(options, server.port(), 64, 4 * capacity, duration - warm));
  const double memory_after = server.memory();
  const double health_most = health.all_but(1);
  const double health_longest = health.all_but(0);
  const double recovered = recovery(options, server.port(), 2 * std::max(0.02, quantile(full.accepted, 0.5)));
  const auto refused = static_cast<double>(load.refused.size());
  const double all = refused + static_cast<double>(load.done + load.failed);
  return std::vector<Measurement>{
      {"capacity, requests answered per second", capacity, "/s"},
      {"searches at capacity, p50", quantile(full.accepted, 0.5) * 1000, "ms"},
      {"searches at capacity, p99", full_p99 * 1000, "ms"},
      {"  with fast systems, p50", quantile(full.quick, 0.5) * 1000, "ms"},
      {"  with fast systems, p99", quantile(full.quick, 0.99) * 1000, "ms"},
      {"duration of four times the load", duration, "s"},
      {"  requests answered per second", static_cast<double>(load.done) / duration, "/s"},
      {"  refused with 503", all == 0 ? 0 : 100 * refused / all, "%"},
      {"  neither answered nor refused", static_cast<double>(load.failed), "requests", 0, false},
      {"  searches that were answered, p50", quantile(load.accepted, 0.5) * 1000, "ms"},
      {"  searches that were answered, p99", quantile(load.accepted, 0.99) * 1000, "ms", 2 * full_p99 * 1000, false},
      {"    with fast systems, p50", quantile(load.quick, 0.5) * 1000, "ms"},
      {"    with fast systems, p99", quantile(load.quick, 0.99) * 1000, "ms"},
      {"  refusals, p99", quantile(load.refused, 0.99) * 1000, "ms"},
      {"  /health, p99.9", health_most * 1000, "ms", 50, false},
      {"  /health, maximum", health_longest * 1000, "ms", 50, false},
      {"  memory after the first part", memory_before, "MB"},
      {"  memory at the end", memory_after, "MB", memory_before * 1.05, false},
      {"recovery when the load ends", recovered, "s", 1, false},
  };
}

}  // namespace rondo::bench
