#include "search/fast/tally.h"

#include "search/kernels/bytes_at_least.h"

namespace rondo::fast {

Tally::Tally(std::uint32_t documents, std::vector<WeightedList> lists) : lists_(std::move(lists)), sums_(documents, 0) {
  std::erase_if(lists_, [](const WeightedList& list) { return list.postings.size == 0 || list.weight == 0; });
  std::sort(lists_.begin(), lists_.end(), [](const WeightedList& a, const WeightedList& b) {
    return a.postings.size != b.postings.size ? a.postings.size < b.postings.size
                                              : a.postings.begin < b.postings.begin;
  });
  for (const WeightedList& list : lists_) outstanding_ += list.worth();
}

void Tally::read_next() {
  const WeightedList& list = lists_[next_++];
  outstanding_ -= list.worth();
  const std::size_t size = sums_.size();
  std::uint8_t* const sums = sums_.data();
  const auto most = static_cast<unsigned>(list.most);
  const auto weight = static_cast<unsigned>(list.weight);
  list.postings.each([=](std::uint32_t d, std::uint32_t count) {
    if (d >= size) return;
    const unsigned sum = sums[d] + weight * std::min(count, most);
    sums[d] = static_cast<std::uint8_t>(std::min(sum, static_cast<unsigned>(kFull)));
  });
}

void Tally::collect(DocumentId begin, DocumentId end, int least, std::vector<DocumentId>& out) const {
  if (least > kFull) return;
  kernels::bytes_at_least({sums_.data() + begin, end - begin}, static_cast<std::uint8_t>(std::max(0, least)), begin,
                          out);
}

std::size_t Tally::count(DocumentId begin, DocumentId end, int least) const {
  if (least > kFull) return 0;
  return kernels::count_bytes_at_least({sums_.data() + begin, end - begin},
                                       static_cast<std::uint8_t>(std::max(0, least)));
}

}  // namespace rondo::fast
