#include <algorithm>

#include "search/kernels/tune.h"

namespace rondo::kernels {
namespace {

std::int32_t share_of(std::int32_t time, std::int64_t sounding) {
  return 1 + static_cast<std::int32_t>(static_cast<float>(time) * (kTunedWhole / static_cast<float>(sounding)));
}

}  // namespace

TunedQuery::TunedQuery(const TimeOnPitches& query)
    : share(kReverse + TuneWork::kTranspositions, 0), size(query.size), low(query.low), high(query.high) {
  for (std::size_t k = 0; k < query.size; ++k) {
    share[static_cast<std::size_t>(kReverse - query.pitch[k])] =
        static_cast<std::int16_t>(share_of(query.time[k], query.sounding));
  }
}

std::size_t tune_plain(const TunedQuery& query, const TimeOnPitches& document, TuneWork& work) {
  work.common.fill(0);
  for (std::size_t k = 0; k < document.size; ++k) {
    const std::int32_t amount = share_of(document.time[k], document.sounding);
    for (int p = query.low; p <= query.high; ++p) {
      const std::int32_t own = query.share[static_cast<std::size_t>(TunedQuery::kReverse - p)];
      std::int16_t& common = work.common[static_cast<std::size_t>(kTunedPitches + document.pitch[k] - p)];
      common = static_cast<std::int16_t>(common + std::min(amount, own));
    }
  }
  const int most = *std::max_element(work.common.begin(), work.common.end());
  const int least = std::max(1, most - tune_slack(query, document));
  std::size_t found = 0;
  for (std::size_t t = 0; t < work.common.size(); ++t) {
    if (work.common[t] >= least) work.best[found++] = static_cast<std::int16_t>(static_cast<int>(t) - kTunedPitches);
  }
  return found;
}

}  // namespace rondo::kernels
