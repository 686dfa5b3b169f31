#pragma once

#include <memory>
#include <span>

#include "gpu/device.h"
#include "search/scores.h"

namespace rondo {

/// score_matrix on a GPU, identical to the last bit, for the system rondo. The CPU compares melodies that the card
/// cannot. False: stopped on demand. Errors: `device-system`, those of gpu::Card; `out` is then invalid.
[[nodiscard]] Result<bool> score_matrix_on_card(const SystemRow& row, const System& system, const Corpus& corpus,
                                                std::span<double> out, const ScoresOptions& options,
                                                const std::shared_ptr<gpu::Card>& card);

}  // namespace rondo
