#include <algorithm>
#include <array>

#include "gpu/card.h"

namespace rondo::gpu {

Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number, std::uint32_t documents_range,
                 std::uint32_t least_common) {
  Query out{};
  out.melody = melody;
  out.number = number;
  std::array<std::uint8_t, kMostNotes> sorted{};
  std::array<std::uint8_t, kMostPitch + 1> seen{};
  std::array<std::array<std::uint8_t, kMostNotes>, kLevels> by_level{};
  std::array<std::uint32_t, kLevels> size{};
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::uint8_t pitch = notes[i].pitch;
    out.note[i] = notes[i];
    out.where[pitch] |= std::uint64_t{1} << i;
    sorted[i] = pitch;
    // A note beyond the last level is counted where the document has as many as that.
    const std::size_t level = std::min<std::size_t>(seen[pitch]++, kLevels - 1);
    by_level[level][size[level]++] = pitch;
  }
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(notes.size()));
  std::uint32_t entries = 0;
  const auto add = [&](std::uint32_t entry) {
    out.order[entries / 4] |= entry << (8 * (entries % 4));
    ++entries;
  };
  for (std::size_t level = 0; level < kLevels; ++level) {
    for (std::uint32_t i = 0; i < size[level]; ++i) add(by_level[level][i] | (i == 0 ? kNextLevel : 0));
  }
  while (entries % 4 != 0) add(kNoPitch);
  out.quads = static_cast<std::uint8_t>(entries / 4);
  // Lower or higher, fewer notes of the query lie within the range of any document than must be shared.
  int lowest = -kMostPitch;
  int highest = kMostPitch;
  if (least_common > 0 && least_common <= notes.size()) {
    lowest = -sorted[notes.size() - least_common];
    highest = static_cast<int>(documents_range) - sorted[least_common - 1];
  }
  out.lowest = static_cast<std::int16_t>(lowest);
  out.words = static_cast<std::uint8_t>(highest < lowest ? 0 : (highest - lowest) / 32 + 1);
  return out;
}

}  // namespace rondo::gpu
