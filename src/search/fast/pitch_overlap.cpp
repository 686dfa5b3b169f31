#include "search/fast/pitch_overlap.h"

#include <algorithm>

namespace rondo::fast {

bool PitchOverlap::suits(std::span<const std::int16_t> query) {
  return !query.empty() && query.size() <= kMostNotes &&
         std::all_of(query.begin(), query.end(), [](int p) { return p >= 0 && p < kPitches; });
}

PitchOverlap::PitchOverlap(std::span<const std::int16_t> query) {
  std::array<std::uint8_t, kPitches> counts{};
  for (const int p : query) ++counts[static_cast<std::size_t>(p)];
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (counts[p] > 0) pitches_.push_back({static_cast<std::uint8_t>(p), counts[p]});
  }
  lowest_ = pitches_.front().pitch;
  highest_ = pitches_.back().pitch;
}

std::uint8_t PitchOverlap::Counts::most() const {
  return *std::max_element(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(size));
}

bool PitchOverlap::count(const index::Segment& segment, const index::Segment::Notes& notes,
                         std::vector<std::uint8_t>& midi, Counts& out) const {
  midi.resize(notes.count);
  int low = kPitches;
  int high = -1;
  for (std::uint32_t i = 0; i < notes.count; ++i) {
    const int p = segment.midi(notes.first + i);
    midi[i] = static_cast<std::uint8_t>(p);
    low = std::min(low, p);
    high = std::max(high, p);
  }
  if (notes.count == 0 || low < 0 || high >= kPitches) return false;
  // Room on both sides, so that whole blocks may be read under every transposition that lays a note onto another.
  constexpr std::size_t kRoom = kPitches + 16;
  constexpr std::size_t kBlock = 16;
  thread_local std::array<std::uint8_t, kRoom + kPitches + kRoom + kBlock> histogram{};
  std::uint8_t* const at = histogram.data() + kRoom;
  for (const std::uint8_t p : midi) at[p] = static_cast<std::uint8_t>(at[p] + (at[p] < 255 ? 1 : 0));
  out.lowest = low - highest_;
  out.size = static_cast<std::size_t>(high - lowest_ - out.lowest) + 1;
  for (std::size_t block = 0; block < out.size; block += kBlock) {
    std::uint8_t sum[kBlock] = {};
    for (const Pitch& own : pitches_) {
      const std::uint8_t* other = at + (own.pitch + out.lowest) + static_cast<std::ptrdiff_t>(block);
      for (std::size_t k = 0; k < kBlock; ++k) {
        sum[k] = static_cast<std::uint8_t>(sum[k] + std::min(own.notes, other[k]));
      }
    }
    std::copy(sum, sum + kBlock, out.notes.begin() + static_cast<std::ptrdiff_t>(block));
  }
  for (const std::uint8_t p : midi) at[p] = 0;
  return true;
}

}  // namespace rondo::fast
