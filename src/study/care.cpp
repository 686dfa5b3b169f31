#include "study/care.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

namespace rondo::study {
namespace {

/// Seconds since 1970 of "2026-03-01T12:30:00.123Z"; nothing for another form.
std::optional<double> seconds_of(const std::string& at) {
  if (at.size() < 19) return std::nullopt;
  const auto part = [&](std::size_t from, std::size_t length) {
    int value = -1;
    std::from_chars(at.data() + from, at.data() + from + length, value);
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(part(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  if (!day.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(day).time_since_epoch().count());
  const double clock = part(11, 2) * 3600.0 + part(14, 2) * 60.0 + part(17, 2);
  return days * 86400 + clock + (at.size() >= 23 ? part(20, 3) / 1000.0 : 0.0);
}

bool query_is_first(const Query& query, const Ranking& ranking) {
  if (ranking.empty()) return false;
  return std::any_of(query.candidates.begin(), query.candidates.end(), [&](const Candidate& candidate) {
    return candidate.planted &&
           std::find(ranking.front().begin(), ranking.front().end(), candidate.code) != ranking.front().end();
  });
}

}  // namespace

Care care_of(const Study& study, const Participant& participant) {
  Care care;
  care.saves = participant.moves.size();
  std::map<std::size_t, std::pair<double, double>> spans;
  for (const Move& move : participant.moves) {
    const auto at = seconds_of(move.at);
    if (!at) continue;
    const auto [span, fresh] = spans.try_emplace(move.query, *at, *at);
    span->second = {std::min(span->second.first, *at), std::max(span->second.second, *at)};
  }
  std::vector<double> lengths;
  for (const Answer& answer : participant.answers) {
    if (!answer.done) continue;
    ++care.finished;
    if (answer.ranking.empty()) ++care.unchanged;
    const Query& query = study.queries[answer.query];
    const bool planted = std::any_of(query.candidates.begin(), query.candidates.end(),
                                     [](const Candidate& candidate) { return candidate.planted; });
    if (planted) {
      ++care.planted;
      if (!query_is_first(query, answer.ranking)) ++care.misplaced;
    }
    if (const auto span = spans.find(answer.query); span != spans.end()) {
      lengths.push_back(span->second.second - span->second.first);
    }
  }
  if (lengths.empty()) return care;
  std::sort(lengths.begin(), lengths.end());
  care.seconds = (lengths[(lengths.size() - 1) / 2] + lengths[lengths.size() / 2]) / 2;
  return care;
}

}  // namespace rondo::study
