#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "search/index/segment.h"

namespace rondo::fast {

/// What a search works out of a segment before it looks at documents: once for each thread, and again when the thread
/// comes to another segment.
template <typename Value>
class PerSegment {
 public:
  /// make() is the value; all segments that are asked for live as long as this.
  template <typename Make>
  [[nodiscard]] const Value& of(const index::Segment& segment, const Make& make) const {
    struct Held {
      std::uint64_t search = 0;
      const index::Segment* segment = nullptr;
      std::optional<Value> value;
    };
    thread_local Held held;
    if (held.search != search_ || held.segment != &segment) {
      held.value.emplace(make());
      held.search = search_;
      held.segment = &segment;
    }
    return *held.value;
  }

 private:
  static std::uint64_t next() {
    static std::atomic<std::uint64_t> searches{0};
    return ++searches;
  }
  std::uint64_t search_ = next();
};

}  // namespace rondo::fast
