#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "search/fast/method.h"
#include "search/fast/tally.h"
#include "search/index/grams.h"

namespace rondo::fast {
namespace {

/// For ngr5, the number of distinct sequences of five intervals that two melodies share. A document with such a
/// sequence has each of the three folded windows in it; so each sequence is looked for in the shortest of the three
/// lists, and a document's score is at most the number of sequences that found it. Of a long query, where nearly every
/// document is in many of these lists, it is looked for in all three.
class Ngr5Lists final : public Method {
 public:
  static constexpr std::size_t kShortest = 6;  ///< notes that five intervals need

  Ngr5Lists(const Line& query, std::size_t shortest) : shortest_(shortest) {
    std::set<std::vector<std::uint32_t>> seen;
    for (std::size_t i = 0; i + 4 <= query.size(); ++i) windows_.push_back(index::folded_window(query.pitch, i));
    for (std::size_t i = 0; i + kShortest <= query.size(); ++i) {
      const auto first = windows_.begin() + static_cast<std::ptrdiff_t>(i);
      const std::vector<std::uint32_t> windows(first, first + 3);
      is_new_.push_back(seen.insert(windows).second);
      if (!is_new_.back()) continue;
      // Windows overlap by two intervals, so the first and the last hold all five.
      const std::uint64_t whole = joined(windows.front(), windows.back());
      known_.emplace(whole, sequences_.size());
      perhaps_[place_of(whole)] = 1;
      sequences_.push_back(windows);
    }
  }

  void run(const SegmentView& view, Workers& workers) const override {
    const Segment& segment = *view.segment;
    const bool is_long = sequences_.size() >= kManySequences;
    Tally tally(segment.size(), is_long ? std::vector<WeightedList>() : shortest_lists(segment));
    while (!tally.done()) tally.read_next();
    if (is_long) add_by_all_lists(segment, tally);

    // From the most promising down; a level whose documents cannot reach the threshold ends it. kFull may hide more. To
    // look through all sums costs as much as to read some lists, so it is done once for all the high levels.
    const int low = lowest_level(tally, segment.size());
    std::vector<DocumentId> promising;
    tally.collect(0, segment.size(), low, promising);
    int highest = low - 1;
    for (const DocumentId d : promising) highest = std::max(highest, tally.sum(d));
    std::vector<DocumentId> documents;
    for (int level = highest; level >= 1; --level) {
      if (level < Tally::kFull && level < workers.first().threshold()) break;
      documents.clear();
      if (level < low) {
        promising.clear();
        tally.collect(0, segment.size(), level, promising);
      }
      std::copy_if(promising.begin(), promising.end(), std::back_inserter(documents),
                   [&](DocumentId d) { return tally.sum(d) == level; });
      constexpr std::size_t kPiece = 256;
      const auto document_at = [&](std::size_t i) { return documents[i]; };
      workers.share(view, documents.size(), kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
        thread_local std::vector<Segment::Notes> notes;
        segment.notes_of(std::span(documents).subspan(begin, end - begin), notes);
        for (const Segment::Notes& one : notes) segment.announce_pitches(one);
        for (std::size_t i = begin; i < end; ++i) {
          if (notes[i - begin].count < shortest_ || !view.has(documents[i])) continue;
          top_k.offer_scored(view, documents[i], count(segment, notes[i - begin]));
        }
        top_k.looked_at(end - begin);
      });
    }
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  static constexpr std::size_t kManySequences = 24;  ///< sequences from which on it pays to read all lists

  /// Of each sequence the shortest of its lists.
  [[nodiscard]] std::vector<WeightedList> shortest_lists(const Segment& segment) const {
    std::map<std::uint32_t, int> worth;
    for (const auto& windows : sequences_) {
      ++worth[*std::min_element(windows.begin(), windows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return segment.four().find(a, 1).size < segment.four().find(b, 1).size;
      })];
    }
    std::vector<WeightedList> lists;
    lists.reserve(worth.size());
    for (const auto& [window, sequences] : worth) lists.push_back({segment.four().find(window, 1), sequences});
    return lists;
  }

  /// A bit for each document of a list.
  static void read(const index::Postings& postings, std::uint32_t documents, Bits& out) {
    static_assert(std::endian::native == std::endian::little, "dense lists are bytes of eight documents");
    out.assign((documents + 63) / 64, 0);
    if (postings.dense) {
      const auto bytes = static_cast<std::size_t>(postings.end - postings.begin);
      std::memcpy(out.data(), postings.begin, std::min(bytes, out.size() * sizeof(std::uint64_t)));
      return;
    }
    postings.each_sparse([&](std::uint64_t d) {
      if (d < documents) out[d / 64] |= std::uint64_t{1} << d % 64;
    });
  }

  /// Counts for each document the sequences of which it has all three windows. Sequences overlap, so each list is read
  /// once for up to three of them.
  void add_by_all_lists(const Segment& segment, Tally& tally) const {
    thread_local Bits of_window[3];
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      read(segment.four().find(windows_[i], 1), segment.size(), of_window[i % 3]);
      if (i < 2 || !is_new_[i - 2]) continue;
      for (std::size_t w = 0; w < of_window[0].size(); ++w) {
        for (std::uint64_t all = of_window[0][w] & of_window[1][w] & of_window[2][w]; all != 0; all &= all - 1) {
          const auto d = static_cast<DocumentId>(w * 64 + static_cast<std::size_t>(std::countr_zero(all)));
          if (d < segment.size()) tally.add_one(d);
        }
      }
    }
  }

  static std::uint64_t joined(std::uint32_t first, std::uint32_t last) { return std::uint64_t{first} << 32U | last; }
  /// Where a sequence is in `perhaps_`: the golden ratio spreads neighbours.
  static std::size_t place_of(std::uint64_t whole) { return whole * 0x9E3779B97F4A7C15U >> (64 - kPlaceBits); }

  /// The lowest sum that not too many documents reach, by halving.
  [[nodiscard]] int lowest_level(const Tally& tally, DocumentId documents) const {
    constexpr std::size_t kMany = 8192;
    int low = 1;
    int high = static_cast<int>(std::min<std::size_t>(Tally::kFull, sequences_.size()));
    while (low < high) {
      const int middle = (low + high) / 2;
      if (tally.estimate(0, documents, middle) <= kMany) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// The folded windows of a document.
  static void read_windows(const Segment& segment, const Segment::Notes& notes, std::vector<std::uint32_t>& out) {
    out.clear();
    std::uint32_t intervals[3] = {};
    int pitch = notes.count == 0 ? 0 : segment.midi(notes.first);
    for (std::uint32_t i = 1; i < notes.count; ++i) {
      const int next = segment.midi(notes.first + i);
      intervals[0] = std::exchange(intervals[1], std::exchange(intervals[2], index::folded_interval(next - pitch)));
      pitch = next;
      if (i >= 3) out.push_back((intervals[0] * 25 + intervals[1]) * 25 + intervals[2]);
    }
  }

  /// The score itself: how many of the query's sequences the document has.
  [[nodiscard]] double count(const Segment& segment, const Segment::Notes& notes) const {
    thread_local std::vector<std::uint32_t> windows;
    thread_local std::vector<std::uint64_t> found;  // a bit for each sequence
    read_windows(segment, notes, windows);
    found.assign((sequences_.size() + 63) / 64, 0);
    // Which of the next sequences may be known is gathered without a branch: of a long query it cannot be foreseen.
    for (std::size_t begin = 0; begin + 2 < windows.size(); begin += 64) {
      const std::size_t some = std::min<std::size_t>(64, windows.size() - 2 - begin);
      const auto whole = [&](std::size_t i) { return joined(windows[begin + i], windows[begin + i + 2]); };
      std::uint64_t perhaps = 0;
      for (std::size_t i = 0; i < some; ++i) perhaps |= std::uint64_t{perhaps_[place_of(whole(i))]} << i;
      for (; perhaps != 0; perhaps &= perhaps - 1) {
        const auto sequence = known_.find(whole(static_cast<std::size_t>(std::countr_zero(perhaps))));
        if (sequence == known_.end()) continue;
        found[sequence->second / 64] |= std::uint64_t{1} << sequence->second % 64;
      }
    }
    int count = 0;
    for (const std::uint64_t bits : found) count += std::popcount(bits);
    return count;
  }

  std::size_t shortest_;
  std::vector<std::uint32_t> windows_;  ///< in the order of the query
  std::vector<bool> is_new_;            ///< whether the sequence that begins with that window does not come earlier
  std::vector<std::vector<std::uint32_t>> sequences_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
  /// Where it is 0 a sequence is not the query's. Not of bits: it is looked at most.
  static constexpr unsigned kPlaceBits = 14;
  std::vector<std::uint8_t> perhaps_ = std::vector<std::uint8_t>(std::size_t{1} << kPlaceBits, 0);
};

}  // namespace

std::unique_ptr<Method> make_method(const SharedIntervalsPlan& /*plan*/, const Task& task) {
  // What shares nothing is not in the lists.
  if (!task.zero_is_none || task.query.size() < Ngr5Lists::kShortest) return nullptr;
  return std::make_unique<Ngr5Lists>(task.query, task.shortest);
}

}  // namespace rondo::fast
