#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "rondo/evaluation/run.h"
#include "rondo/melody/piece.h"
#include "rondo/search/service.h"
#include "rondo/similarity/system.h"
#include "search/corpus.h"
#include "search/rank.h"

/// Many queries at once: what `run`, `search --batch` and `evaluate mirex2005` share.
namespace rondo::cli {

/// Every melody of the files at a path, in any format. A file or record that cannot be read spoils the whole: a batch
/// that silently lacks some would be worth nothing. Errors: those of reading, query-empty.
[[nodiscard]] Result<std::vector<Piece>> read_pieces(const std::string& path);

/// The systems of these names, or all where the one name is "all": every one, before any work is done with the first.
/// Errors: those of resolve_system, settings-ambiguous.
[[nodiscard]] Result<std::vector<ChosenSystem>> choose_systems(std::vector<std::string> names,
                                                               const std::vector<std::string>& settings = {});

struct AnswerOptions {
  std::size_t k = 1000;
  unsigned threads = 1;
  bool keep_self = false;  ///< a query that is in the collection may find itself; or it is not there
};

/// The best k of the collection for the first voice of a query. `system` has learnt the corpus.
[[nodiscard]] evaluation::RankedList answer(const ChosenSystem& system, const Piece& query, const Corpus& corpus,
                                            const AnswerOptions& options);

/// Whether a search failed because its query is too short for the system: one of many is then without a hit, and the
/// others are answered all the same.
[[nodiscard]] inline bool is_without_hits(const Error& error) {
  return error.code == "query-short" || error.code == "query-empty";
}

/// Answers the queries of a batch: one by one, or, on a graphics card, many together, each by a thread of its own that
/// mostly waits.
class BatchRunner {
 public:
  /// With as many connections to the collection as there will be threads. Errors: those of Collection::open.
  [[nodiscard]] static Result<BatchRunner> open(const std::string& db, Collection first, bool on_card,
                                                std::size_t queries);

  [[nodiscard]] Collection& first() { return connections_.front(); }

  /// take(answer(collection, query), query) in the order of the queries. Errors: the first that comes.
  template <typename Answer, typename Take>
  [[nodiscard]] Result<void> run(std::span<const Piece> queries, const Answer& answer, const Take& take) {
    for (std::size_t done = 0; done < queries.size();) {
      const auto some = queries.subspan(done, std::min(together(), queries.size() - done));
      auto answers = answer_some(some, answer);
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (!answers[i]) continue;  // another one failed before it began
        if (!*answers[i]) return fail(answers[i]->error());
        take(std::move(**answers[i]), some[i]);
      }
      done += some.size();
    }
    return {};
  }

 private:
  explicit BatchRunner(std::vector<Collection> connections) : connections_(std::move(connections)) {}
  /// Queries that are answered before the first of them is taken.
  [[nodiscard]] std::size_t together() const { return connections_.size() == 1 ? 1 : 16 * connections_.size(); }

  template <typename Answer>
  auto answer_some(std::span<const Piece> queries, const Answer& answer) {
    std::vector<std::optional<decltype(answer(connections_.front(), queries.front()))>> out(queries.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    const auto work = [&](Collection& collection) {
      for (std::size_t i = next++; i < queries.size() && !failed; i = next++) {
        out[i].emplace(answer(collection, queries[i]));
        if (!*out[i]) failed = true;
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 1; t < std::min(connections_.size(), queries.size()); ++t) {
        threads.emplace_back([&, t] { work(connections_[t]); });
      }
      work(connections_.front());
    }
    return out;
  }

  std::vector<Collection> connections_;
};

}  // namespace rondo::cli
