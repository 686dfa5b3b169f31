#include "concordances/groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

namespace rondo::concordances {
namespace {

bool joins(const Pair& pair) {
  return pair.relation != Relation::part && pair.relation != Relation::whole && pair.relation != Relation::phrase;
}

enum class Weight : std::uint8_t { score, probability };

double weight_of(const Pair& pair, Weight weight) {
  return weight == Weight::score ? pair.score() : pair.probability().value_or(0);
}

/// Groups from a number for each melody.
Grouping grouped(const Concordances& found, const std::vector<std::uint32_t>& number) {
  std::map<std::uint32_t, Group> by_number;
  for (std::uint32_t m = 0; m < number.size(); ++m) by_number[number[m]].members.push_back(m);
  std::vector<double> sum(number.size(), 0);  // of a melody's scores within its group
  Grouping out;
  for (std::uint32_t p = 0; p < found.pairs.size(); ++p) {
    const Pair& pair = found.pairs[p];
    if (!joins(pair) || number[pair.a] != number[pair.b]) {
      out.links.push_back(p);
      continue;
    }
    Group& group = by_number[number[pair.a]];
    group.pairs.push_back(p);
    group.mean += pair.score();
    if (const auto probability = pair.probability()) group.probability = group.probability.value_or(0) + *probability;
    sum[pair.a] += pair.score();
    sum[pair.b] += pair.score();
  }
  for (auto& [unused, group] : by_number) {
    if (group.members.size() < 2) continue;
    const auto size = static_cast<double>(group.members.size());
    group.mean /= size * (size - 1) / 2;
    if (group.probability) *group.probability /= size * (size - 1) / 2;
    group.centre = *std::max_element(group.members.begin(), group.members.end(),
                                     [&](std::uint32_t x, std::uint32_t y) { return sum[x] < sum[y]; });
    out.groups.push_back(std::move(group));
  }
  std::stable_sort(out.groups.begin(), out.groups.end(), [](const Group& x, const Group& y) {
    return std::pair(y.members.size(), x.members.front()) < std::pair(x.members.size(), y.members.front());
  });
  return out;
}

/// Clusters that are joined two by two; each has the number of its first melody.
class Clusters {
 public:
  Clusters(const Concordances& found, Weight weight) : near_(found.melodies.size()), size_(near_.size(), 1) {
    number_.resize(near_.size());
    std::iota(number_.begin(), number_.end(), 0U);
    for (const Pair& pair : found.pairs) {
      if (!joins(pair)) continue;
      near_[pair.a][pair.b] = near_[pair.b][pair.a] = weight_of(pair, weight);
      push(pair.a, pair.b);
    }
  }

  void join_down_to(double least) {
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (best.average < least) return;
      // What was queued before one of the two grew says nothing any more.
      if (size_[best.a] == 0 || size_[best.b] == 0 || average(best.a, best.b) != best.average) continue;
      join(best.a, best.b);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> out(number_.size());
    for (std::uint32_t m = 0; m < out.size(); ++m) {
      std::uint32_t at = m;
      while (number_[at] != at) at = number_[at];
      out[m] = at;
    }
    return out;
  }

 private:
  struct Candidate {
    double average = 0;
    std::uint32_t a = 0, b = 0;
    bool operator<(const Candidate& other) const {
      return std::tuple(average, other.a, other.b) < std::tuple(other.average, a, b);
    }
  };

  [[nodiscard]] double average(std::uint32_t a, std::uint32_t b) const {
    const auto found = near_[a].find(b);
    const double sum = found == near_[a].end() ? 0 : found->second;
    return sum / (static_cast<double>(size_[a]) * static_cast<double>(size_[b]));
  }

  void push(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    queue_.push({average(a, b), a, b});
  }

  void join(std::uint32_t a, std::uint32_t b) {
    number_[b] = a;
    near_[a].erase(b);
    for (const auto& [other, sum] : near_[b]) {
      if (other == a) continue;
      near_[a][other] += sum;
      near_[other].erase(b);
      near_[other][a] = near_[a][other];
    }
    near_[b].clear();
    size_[a] += size_[b];
    size_[b] = 0;
    for (const auto& [other, unused] : near_[a]) push(a, other);
  }

  std::vector<std::map<std::uint32_t, double>> near_;  ///< the sum of weights between two clusters
  std::vector<std::size_t> size_;                      ///< 0: joined to another
  std::vector<std::uint32_t> number_;                  ///< the cluster it was joined to, or its own
  std::priority_queue<Candidate> queue_;
};

double entropy(const std::map<std::uint32_t, double>& counts, double all) {
  double out = 0;
  for (const auto& [unused, count] : counts) out -= count / all * std::log(count / all);
  return out;
}

double pairs_of(double count) { return count * (count - 1) / 2; }

Grouping join_clusters(const Concordances& found, Weight weight, double least) {
  Clusters clusters(found, weight);
  clusters.join_down_to(least);
  return grouped(found, clusters.numbers());
}

}  // namespace

Grouping make_groups(const Concordances& found, double least_score, double coherence) {
  return join_clusters(found, Weight::score, coherence * least_score);
}

Grouping make_groups(const Concordances& found, const Options& options) {
  if (options.least_probability)
    return join_clusters(found, Weight::probability, kCoherence * *options.least_probability);
  return make_groups(found, options.least_score);
}

Grouping single_linkage(const Concordances& found) {
  std::vector<std::uint32_t> number(found.melodies.size());
  std::iota(number.begin(), number.end(), 0U);
  const auto root = [&](std::uint32_t at) {
    while (number[at] != at) at = number[at] = number[number[at]];
    return at;
  };
  for (const Pair& pair : found.pairs) {
    if (!joins(pair)) continue;
    const auto [low, high] = std::minmax({root(pair.a), root(pair.b)});
    number[high] = low;
  }
  for (std::uint32_t m = 0; m < number.size(); ++m) number[m] = root(m);
  return grouped(found, number);
}

Agreement agreement(const std::vector<std::uint32_t>& group, const std::vector<std::string>& label) {
  std::map<std::string, std::uint32_t> label_number;
  std::map<std::uint32_t, double> groups, labels;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const auto number =
        label_number.try_emplace(label[i], static_cast<std::uint32_t>(label_number.size())).first->second;
    ++groups[group[i]];
    ++labels[number];
    ++both[{group[i], number}];
  }
  const auto all = static_cast<double>(group.size());
  double in_group = 0, in_label = 0, in_both = 0, labels_in_groups = 0, groups_in_labels = 0;
  for (const auto& [unused, count] : groups) in_group += pairs_of(count);
  for (const auto& [unused, count] : labels) in_label += pairs_of(count);
  for (const auto& [at, count] : both) {
    in_both += pairs_of(count);
    labels_in_groups -= count / all * std::log(count / groups[at.first]);
    groups_in_labels -= count / all * std::log(count / labels[at.second]);
  }
  const double of_labels = entropy(labels, all);
  const double of_groups = entropy(groups, all);
  Agreement out;
  out.precision = in_group == 0 ? 1 : in_both / in_group;
  out.recall = in_label == 0 ? 1 : in_both / in_label;
  out.homogeneity = of_labels == 0 ? 1 : 1 - labels_in_groups / of_labels;
  out.completeness = of_groups == 0 ? 1 : 1 - groups_in_labels / of_groups;
  const double sum = out.homogeneity + out.completeness;
  out.v = sum == 0 ? 0 : 2 * out.homogeneity * out.completeness / sum;
  return out;
}

}  // namespace rondo::concordances
