#include "gpu/device.h"

#include <fmt/format.h>

#include "gpu/card.h"

namespace rondo::gpu {

Result<Device> device_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kDeviceNames); ++i) {
    if (name == kDeviceNames[i]) return static_cast<Device>(i);
  }
  return fail("device-unknown", fmt::format("there is no device '{}'", name), {}, "devices are cpu, cuda and auto");
}

Result<std::shared_ptr<Card>> card_for(Device device) {
  if (device == Device::cpu) return nullptr;
  auto card = open_card();
  if (!card && device == Device::automatic) return nullptr;
  return card;
}

Failure unsupported_system(std::string_view system, std::string_view hint) {
  return fail("device-system", fmt::format("the graphics card does not support the system '{}'", system), {},
              std::string(hint));
}

std::string name_of(const Card& card) { return card.name(); }

}  // namespace rondo::gpu
