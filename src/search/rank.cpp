#include "search/rank.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/interrupt.h"
#include "search/best_voice.h"
#include "search/mixed_list.h"
#include "similarity/mixture.h"

namespace rondo {
namespace {

/// The lists of systems by scoring every document.
class ExhaustiveLists {
 public:
  struct Entry {
    std::uint64_t document = 0;  ///< index into the corpus
    double score = 0;
    std::uint32_t voice = 0;
    std::uint32_t leaf = 0;  ///< whose voice it is and whose tie rule holds
    // Filled in by settle_ties.
    double tie = 0;
    std::size_t length_difference = 0;
  };

  ExhaustiveLists(const Line& query, const Corpus& corpus, const RankOptions& options)
      : query_(query), corpus_(corpus), options_(options), reached_(corpus.documents.size(), kNotReached) {
    if (options.time_limit) deadline_ = std::chrono::steady_clock::now() + *options.time_limit;
  }

  [[nodiscard]] static bool searched_as_one(const System& /*system*/) { return false; }

  std::vector<Entry> list(const SystemRow& row, const System& system, std::size_t k) {
    const std::uint32_t leaf = prepare(row, system);
    const std::size_t count = corpus_.documents.size();
    std::vector<std::optional<Entry>> found(count);
    const std::size_t workers = std::clamp<std::size_t>(options_.threads, 1, std::max<std::size_t>(1, count / 64));
    const auto work = [&](std::size_t worker) {
      for (std::size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i) {
        if (!chosen(i)) continue;
        if (time_is_up()) return;
        found[i] = score(leaf, i);
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t w = 1; w < workers; ++w) threads.emplace_back(work, w);
      work(0);
    }
    std::vector<Entry> out;
    for (const std::optional<Entry>& entry : found) {
      if (entry) out.push_back(*entry);
    }
    keep_best(out, k);
    return out;
  }

  std::vector<std::optional<Entry>> scores(const SystemRow& row, const System& system,
                                           const std::vector<Entry>& documents) {
    const std::uint32_t leaf = prepare(row, system);
    std::vector<std::optional<Entry>> out;
    for (const Entry& entry : documents) {
      if (time_is_up()) break;
      out.push_back(score(leaf, entry.document));
    }
    out.resize(documents.size());
    return out;
  }

  /// What became of the documents that take part.
  void count(Ranking& ranking) const {
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (!chosen(i)) continue;
      ++(reached_[i] == kCompared   ? ranking.compared
         : reached_[i] == kTooShort ? ranking.too_short
                                    : ranking.not_reached);
    }
    ranking.complete = complete_;
  }

  void settle_ties(Entry& entry) const {
    const Document& document = corpus_.documents[entry.document];
    const Line& line = document.voices[entry.voice];
    const Leaf& leaf = leaves_[entry.leaf];
    entry.tie = leaf.row.polyphonic ? leaf.prepared->tie_break(document.points) : leaf.prepared->tie_break(line);
    entry.length_difference = line.size() > query_.size() ? line.size() - query_.size() : query_.size() - line.size();
  }

  [[nodiscard]] bool better(const Entry& a, const Entry& b) const {
    if (a.score != b.score) return a.score > b.score;
    // Two tie rules are not to be compared; what the first part found goes first.
    if (a.leaf != b.leaf) return a.leaf < b.leaf;
    if (a.tie != b.tie) return a.tie > b.tie;
    if (a.length_difference != b.length_difference) return a.length_difference < b.length_difference;
    return corpus_.documents[a.document].id < corpus_.documents[b.document].id;
  }

 private:
  /// A system that scores documents one by one: the one asked for, or a part of a mixture.
  struct Leaf {
    const SystemRow& row;
    std::unique_ptr<PreparedQuery> prepared;
  };
  // Not an enumeration with a type of its own, and not bool: threads write side by side.
  static constexpr char kNotReached = 0;
  static constexpr char kTooShort = 1;
  static constexpr char kCompared = 2;

  [[nodiscard]] bool chosen(std::size_t i) const { return options_.chosen.empty() || options_.chosen[i] != 0; }

  std::uint32_t prepare(const SystemRow& row, const System& system) {
    leaves_.push_back({row, system.prepare(query_)});
    return static_cast<std::uint32_t>(leaves_.size() - 1);
  }

  /// A document by its best voice; nothing where the system does not find it.
  std::optional<Entry> score(std::uint32_t number, std::size_t document) {
    const Leaf& leaf = leaves_[number];
    const InterruptScope scope([](void* lists) { return static_cast<ExhaustiveLists*>(lists)->time_is_up(); }, this);
    const BestVoice best = best_voice(leaf.row, *leaf.prepared, corpus_.documents[document]);
    if (!complete_) return std::nullopt;  // perhaps half a score
    reached_[document] = std::max(reached_[document], best.score.comparable ? kCompared : kTooShort);
    if (!best.score.comparable || (leaf.row.zero_is_none && best.score.value <= 0)) return std::nullopt;
    Entry entry;
    entry.document = document;
    entry.score = best.score.value;
    entry.voice = best.voice;
    entry.leaf = number;
    return entry;
  }

  bool time_is_up() {
    if (!options_.stop.stop_requested() && (!deadline_ || std::chrono::steady_clock::now() < *deadline_)) return false;
    complete_ = false;
    return true;
  }

  const Line& query_;
  const Corpus& corpus_;
  const RankOptions& options_;
  std::vector<char> reached_;  ///< by document
  std::optional<std::chrono::steady_clock::time_point> deadline_{};
  std::atomic<bool> complete_{true};
  std::vector<Leaf> leaves_;  ///< in the order of the parts
};

}  // namespace

Ranking rank_all(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                 const RankOptions& options) {
  ExhaustiveLists lists(query, corpus, options);
  // Of nothing nothing is wanted, but what could be compared is counted.
  auto all = list_of(lists, row, system, std::max<std::size_t>(1, options.k));
  Ranking ranking;
  lists.count(ranking);
  for (auto& entry : all) lists.settle_ties(entry);
  const std::size_t wanted = std::min(options.k, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end(),
                    [&](const auto& a, const auto& b) { return lists.better(a, b); });
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto& entry = all[i];
    ranking.hits.push_back({static_cast<std::size_t>(entry.document), entry.voice, {entry.score, true}});
  }
  return ranking;
}

}  // namespace rondo
