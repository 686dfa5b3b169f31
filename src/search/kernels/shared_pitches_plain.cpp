#include <algorithm>
#include <bit>

#include "search/kernels/shared_pitches.h"

namespace rondo::kernels {

SharedQuery::SharedQuery(std::span<const std::uint8_t> pitches, std::uint8_t needs, bool in_both)
    : sorted(pitches.begin(), pitches.end()), least(needs), both(in_both) {
  std::sort(sorted.begin(), sorted.end());
  for (const std::uint8_t one : sorted) {
    if (pitch.empty() || pitch.back() != one) {
      pitch.push_back(one);
      count.push_back(0);
    }
    if (count.back() < 255) ++count.back();
  }
}

void SharedGroup::set(std::size_t document, std::span<const std::uint8_t> pitches, std::uint8_t needs) {
  for (const std::uint8_t pitch : pitches) {
    if (count[pitch][document] < 255) ++count[pitch][document];
    range = std::max(range, pitch);
  }
  least[document] = needs;
  lowest_least = std::min(lowest_least, needs);
  there |= std::uint64_t{1} << document;
}

void SharedHits::reserve(std::size_t groups) {
  // In each transposition every document; and a whole vector may be written behind the last.
  const std::size_t most = groups * kSharedGroup * (2 * kSharedRange + 1) + kSharedGroup;
  if (document.size() >= most) return;
  document.resize(most);
  shift.resize(most);
}

void shared_pitches_plain(const SharedQuery& query, const SharedRange& range, SharedHits& out) {
  out.size = 0;
  out.distinct = 0;
  for (std::size_t g = range.begin / kSharedGroup; g * kSharedGroup < range.end; ++g) {
    const SharedGroup& group = range.groups[g];
    std::uint64_t found = 0;
    for (int t = -kSharedRange; t <= group.range; ++t) {
      for (std::size_t d = 0; d < kSharedGroup; ++d) {
        if ((wanted_of(range, g) >> d & 1U) == 0) continue;
        int shared = 0;
        for (std::size_t i = 0; i < query.pitch.size(); ++i) {
          const int at = query.pitch[i] + t;
          if (at >= 0 && at <= kSharedRange) shared += std::min(query.count[i], group.count[at][d]);
        }
        const int need = query.both ? std::max(query.least, group.least[d]) : std::min(query.least, group.least[d]);
        if (std::min(shared, 255) < need) continue;
        found |= std::uint64_t{1} << d;
        out.document[out.size] = static_cast<std::uint32_t>(g * kSharedGroup + d);
        out.shift[out.size++] = static_cast<std::uint8_t>(t) * 0x01010101U;
      }
    }
    out.distinct += static_cast<std::uint64_t>(std::popcount(found));
  }
}

}  // namespace rondo::kernels
