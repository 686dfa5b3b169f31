#include <algorithm>

#include "search/kernels/common_amounts.h"

namespace rondo::kernels {
namespace {

template <typename Amount>
Amount sum_each(const PitchAmounts<Amount>& query, const Amount* document, std::size_t size, Amount* out) {
  Amount most = 0;
  for (std::size_t t = 0; t < (size + kAmountBlock - 1) / kAmountBlock * kAmountBlock; ++t) {
    out[t] = 0;
    for (std::size_t i = 0; i < query.pitch.size(); ++i) {
      out[t] = static_cast<Amount>(out[t] + std::min(query.amount[i], document[query.pitch[i] + t]));
    }
    most = std::max(most, out[t]);
  }
  return most;
}

}  // namespace

std::uint8_t common_amounts_plain(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document,
                                  std::size_t size, std::uint8_t* out) {
  return sum_each(query, document, size, out);
}
std::int16_t common_amounts_plain(const PitchAmounts<std::int16_t>& query, const std::int16_t* document,
                                  std::size_t size, std::int16_t* out) {
  return sum_each(query, document, size, out);
}

}  // namespace rondo::kernels
