// Melodies in the memory of a card; compiled only with RONDO_CUDA.
#include "gpu/cuda_slice.cuh"

namespace rondo::gpu {
namespace {

cudaError_t fill_for_pairs(CudaSlice& slice) {
  cudaError_t status = slice.planes.allocate(slice.documents);
  if (status == cudaSuccess) status = slice.needs.allocate(slice.documents);
  if (status != cudaSuccess) return status;
  return fill_gains_on_card(slice.view(), slice.documents, slice.planes.data(), slice.needs.data());
}

cudaError_t fill_for_totals(CudaSlice& slice, const MelodySpan& melodies, const CostTables& costs) {
  slice.own_costs = costs;
  slice.codes = bound_codes(costs.of[1]);
  const RhythmNumbers rhythms(melodies);
  slice.rhythm_count = static_cast<std::uint32_t>(rhythms.rhythms().size());
  std::vector<std::uint32_t> tiles;
  std::vector<PackedNote> packed;
  for (std::size_t begin = 0; begin < melodies.melodies.size(); begin += kTileDocuments) {
    const auto tile =
        melodies.melodies.subspan(begin, std::min<std::size_t>(kTileDocuments, melodies.melodies.size() - begin));
    const std::size_t at = packed.size();
    tiles.push_back(static_cast<std::uint32_t>(at));
    std::uint32_t notes = 0;
    for (const Melody& melody : tile) notes = std::max<std::uint32_t>(notes, melody.notes);
    packed.resize(at + std::size_t{notes} * kTileDocuments);
    for (std::size_t d = 0; d < tile.size(); ++d) {
      for (std::uint32_t j = 0; j < tile[d].notes; ++j) {
        const Note& note = melodies.notes[tile[d].first_note + j];
        packed[at + j * kTileDocuments + d] = packed_note(note, rhythms.number(note), j + 1U == tile[d].notes);
        slice.most_gap = std::max<std::int32_t>(slice.most_gap, note.gap);
      }
    }
  }
  cudaError_t status = slice.packed.fill(std::span<const PackedNote>(packed));
  if (status == cudaSuccess) status = slice.tiles.fill(std::span<const std::uint32_t>(tiles));
  if (status == cudaSuccess) status = slice.rhythm_numbers.fill(rhythms.numbers());
  if (status == cudaSuccess) status = slice.rhythms.fill(rhythms.rhythms());
  return status;
}

}  // namespace

cudaError_t load_slice(const MelodySpan& melodies, const CostTables& costs, SliceUse use, CudaSlice& slice) {
  slice.documents = static_cast<std::uint32_t>(melodies.melodies.size());
  for (std::uint32_t d = 0; d < slice.documents; ++d) {
    const std::uint32_t notes = melodies.melodies[d].notes;
    slice.most_notes = std::max(slice.most_notes, notes);
    for (std::size_t b = 0; b < std::size(CudaSlice::kBounds); ++b) {
      if (slice.most_notes <= CudaSlice::kBounds[b]) slice.up_to[b] = d + 1;
    }
  }
  std::vector<std::uint32_t> pitches((melodies.notes.size() + 3) / 4, kNoPitches);
  for (const Melody& melody : melodies.melodies) {
    for (std::uint32_t i = melody.first_note; i < melody.first_note + melody.notes; ++i) {
      pitches[i / 4] ^= (std::uint32_t{melodies.notes[i].pitch} ^ 255U) << (8 * (i % 4));
    }
  }
  cudaError_t status = slice.melodies.fill(melodies.melodies);
  if (status == cudaSuccess) status = slice.notes.fill(melodies.notes);
  if (status == cudaSuccess) status = slice.pitches.fill(std::span<const std::uint32_t>(pitches));
  if (status == cudaSuccess) status = slice.costs.fill({&costs, 1});
  if (status != cudaSuccess) return status;
  return use == SliceUse::pairs ? fill_for_pairs(slice) : fill_for_totals(slice, melodies, costs);
}

}  // namespace rondo::gpu
