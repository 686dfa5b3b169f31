#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rondo/base/result.h"

/// Comparing melodies on a graphics card: docs/gpu.md.
namespace rondo::gpu {

class Card;

/// The first card. Errors: `device-not-built` (the program was built without RONDO_CUDA), `device-missing` (no card, or
/// no driver), `device-unusable`.
[[nodiscard]] Result<std::shared_ptr<Card>> open_card();
/// "NVIDIA H200, 139 GiB"
[[nodiscard]] std::string name_of(const Card& card);

/// What an emulated card has, and when it breaks.
struct EmulatedCard {
  std::uint64_t memory = std::uint64_t{1} << 30U;   ///< bytes for melodies; more is `device-memory`
  std::size_t calls_before_loss = ~std::size_t{0};  ///< comparisons that work; all later ones are `device-failed`
};
/// A card that the CPU emulates, thread by thread, with the code of the real one: for tests.
[[nodiscard]] std::shared_ptr<Card> emulated_card(const EmulatedCard& like = {});
/// While it lives, open_card returns this card: for tests, one at a time.
class StandInCard {
 public:
  explicit StandInCard(std::shared_ptr<Card> card);
  ~StandInCard();
  StandInCard(const StandInCard&) = delete;
  StandInCard& operator=(const StandInCard&) = delete;
};

/// That of the machine: cuda_card.cu, or no_card.cpp where the program is built without RONDO_CUDA.
[[nodiscard]] Result<std::shared_ptr<Card>> open_real_card();

}  // namespace rondo::gpu
