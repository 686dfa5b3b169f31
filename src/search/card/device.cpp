#include "search/card/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "similarity/systems/rondo.h"

namespace rondo {

Result<Device> device_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kDeviceNames); ++i) {
    if (name == kDeviceNames[i]) return static_cast<Device>(i);
  }
  return fail("device-unknown", fmt::format("there is no device '{}'", name), {}, "devices are cpu, cuda and auto");
}

bool runs_on_card(const System& system) {
  const SearchPlan plan = system.plan();
  const auto* const rondo = std::get_if<RondoPlan>(&plan);
  return rondo != nullptr && explained::in_supported_range(*rondo);
}

Result<Device> device_for(Device asked, std::span<const ChosenSystem> systems) {
  if (asked == Device::cpu) return asked;
  const auto on_cpu = [](const ChosenSystem& one) { return !runs_on_card(*one.system); };
  if (asked == Device::automatic) return std::all_of(systems.begin(), systems.end(), on_cpu) ? Device::cpu : asked;
  const auto found = std::find_if(systems.begin(), systems.end(), on_cpu);
  if (found == systems.end()) return asked;
  return fail("device-system",
              fmt::format("the graphics card does not support the system '{}', only 'rondo'", found->name), {},
              "use --device auto, which runs all other systems on the CPU");
}

Result<std::shared_ptr<gpu::Card>> card_for(Device device) {
  if (device == Device::cpu) return nullptr;
  auto card = gpu::open_card();
  if (!card && device == Device::automatic) return nullptr;
  return card;
}

}  // namespace rondo
