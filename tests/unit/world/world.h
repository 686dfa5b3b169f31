#pragma once

#include <fmt/format.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "base/background.h"
#include "concordances/decisions.h"
#include "server/app.h"
#include "server/metrics.h"
#include "server/server.h"
#include "server/session.h"
#include "store/sqlite.h"
#include "unit/world/fixture.h"

/// The server's core in one thread, from the bytes of a request to those of its response, with what is around it: a
/// clock, a disk, background work, clients that are cut off, and a machine that loses power.
namespace rondo::world {

using Json = nlohmann::json;
using server::Headers;

/// A broken promise.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Background work, done when the world says so.
class SimQueues {
 public:
  explicit SimQueues(statistics::Random& random) : random_(random) {}

  [[nodiscard]] MakeBackground maker() {
    return [this](BackgroundTask task) -> std::unique_ptr<Background> { return std::make_unique<Queue>(*this, task); };
  }
  /// Does one piece of work that may begin by now, any of them; false: there is none.
  bool run_one(bool with_warming) {
    const auto now = Background::Clock::now();
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      // Of one queue the earliest only.
      const bool first = std::none_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const Item& one) { return one.owner == items_[i].owner; });
      if (first && items_[i].earliest <= now && (with_warming || items_[i].task != BackgroundTask::warm)) {
        ready.push_back(i);
      }
    }
    if (ready.empty()) return false;
    const auto at = items_.begin() + static_cast<std::ptrdiff_t>(ready[random_.below(ready.size())]);
    const Background::Work work = std::move(at->work);
    items_.erase(at);
    work();
    return true;
  }

 private:
  struct Item {
    const void* owner = nullptr;
    BackgroundTask task{};
    Background::Clock::time_point earliest;
    Background::Work work;
  };
  class Queue final : public Background {
   public:
    Queue(SimQueues& all, BackgroundTask task) : all_(all), task_(task) {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    ~Queue() override {
      std::erase_if(all_.items_, [this](const Item& item) { return item.owner == this; });
    }
    void run(Work work, Clock::time_point earliest) override {
      // The caller waits for it, and there is no other thread to do it meanwhile.
      if (task_ == BackgroundTask::prepare) return work();
      all_.items_.push_back({this, task_, earliest, std::move(work)});
    }

   private:
    SimQueues& all_;
    BackgroundTask task_;
  };

  statistics::Random& random_;
  std::vector<Item> items_;
};

struct Ask {
  std::string method = "GET";
  std::string target;
  std::string address = "10.0.0.1";
  std::string cookie{};  ///< NAME=TOKEN
  std::string csrf{};
  std::string bearer{};
  std::string tag{};  ///< If-None-Match
  Json body = nullptr;
};

struct Reply {
  unsigned status = 0;
  Headers headers;
  std::string body;
  Json json = nullptr;  ///< where the body is that

  [[nodiscard]] std::string header(std::string_view name) const { return std::string(server::header(headers, name)); }
  [[nodiscard]] std::string code() const {
    return json.is_object() && json.contains("code") && json["code"].is_string() ? json["code"].get<std::string>() : "";
  }
};

/// What a request must come to.
struct Expected {
  unsigned status = 200;
  std::string code{};  ///< of an error; empty: any
  /// What it changes, if it succeeds; the reply is null where it was lost. Empty: nothing.
  std::function<void(Durable& durable, const Reply* reply)> apply{};
};

class World {
 public:
  explicit World(std::uint64_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Chance.
  std::uint64_t below(std::uint64_t bound) { return random.below(bound); }
  bool once_in(std::uint64_t n) { return random.below(n) == 0; }
  template <typename T>
  T& one_of(std::vector<T>& all) {
    return all[random.below(all.size())];
  }
  template <typename T>
  const T& one_of(const std::vector<T>& all) {
    return all[random.below(all.size())];
  }

  // Requests. nullopt: the client learnt nothing, because it, the network or the server went away.
  std::optional<Reply> ask(const Ask& ask);
  /// The same with the check that the reply is what the model says; the model and the file are the same afterwards.
  std::optional<Reply> ask(const Ask& ask, const Expected& expected);

  // The rest of the world.
  void advance(double seconds) { SimClock::the().advance(static_cast<std::int64_t>(seconds * 1e9)); }
  [[nodiscard]] static std::int64_t calendar_seconds() {
    return (SimClock::the().nanoseconds() + SimClock::kCalendar) / 1'000'000'000LL;
  }
  /// Work in the background.
  void work(bool all);
  /// Ends the server without warning and starts it again.
  void crash(bool power_lost);
  void start();
  void stop();
  /// Until the server knows the present state of the collection.
  void settle();
  /// Compares the files with the model.
  void check_files();
  void commit(std::map<std::string, Piece> pieces, bool other_file = false) {
    const int file = states.empty() ? 0 : states.back()->file() + (other_file ? 1 : 0);
    states.push_back(std::make_shared<CollectionState>(std::move(pieces), file));
  }
  /// What a connection shows that goes with a snapshot of this state: the last state of the same file.
  [[nodiscard]] const CollectionState& seen_with(std::size_t snapshot) const {
    std::size_t last = snapshot;
    while (last + 1 < states.size() && states[last + 1]->file() == states[snapshot]->file()) ++last;
    return *states[last];
  }
  [[nodiscard]] bool is_settled() const { return oldest + 1 == states.size(); }
  [[nodiscard]] const std::map<std::string, Piece>& pieces() const { return states.back()->pieces(); }
  [[nodiscard]] std::filesystem::path db() const { return folder_ / "c.db"; }
  /// Another file takes the place of this one, as when a backup is restored.
  void replace(const std::filesystem::path& file, const std::filesystem::path& by);

  [[noreturn]] void fail(const std::string& what) const;
  void require(bool fine, const std::string& what) const {
    if (!fine) fail(what);
  }
  void log(const std::string& line);
  [[nodiscard]] std::uint64_t trace() const { return trace_; }

  std::uint64_t seed;
  statistics::Random random;
  SimQueues queues{random};
  std::unique_ptr<server::App> app;
  std::vector<std::shared_ptr<server::Session>> sessions;

  Durable durable;
  std::vector<State> states;  ///< of the collection, the last one is the present
  std::size_t oldest = 0;     ///< the first state that a snapshot may still have
  std::map<std::pair<concordances::MelodyName, concordances::MelodyName>, std::pair<std::string, std::string>>
      decisions;
  std::uint64_t searches = 0;                     ///< answered since the server began
  std::optional<Collection> importer;             ///< another process that writes the collection
  std::optional<Collection::Batch> import_batch;  ///< not committed yet
  std::optional<study::Studies> locker;           ///< another process that writes the studies
  std::optional<Transaction> lock;
  struct Streaming {
    server::Stream stream;
    bool ended = false;
  };
  std::deque<Streaming> streams;

 private:
  enum class Fate : std::uint8_t { kept, torn, dropped, abandoned, lost, fault, killed, power };
  Fate draw_fate();
  std::optional<Reply> deliver(const Ask& ask, Fate fate);
  void check(const Ask& ask, const Reply& reply);
  void check_released();
  void resolve(const Durable* after);
  [[nodiscard]] std::string compare(const Durable& with, study::Studies& studies);
  void find_collection();
  void check_decisions();

  Scratch folder_;
  std::uint64_t trace_ = 14695981039346656037ULL;
  std::deque<std::string> last_;
  bool faulted_ = false;  ///< the disk failed during the last request
  bool reached_ = false;  ///< the last request may have reached the server
};

}  // namespace rondo::world
