#include <algorithm>

#include "search/kernels/coinciding.h"

namespace rondo::kernels {

namespace {

std::uint32_t greatest_prime(std::uint32_t at_most) {
  for (std::uint32_t number = at_most;; --number) {
    bool prime = true;
    for (std::uint32_t divisor = 2; prime && divisor * divisor <= number; ++divisor) prime = number % divisor != 0;
    if (prime) return number;
  }
}

}  // namespace

template <typename Word>
Circles<Word>::Circles(std::size_t words, std::span<const std::uint8_t> pitch, std::span<const std::uint32_t> time)
    : words_(words),
      places_(greatest_prime(static_cast<std::uint32_t>(words) * kBits)),
      low_(*std::min_element(pitch.begin(), pitch.end())),
      high_(*std::max_element(pitch.begin(), pitch.end())),
      turned_((places_ + 1) * stride()) {
  for (std::size_t i = 0; i < pitch.size(); ++i) {
    const auto index = static_cast<std::size_t>(index_of(pitch[i]));
    const std::uint32_t place = time[i] % places_;
    for (std::uint32_t bit = 0; bit < kBits; ++bit) {
      // A word that is longer than the circle repeats its first places.
      Word& word = turned_[(place + 2 * places_ * kBits - bit) % places_ * stride() + index];
      word = static_cast<Word>(word | Word{1} << bit);
    }
  }
}
template class Circles<std::uint32_t>;
template class Circles<std::uint64_t>;

namespace {

/// `place_of(j)` is the place of a note, or places() for none.
template <typename Word, typename PlaceOf>
bool enough_meet(const Circles<Word>& query, std::size_t notes, const std::uint8_t* pitch, const PlaceOf& place_of,
                 int transposition, std::uint32_t least) {
  for (std::uint32_t from = 0; from < query.places(); ++from) {
    std::uint32_t met = 0;
    for (std::size_t j = 0; j < notes; ++j) {
      const std::uint32_t place = place_of(j);
      if (place == query.places()) continue;
      met += query.has(pitch[j] - transposition, (from + place) % query.places()) ? 1 : 0;
    }
    if (met >= least) return true;
  }
  return false;
}

}  // namespace

void enough_roughly_plain(const RoughCircle& query, std::span<PlacedNotes> documents, Reach reach, std::uint32_t least,
                          std::uint32_t* /*rows*/) {
  for (PlacedNotes& document : documents) {
    const auto [low, high] = std::minmax_element(document.pitch, document.pitch + document.notes);
    const int lowest = *low + reach.lowest;
    document.chances = {lowest, {}};
    document.any = false;
    for (int t = lowest; t <= *high + reach.highest; ++t) {
      const auto place_of = [&](std::size_t j) -> std::uint32_t { return document.place[j]; };
      if (!enough_meet(query, document.notes, document.pitch, place_of, t, least)) continue;
      const auto bit = static_cast<unsigned>(t - lowest);
      document.chances.bits[bit / 64] |= std::uint64_t{1} << bit % 64;
      document.any = true;
    }
  }
}

std::uint32_t enough_coincide_plain(const FineCircles& query, const TimedNotes& document, int first,
                                    std::uint32_t least) {
  std::uint32_t enough = 0;
  for (int t = 0; t < FineCircles::kTogether; ++t) {
    const auto place_of = [&](std::size_t j) { return document.onset[j] % query.places(); };
    if (enough_meet(query, document.notes, document.pitch.data(), place_of, first + t, least)) {
      enough |= 1U << static_cast<unsigned>(t);
    }
  }
  return enough;
}

}  // namespace rondo::kernels
