#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

/// Comparing melodies on a graphics card: docs/gpu.md.
namespace rondo::gpu {

/// Where melodies are compared.
enum class Device : std::uint8_t {
  cpu,
  cuda,       ///< on the card; an error where there is none
  automatic,  ///< on the card if there is one that works
};
/// The names on the command line, in this order: "cpu", "cuda", "auto".
inline constexpr std::string_view kDeviceNames[] = {"cpu", "cuda", "auto"};
/// Errors: `device-unknown`.
[[nodiscard]] Result<Device> device_of(std::string_view name);

class Card;

/// The first card. Errors: `device-not-built` (the program was built without RONDO_CUDA), `device-missing` (no card, or
/// no driver), `device-unusable`.
[[nodiscard]] Result<std::shared_ptr<Card>> open_card();
/// The card for a device; null for `cpu`, and for `automatic` where there is none. Errors: those of open_card.
[[nodiscard]] Result<std::shared_ptr<Card>> card_for(Device device);
/// `device-system`: a card does not support a system.
[[nodiscard]] Failure unsupported_system(std::string_view system, std::string_view hint);
/// What an emulated card has, and when it breaks.
struct EmulatedCard {
  std::uint64_t memory = std::uint64_t{1} << 30U;   ///< bytes for melodies; more is `device-memory`
  std::size_t calls_before_loss = ~std::size_t{0};  ///< comparisons that work; all later ones are `device-failed`
};
/// A card that the CPU emulates, thread by thread, with the code of the real one: for tests.
[[nodiscard]] std::shared_ptr<Card> emulated_card(const EmulatedCard& like = {});
/// "NVIDIA H200, 139 GiB"
[[nodiscard]] std::string name_of(const Card& card);

}  // namespace rondo::gpu
