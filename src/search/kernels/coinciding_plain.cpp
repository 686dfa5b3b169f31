#include <algorithm>

#include "search/kernels/coinciding.h"

namespace rondo::kernels {

template <typename Word>
Circles<Word>::Circles(std::size_t words, std::span<const std::uint8_t> pitch, std::span<const std::uint32_t> time)
    : words_(words),
      low_(*std::min_element(pitch.begin(), pitch.end())),
      high_(*std::max_element(pitch.begin(), pitch.end())),
      turned_(words * kPlaces * stride()) {
  for (std::size_t i = 0; i < pitch.size(); ++i) {
    const auto index = static_cast<std::size_t>(index_of(pitch[i]));
    const std::uint32_t place = time[i] & (places() - 1);
    for (std::uint32_t turn = 0; turn < kPlaces; ++turn) {
      const std::uint32_t to = (place - turn) & (places() - 1);
      Word& word = turned_[(to / kPlaces * kPlaces + turn) * stride() + index];
      word = static_cast<Word>(word | Word{1} << to % kPlaces);
    }
  }
}
template class Circles<std::uint32_t>;
template class Circles<std::uint64_t>;

namespace {

template <typename Word>
bool enough_meet(const Circles<Word>& query, const TurnedRows& document, int transposition, std::uint32_t least) {
  for (std::uint32_t from = 0; from < query.places(); ++from) {
    std::uint32_t met = 0;
    for (std::size_t j = 0; j < document.notes; ++j) {
      const std::uint32_t time = document.onset[j] >> static_cast<unsigned>(document.halvings);
      met += query.has(document.pitch[j] - transposition, (from + time) % query.places()) ? 1 : 0;
    }
    if (met >= least) return true;
  }
  return false;
}

}  // namespace

bool enough_roughly_plain(const RoughCircle& query, const TurnedRows& document, int lowest, int highest,
                          std::uint32_t least, Transpositions& out) {
  out.lowest = lowest;
  out.bits = {};
  bool any = false;
  for (int t = lowest; t <= highest; ++t) {
    if (!enough_meet(query, document, t, least)) continue;
    const auto bit = static_cast<unsigned>(t - lowest);
    out.bits[bit / 64] |= std::uint64_t{1} << bit % 64;
    any = true;
  }
  return any;
}

std::uint32_t enough_coincide_plain(const FineCircles& query, const TurnedRows& document, int first,
                                    std::uint32_t least) {
  std::uint32_t enough = 0;
  for (int t = 0; t < FineCircles::kTogether; ++t) {
    if (enough_meet(query, document, first + t, least)) enough |= 1U << static_cast<unsigned>(t);
  }
  return enough;
}

}  // namespace rondo::kernels
