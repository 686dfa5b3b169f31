#include "rondo/search/rank.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

namespace rondo {
namespace {

/// A hit and what decides between equal scores; the tie rule is asked for only where it matters.
struct Candidate {
  Hit hit;
  double tie = 0;
  std::size_t length_difference = 0;
};

class Ranker {
 public:
  Ranker(const SystemRow& row, const PreparedQuery& prepared, const Line& query, const Corpus& corpus)
      : row_(row), prepared_(prepared), query_(query), corpus_(corpus) {}

  /// The best voice of a document; not comparable when none is.
  [[nodiscard]] Candidate score(std::size_t index) const {
    const Document& document = corpus_.documents[index];
    Candidate best;
    best.hit.document = index;
    best.hit.score.comparable = false;
    if (row_.polyphonic) {
      best.hit.score = prepared_.score(document.points);
    } else {
      for (std::uint32_t v = 0; v < document.voices.size(); ++v) {
        const Score score = prepared_.score(document.voices[v]);
        if (!score.comparable) continue;
        if (!best.hit.score.comparable || score.value > best.hit.score.value) {
          best.hit.score = score;
          best.hit.voice = v;
        }
      }
    }
    if (document.voices.empty()) best.hit.score.comparable = false;
    return best;
  }

  void settle_ties(Candidate& candidate) const {
    const Document& document = corpus_.documents[candidate.hit.document];
    const Line& line = document.voices[candidate.hit.voice];
    candidate.tie = row_.polyphonic ? prepared_.tie_break(document.points) : prepared_.tie_break(line);
    candidate.length_difference =
        line.size() > query_.size() ? line.size() - query_.size() : query_.size() - line.size();
  }

  [[nodiscard]] bool better(const Candidate& a, const Candidate& b) const {
    if (a.hit.score.value != b.hit.score.value) return a.hit.score.value > b.hit.score.value;
    if (a.tie != b.tie) return a.tie > b.tie;
    if (a.length_difference != b.length_difference) return a.length_difference < b.length_difference;
    return corpus_.documents[a.hit.document].id < corpus_.documents[b.hit.document].id;
  }

 private:
  const SystemRow& row_;
  const PreparedQuery& prepared_;
  const Line& query_;
  const Corpus& corpus_;
};

/// Every candidate that can reach the first k: those at least as good as the k-th score.
void keep_contenders(std::vector<Candidate>& all, std::size_t k) {
  if (all.size() <= k) return;
  const auto by_score = [](const Candidate& a, const Candidate& b) { return a.hit.score.value > b.hit.score.value; };
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k - 1), all.end(), by_score);
  const double border = all[k - 1].hit.score.value;
  std::erase_if(all, [&](const Candidate& c) { return c.hit.score.value < border; });
}

}  // namespace

Ranking rank_all(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                 const RankOptions& options) {
  const auto prepared = system.prepare(query);
  const Ranker ranker(row, *prepared, query, corpus);
  const std::size_t count = corpus.documents.size();
  const std::size_t workers = std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, count / 64));

  const auto deadline = options.time_limit ? std::chrono::steady_clock::now() + *options.time_limit
                                           : std::chrono::steady_clock::time_point::max();
  std::atomic<bool> complete{true};
  std::vector<std::vector<Candidate>> found(workers);
  const auto work = [&](std::size_t worker) {
    for (std::size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i) {
      if (options.among && !options.among(i)) continue;
      if (options.stop.stop_requested() || (options.time_limit && std::chrono::steady_clock::now() >= deadline)) {
        complete = false;
        return;
      }
      found[worker].push_back(ranker.score(i));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w) threads.emplace_back(work, w);
    work(0);
  }

  Ranking ranking;
  ranking.complete = complete;
  std::vector<Candidate> all;
  all.reserve(count);
  for (const auto& part : found) {
    for (const Candidate& candidate : part) {
      if (!candidate.hit.score.comparable) {
        ++ranking.not_compared;
        continue;
      }
      ++ranking.compared;
      if (row.zero_is_none && candidate.hit.score.value <= 0) continue;
      all.push_back(candidate);
    }
  }
  if (options.k == 0) return ranking;
  keep_contenders(all, options.k);
  for (Candidate& candidate : all) ranker.settle_ties(candidate);
  const std::size_t wanted = std::min(options.k, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end(),
                    [&](const Candidate& a, const Candidate& b) { return ranker.better(a, b); });
  for (std::size_t i = 0; i < wanted; ++i) ranking.hits.push_back(all[i].hit);
  return ranking;
}

}  // namespace rondo
