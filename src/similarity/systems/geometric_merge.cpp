// P1, P2 and P3 for long melodies: a merge generates the pairs of notes in order, without storing them.

#include <algorithm>
#include <map>
#include <vector>

#include "base/interrupt.h"
#include "similarity/points.h"
#include "similarity/systems/geometric.h"

namespace rondo::geometric {
namespace {

/// Notes of one pitch, in order of time; none overlap, so onsets and ends both ascend.
struct PitchTimes {
  std::vector<std::int64_t> onsets;
  std::vector<std::int64_t> ends;
};

std::map<std::int32_t, PitchTimes> times_by_pitch(const Points& points) {
  std::map<std::int32_t, PitchTimes> out;
  for (const Point& point : points.points) {
    out[point.pitch].onsets.push_back(point.onset);
    out[point.pitch].ends.push_back(point.end);
  }
  return out;
}

/// Differences between the notes of one pitch in the document and one time of the query.
struct DifferenceList {
  const std::vector<std::int64_t>* times;
  std::int64_t origin;
  std::int32_t slope;  ///< for P3
  std::size_t next = 0;
  [[nodiscard]] std::int64_t front() const { return (*times)[next] - origin; }
};

/// Calls visit(time, slope) for the differences of all lists in ascending order of time. False: interrupted.
template <typename Visit>
bool merge_differences(std::vector<DifferenceList>& lists, const Visit& visit) {
  const auto later = [](const DifferenceList& a, const DifferenceList& b) { return a.front() > b.front(); };
  std::make_heap(lists.begin(), lists.end(), later);
  constexpr std::size_t kSteps = 16'384;  // between two interrupt checks
  for (std::size_t step = 1; !lists.empty(); ++step) {
    if (step % kSteps == 0 && interrupted()) return false;
    std::pop_heap(lists.begin(), lists.end(), later);
    DifferenceList& list = lists.back();
    visit(list.front(), list.slope);
    if (++list.next == list.times->size()) {
      lists.pop_back();
    } else {
      std::push_heap(lists.begin(), lists.end(), later);
    }
  }
  return true;
}

/// Calls at_pitch(transposition) for every difference of pitches, in ascending order, until it returns false.
template <typename AtPitch>
void for_each_transposition(const std::map<std::int32_t, PitchTimes>& query,
                            const std::map<std::int32_t, PitchTimes>& document, const AtPitch& at_pitch) {
  std::vector<std::int32_t> differences;
  for (const auto& [low, unused] : query) {
    for (const auto& [high, unused_too] : document) differences.push_back(high - low);
  }
  std::sort(differences.begin(), differences.end());
  differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
  for (const std::int32_t transposition : differences) {
    if (!at_pitch(transposition)) return;
  }
}

}  // namespace

Shift most_coinciding_merged(const Points& query, const Points& document) {
  const auto own = times_by_pitch(query);
  const auto others = times_by_pitch(document);
  Shift best;
  std::vector<DifferenceList> lists;
  for_each_transposition(own, others, [&](std::int32_t transposition) {
    lists.clear();
    for (const auto& [pitch, times] : own) {
      const auto found = others.find(pitch + transposition);
      if (found == others.end()) continue;
      for (const std::int64_t onset : times.onsets) lists.push_back({&found->second.onsets, onset, 0});
    }
    std::int64_t last = 0;
    std::int64_t count = 0;
    return merge_differences(lists, [&](std::int64_t time, std::int32_t /*slope*/) {
      count = count > 0 && time == last ? count + 1 : 1;
      last = time;
      if (count > best.gain) best = {time, transposition, count};
    });
  });
  return best;
}

Shift longest_common_time_merged(const Points& query, const Points& document) {
  const auto own = times_by_pitch(query);
  const auto others = times_by_pitch(document);
  Shift best;
  std::vector<DifferenceList> lists;
  for_each_transposition(own, others, [&](std::int32_t transposition) {
    lists.clear();
    for (const auto& [pitch, times] : own) {
      const auto found = others.find(pitch + transposition);
      if (found == others.end()) continue;
      const PitchTimes& other = found->second;
      for (std::size_t i = 0; i < times.onsets.size(); ++i) {
        lists.push_back({&other.onsets, times.ends[i], +1});
        lists.push_back({&other.onsets, times.onsets[i], -1});
        lists.push_back({&other.ends, times.ends[i], -1});
        lists.push_back({&other.ends, times.onsets[i], +1});
      }
    }
    std::int64_t last = 0;
    std::int64_t common = 0;
    std::int64_t slope_now = 0;
    bool first = true;
    return merge_differences(lists, [&](std::int64_t time, std::int32_t slope) {
      if (!first) common += slope_now * (time - last);
      first = false;
      last = time;
      if (common > best.gain) best = {time, transposition, common};
      slope_now += slope;
    });
  });
  return best;
}

}  // namespace rondo::geometric
