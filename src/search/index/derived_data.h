#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace rondo::index {

/// Values that are computed from one segment when first asked for, and then kept: at most one of each type. Any number
/// of threads may ask; the first one for a type computes it while the others wait.
class DerivedData {
 public:
  template <typename Value, typename Make>
  [[nodiscard]] const Value& get(const Make& make) {
    Slot& slot = slot_of(typeid(Value));
    std::call_once(slot.made, [&] { slot.value = std::make_shared<const Value>(make()); });
    return *static_cast<const Value*>(slot.value.get());
  }

 private:
  struct Slot {
    std::once_flag made;
    std::shared_ptr<const void> value;
  };
  Slot& slot_of(std::type_index type) {
    const std::scoped_lock lock(mutex_);
    return slots_[type];  // a map's elements never move
  }
  std::mutex mutex_;
  std::map<std::type_index, Slot> slots_;
};

}  // namespace rondo::index
