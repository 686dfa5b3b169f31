#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "gpu/open_card.h"
#include "rondo/search/service.h"

/// The rule which searches run on a GPU: those with the system rondo. Any other system runs on the CPU, or is an error
/// if a GPU is asked for.
namespace rondo {

/// The names on the command line, in the order of Device: "cpu", "cuda", "auto".
inline constexpr std::string_view kDeviceNames[] = {"cpu", "cuda", "auto"};
/// Errors: `device-unknown`.
[[nodiscard]] Result<Device> device_of(std::string_view name);

[[nodiscard]] bool runs_on_card(const System& system);
/// The device for these systems: `cpu` if none of them runs on a GPU. Errors: `device-system` (Device::cuda, and one of
/// them does not).
[[nodiscard]] Result<Device> device_for(Device asked, std::span<const ChosenSystem> systems);
/// Null for `cpu`, and for `automatic` if there is none that works. Errors: with `cuda` those of gpu::open_card.
[[nodiscard]] Result<std::shared_ptr<gpu::Card>> card_for(Device device);

}  // namespace rondo
