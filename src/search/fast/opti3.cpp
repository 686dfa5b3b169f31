#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/index/grams.h"

namespace rondo::fast {
namespace {

/// For opti3, 0.505 intervals + 0.417 rhythm + 0.24 harmony - 0.146. Its rhythm and harmony are 1 at most; its
/// intervals are 2s / (a + b) for s windows of three intervals in common among the a and b of the two, and windows that
/// are equal are also equal folded into the octave, which are few enough to be counted in a table.
class Opti3Grams final : public Sieve {
 public:
  Opti3Grams(const Line& query, std::size_t shortest) : Sieve(shortest), windows_(query.size() - 3) {
    for (std::size_t i = 0; i < windows_; ++i) {
      std::uint16_t& count = counts_[index::folded_window(query.pitch, i)];
      if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
    }
    for (int interval = -127; interval <= 127; ++interval) {
      folded_[static_cast<std::size_t>(interval + 127)] = static_cast<std::uint8_t>(index::folded_interval(interval));
    }
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    thread_local std::vector<std::uint8_t> midi;
    thread_local std::vector<std::uint16_t> counts;
    thread_local std::vector<std::uint32_t> met;
    counts = counts_;
    const auto both = static_cast<double>(windows_ + notes - 3);
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      *bound = kUnknown;
      if (!read_pitches(segment, {first + std::uint64_t{d - begin} * notes, notes}, midi)) continue;
      met.clear();
      std::uint32_t window = 0;
      for (std::uint32_t i = 1; i < notes; ++i) {
        window = (window * 25 + folded_[static_cast<std::size_t>(midi[i] - midi[i - 1] + 127)]) % index::kFolded;
        if (i < 3 || counts[window] == 0) continue;
        --counts[window];
        met.push_back(window);
      }
      for (const std::uint32_t one : met) ++counts[one];
      *bound = raised(0.505 * (2 * static_cast<double>(met.size()) / both) + 0.417 + 0.24 - 0.146);
    }
  }
  void fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const override {}

 private:
  std::size_t windows_;
  std::vector<std::uint16_t> counts_ = std::vector<std::uint16_t>(index::kFolded, 0);
  std::array<std::uint8_t, 255> folded_{};
};

}  // namespace

std::unique_ptr<Method> make_opti3_method(const Task& task) {
  if (task.row.name != "opti3" || task.query.size() < task.row.shortest) return nullptr;
  return std::make_unique<Opti3Grams>(task.query, task.row.shortest);
}

}  // namespace rondo::fast
