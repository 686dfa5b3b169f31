#include "search/fast/tally.h"

#include <numeric>

#include "search/kernels/tally.h"

namespace rondo::fast {

void add_lists(const index::Segment::Lists& lists, std::uint64_t window, int weight, int most,
               std::vector<WeightedList>& out) {
  const std::vector<int> weights(static_cast<std::size_t>(std::max(0, most)), weight);
  add_lists(lists, window, weights, out);
}

void add_lists(const index::Segment::Lists& lists, std::uint64_t window, std::span<const int> weights,
               std::vector<WeightedList>& out) {
  for (std::size_t times = 1; times <= std::min<std::size_t>(weights.size(), index::kTimes); ++times) {
    const index::Postings postings = lists.find(window, static_cast<std::uint32_t>(times));
    if (postings.size == 0) break;
    // The last list stands for all further times, too.
    const auto further = times == index::kTimes ? weights.end() : weights.begin() + static_cast<std::ptrdiff_t>(times);
    out.push_back({postings, std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(times) - 1, further, 0)});
  }
}

namespace {

std::vector<std::uint8_t>& cleared_sums(std::size_t documents) {
  thread_local std::vector<std::uint8_t> sums;
  sums.assign(documents, 0);
  return sums;
}

}  // namespace

Tally::Tally(std::uint32_t documents, std::vector<WeightedList> lists)
    : lists_(std::move(lists)), sums_(cleared_sums(documents)) {
  std::erase_if(lists_, [](const WeightedList& list) { return list.postings.size == 0 || list.weight == 0; });
  std::sort(lists_.begin(), lists_.end(), [](const WeightedList& a, const WeightedList& b) {
    return a.postings.size != b.postings.size ? a.postings.size < b.postings.size : a.postings.begin < b.postings.begin;
  });
  for (const WeightedList& list : lists_) outstanding_ += list.weight;
}

void Tally::read_next() {
  const WeightedList& list = lists_[next_++];
  outstanding_ -= list.weight;
  const auto weight = static_cast<std::uint8_t>(std::min(list.weight, kFull));
  if (list.postings.dense) {
    kernels::add_where(list.postings.begin, weight, sums_);
    return;
  }
  const std::size_t size = sums_.size();
  std::uint8_t* const sums = sums_.data();
  list.postings.each_sparse([=](std::uint64_t d) {
    if (d >= size) return;
    const unsigned sum = unsigned{sums[d]} + weight;
    sums[d] = static_cast<std::uint8_t>(std::min(sum, static_cast<unsigned>(kFull)));
  });
}

void Tally::collect(DocumentId begin, DocumentId end, int least, std::vector<DocumentId>& out, int most) const {
  if (least > most || least > kFull || most < 0) return;
  kernels::places_within({sums_.data() + begin, end - begin}, static_cast<std::uint8_t>(std::max(0, least)),
                         static_cast<std::uint8_t>(std::min(most, kFull)), begin, out);
}

std::size_t Tally::count(DocumentId begin, DocumentId end, int least) const {
  if (least > kFull) return 0;
  return kernels::count_at_least({sums_.data() + begin, end - begin}, static_cast<std::uint8_t>(std::max(0, least)));
}

std::size_t Tally::estimate(DocumentId begin, DocumentId end, int least) const {
  constexpr DocumentId kStretch = 1024;
  constexpr DocumentId kEvery = 16;
  if (end - begin < kStretch * kEvery) return count(begin, end, least);
  std::size_t found = 0;
  for (DocumentId from = begin; end - from >= kStretch; from += std::min(end - from, kStretch * kEvery)) {
    found += count(from, from + kStretch, least);
  }
  return found * kEvery;
}

}  // namespace rondo::fast
