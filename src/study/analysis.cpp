#include "study/analysis.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "statistics/kendall.h"
#include "statistics/rank_sum.h"

namespace rondo::study {
namespace {

/// Maximal number of additions of an exact test, about 3 ms: a list of 50 candidates has 1225 tests.
constexpr double kTestWork = 6e6;

statistics::PValue test(const Figures& below, const Figures& above) {
  statistics::RankTestOptions options;
  options.max_work = kTestWork;
  const auto result = statistics::rank_sum_test(below.ranks, above.ranks, options);
  return result ? result->p_value : statistics::PValue(1.0);  // cannot fail: both have finite ranks
}

void sort_judged(std::vector<Judged>& judged) {
  std::stable_sort(judged.begin(), judged.end(), [](const Judged& a, const Judged& b) {
    const auto key = [](const Judged& one) {
      return std::tuple(one.figures.median.value_or(0), one.figures.mean.value_or(0),
                        -static_cast<std::int64_t>(one.figures.votes()));
    };
    return key(a) < key(b);
  });
}

/// The ranks of all candidates by each participant; unranked ones are tied at the end.
std::vector<std::vector<double>> completed(const std::vector<std::vector<std::optional<double>>>& ranks) {
  std::vector<std::vector<double>> out;
  for (const auto& person : ranks) {
    const auto last = static_cast<double>(person.size()) + 1;
    std::vector<double> all;
    all.reserve(person.size());
    for (const std::optional<double>& rank : person) all.push_back(rank.value_or(last));
    out.push_back(std::move(all));
  }
  return out;
}

Agreement agreement_of(const std::vector<std::vector<double>>& raters) {
  Agreement out;
  out.raters = raters.size();
  if (raters.size() < 2) return out;
  if (const auto w = statistics::kendall_w(raters)) out.kendall_w = *w;
  if (raters.size() > kMostTauRaters) return out;
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < raters.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto tau = statistics::kendall_tau_b(raters[i], raters[j]);
      if (!tau) continue;
      sum += *tau;
      ++pairs;
    }
  }
  if (pairs > 0) out.mean_tau = sum / static_cast<double>(pairs);
  return out;
}

/// "Violin " and "violin" are one instrument, shown as it was first written.
std::string folded_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

Experience experience_of(const Study& study) {
  Experience out;
  std::unordered_map<std::string, std::size_t> places;
  for (const Participant& participant : study.participants) {
    if (!participant.background || !participant.excluded.empty()) continue;
    if (participant.background->years) out.years.push_back(*participant.background->years);
    for (const std::string& instrument : participant.background->instruments) {
      const auto [place, fresh] = places.try_emplace(folded_case(instrument), out.instruments.size());
      if (fresh) out.instruments.emplace_back(instrument, 0);
      ++out.instruments[place->second].second;
    }
  }
  std::sort(out.years.begin(), out.years.end());
  std::stable_sort(out.instruments.begin(), out.instruments.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

/// The valid rankings of a query, by index of the candidates.
struct Ballots {
  std::vector<Tiers> counted;
  std::size_t unfinished = 0;
  std::size_t excluded = 0;
};

Ballots ballots_of(const Study& study, std::size_t query, const VoteOptions& options) {
  std::unordered_map<std::string_view, std::size_t> places;
  const std::vector<Candidate>& candidates = study.queries[query].candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) places.emplace(candidates[i].code, i);
  Ballots ballots;
  for (const Participant& participant : study.participants) {
    for (const Answer& answer : participant.answers) {
      if (answer.query != query || !answer.given()) continue;
      if (!participant.excluded.empty()) {
        ++ballots.excluded;
        continue;
      }
      if (!answer.done && !options.unfinished) {
        ++ballots.unfinished;
        continue;
      }
      Tiers tiers;
      for (const std::vector<std::string>& tier : answer.ranking) {
        std::vector<std::size_t> numbers;
        for (const std::string& code : tier) {
          if (const auto found = places.find(code); found != places.end()) numbers.push_back(found->second);
        }
        tiers.push_back(std::move(numbers));
      }
      ballots.counted.push_back(std::move(tiers));
    }
  }
  return ballots;
}

}  // namespace

QueryAnalysis analyse(const std::vector<Tiers>& ballots, std::size_t candidates, std::size_t minimum_votes) {
  QueryAnalysis out;
  out.answers = ballots.size();
  std::vector<std::vector<std::optional<double>>> ranks;
  ranks.reserve(ballots.size());
  for (const Tiers& ballot : ballots) ranks.push_back(ranks_of(ballot, candidates));
  for (std::size_t i = 0; i < candidates; ++i) {
    std::vector<double> received;
    for (const auto& person : ranks) {
      if (person[i]) received.push_back(*person[i]);
    }
    if (received.empty()) {
      out.unranked.push_back(i);
    } else if (received.size() < minimum_votes) {
      out.too_few.push_back(i);
    } else {
      out.judged.push_back({i, figures_of(std::move(received))});
    }
  }
  sort_judged(out.judged);
  for (std::size_t i = 0; i < out.judged.size(); ++i) {
    std::vector<statistics::PValue> row;
    for (std::size_t j = 0; j < i; ++j) row.push_back(test(out.judged[i].figures, out.judged[j].figures));
    out.p.push_back(std::move(row));
  }
  if (candidates > 0) out.agreement = agreement_of(completed(ranks));
  return out;
}

Analysis analyse(const Study& study, const VoteOptions& options) {
  Analysis out;
  out.votes = options;
  out.queries.resize(study.queries.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < study.queries.size(); i = next++) {
      const Ballots ballots = ballots_of(study, i, options);
      out.queries[i] = analyse(ballots.counted, study.queries[i].candidates.size(), options.minimum_votes);
      out.queries[i].unfinished = ballots.unfinished;
      out.queries[i].excluded = ballots.excluded;
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t most = std::min<std::size_t>(study.queries.size(), std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
    work();
  }
  out.experience = experience_of(study);
  return out;
}

}  // namespace rondo::study
