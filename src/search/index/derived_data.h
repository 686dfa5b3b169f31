#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace rondo::index {

/// Values that are computed from one segment when asked for the second time, and then kept: at most one of each type.
/// Any number of threads may ask; one computes a value while the others wait.
class DerivedData {
 public:
  /// Null the first time.
  template <typename Value, typename Make>
  [[nodiscard]] const Value* get(const Make& make) {
    Slot& slot = slot_of(typeid(Value));
    if (!slot.asked.exchange(true)) return nullptr;
    std::call_once(slot.made, [&] { slot.value = std::make_shared<const Value>(make()); });
    return static_cast<const Value*>(slot.value.get());
  }

 private:
  struct Slot {
    std::atomic<bool> asked{false};
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
