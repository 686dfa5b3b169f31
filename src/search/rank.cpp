#include "rondo/search/rank.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "rondo/similarity/mixture.h"
#include "search/best_voice.h"

namespace rondo {
namespace {

/// A system that scores documents one by one: the one asked for, or a part of a mixture.
struct Leaf {
  const SystemRow& row;
  std::unique_ptr<PreparedQuery> prepared;
};

/// A document under one system. Not comparable: not found.
struct Placed {
  Score score;
  std::uint32_t voice = 0;
  std::uint32_t leaf = 0;  ///< whose voice it is and whose tie rule holds
};

/// A hit and what decides between equal scores; the tie rule is asked for only where it matters.
struct Contender {
  Hit hit;
  std::uint32_t leaf = 0;
  double tie = 0;
  std::size_t length_difference = 0;
};

class Ranker {
 public:
  Ranker(const Line& query, const Corpus& corpus, const RankOptions& options)
      : query_(query), corpus_(corpus), options_(options), comparable_(corpus.documents.size(), 0) {
    if (options.time_limit) deadline_ = std::chrono::steady_clock::now() + *options.time_limit;
  }

  /// Every document under a system, each by its best voice; a mixture mixes what its parts found.
  std::vector<Placed> score_all(const SystemRow& row, const System& system) {
    const Mixture* mixture = system.mixture();
    return mixture != nullptr ? score_mixture(*mixture) : score_leaf(row, system);
  }

  /// How many documents at least one system could compare.
  [[nodiscard]] std::size_t compared() const {
    return static_cast<std::size_t>(std::count(comparable_.begin(), comparable_.end(), 1));
  }

  /// Whether every document was looked at.
  [[nodiscard]] bool complete() const { return complete_; }

  void settle_ties(Contender& candidate) const {
    const Document& document = corpus_.documents[candidate.hit.document];
    const Line& line = document.voices[candidate.hit.voice];
    const Leaf& leaf = leaves_[candidate.leaf];
    candidate.tie = leaf.row.polyphonic ? leaf.prepared->tie_break(document.points) : leaf.prepared->tie_break(line);
    candidate.length_difference =
        line.size() > query_.size() ? line.size() - query_.size() : query_.size() - line.size();
  }

  [[nodiscard]] bool better(const Contender& a, const Contender& b) const {
    if (a.hit.score.value != b.hit.score.value) return a.hit.score.value > b.hit.score.value;
    // Two tie rules are not to be compared; what the first part found goes first.
    if (a.leaf != b.leaf) return a.leaf < b.leaf;
    if (a.tie != b.tie) return a.tie > b.tie;
    if (a.length_difference != b.length_difference) return a.length_difference < b.length_difference;
    return corpus_.documents[a.hit.document].id < corpus_.documents[b.hit.document].id;
  }

 private:
  std::vector<Placed> score_leaf(const SystemRow& row, const System& system) {
    const auto number = static_cast<std::uint32_t>(leaves_.size());
    leaves_.push_back({row, system.prepare(query_)});
    const Leaf& leaf = leaves_.back();
    const std::size_t count = corpus_.documents.size();
    std::vector<Placed> found(count);
    const std::size_t workers = std::clamp<std::size_t>(options_.threads, 1, std::max<std::size_t>(1, count / 64));
    const auto work = [&](std::size_t worker) {
      for (std::size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i) {
        if (!options_.chosen.empty() && options_.chosen[i] == 0) {
          found[i].score.comparable = false;
          continue;
        }
        if (time_is_up()) {
          for (; i < count * (worker + 1) / workers; ++i) found[i].score.comparable = false;
          return;
        }
        const BestVoice best = best_voice(leaf.row, *leaf.prepared, corpus_.documents[i]);
        found[i] = {best.score, best.voice, number};
        if (!found[i].score.comparable) continue;
        comparable_[i] = 1;
        if (row.zero_is_none && found[i].score.value <= 0) found[i].score.comparable = false;
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t w = 1; w < workers; ++w) threads.emplace_back(work, w);
      work(0);
    }
    return found;
  }

  bool time_is_up() {
    if (!options_.stop.stop_requested() && (!deadline_ || std::chrono::steady_clock::now() < *deadline_)) return false;
    complete_ = false;
    return true;
  }

  std::vector<Placed> score_mixture(const Mixture& mixture) {
    std::vector<std::vector<Placed>> parts;
    std::vector<std::vector<Score>> scores;
    for (const Part& part : mixture.parts()) {
      parts.push_back(score_all(*part.row, *part.system));
      std::vector<Score>& of_part = scores.emplace_back();
      of_part.reserve(parts.back().size());
      for (const Placed& found : parts.back()) of_part.push_back(found.score);
    }
    std::vector<Mixed> mixed;
    mixture.mix(scores, options_.k, mixed);
    std::vector<Placed> out(mixed.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = parts[mixed[i].part][i];
      out[i].score = mixed[i].score;
    }
    return out;
  }

  const Line& query_;
  const Corpus& corpus_;
  const RankOptions& options_;
  std::vector<char> comparable_;  ///< by document; not bool, for threads write side by side
  std::optional<std::chrono::steady_clock::time_point> deadline_{};
  std::atomic<bool> complete_{true};
  std::vector<Leaf> leaves_;  ///< in the order of the parts
};

/// Every candidate that can reach the first k: those at least as good as the k-th score.
void keep_contenders(std::vector<Contender>& all, std::size_t k) {
  if (all.size() <= k) return;
  const auto by_score = [](const Contender& a, const Contender& b) { return a.hit.score.value > b.hit.score.value; };
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k - 1), all.end(), by_score);
  const double border = all[k - 1].hit.score.value;
  std::erase_if(all, [&](const Contender& c) { return c.hit.score.value < border; });
}

}  // namespace

Ranking rank_all(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                 const RankOptions& options) {
  Ranker ranker(query, corpus, options);
  const std::vector<Placed> found = ranker.score_all(row, system);
  Ranking ranking;
  ranking.compared = ranker.compared();
  ranking.complete = ranker.complete();
  const auto left_out = std::count(options.chosen.begin(), options.chosen.end(), 0);
  ranking.not_compared = corpus.documents.size() - static_cast<std::size_t>(left_out) - ranking.compared;
  if (options.k == 0) return ranking;

  std::vector<Contender> all;
  all.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].score.comparable) continue;
    all.push_back({.hit = {.document = i, .voice = found[i].voice, .score = found[i].score}, .leaf = found[i].leaf});
  }
  keep_contenders(all, options.k);
  for (Contender& candidate : all) ranker.settle_ties(candidate);
  const std::size_t wanted = std::min(options.k, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end(),
                    [&](const Contender& a, const Contender& b) { return ranker.better(a, b); });
  for (std::size_t i = 0; i < wanted; ++i) ranking.hits.push_back(all[i].hit);
  return ranking;
}

}  // namespace rondo
