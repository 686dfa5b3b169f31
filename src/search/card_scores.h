#pragma once

#include <memory>
#include <span>

#include "gpu/device.h"
#include "search/scores.h"

namespace rondo {

/// score_matrix on a graphics card, to the last bit, for the system rondo. Melodies that the card cannot compare are
/// compared by the CPU. False: stopped on demand. Errors: `device-system`, those of gpu::Card; `out` is then of no use.
[[nodiscard]] Result<bool> score_matrix_on_card(const SystemRow& row, const System& system, const Corpus& corpus,
                                                std::span<double> out, const ScoresOptions& options, gpu::Card& card);

}  // namespace rondo
