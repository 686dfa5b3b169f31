#include <array>
#include <deque>

#include "formats/midi/track.h"

namespace rondo::midi {
namespace {

constexpr std::size_t kKeys = 128;

class KeyPairer {
 public:
  explicit KeyPairer(std::array<bool, kKeys> cutting) : cutting_(cutting) {}

  void take(const KeyEvent& event) {
    if (event.key == kAllKeys) {
      for (auto& open : open_) close_all(open, event.tick);
      return;
    }
    auto& open = open_[static_cast<std::size_t>(event.key)];
    if (!event.down) {
      if (open.empty()) return;
      notes_[open.front()].end = event.tick;
      open.pop_front();
      return;
    }
    if (!open.empty()) struck_again_[static_cast<std::size_t>(event.key)] = true;
    if (cutting_[static_cast<std::size_t>(event.key)]) close_all(open, event.tick);
    open.push_back(notes_.size());
    notes_.push_back({event.tick, event.tick, event.key});
  }

  /// The keys with missing note-offs that were struck again while down.
  [[nodiscard]] std::array<bool, kKeys> short_of_ups() const {
    std::array<bool, kKeys> found{};
    for (std::size_t key = 0; key < kKeys; ++key) found[key] = struck_again_[key] && !open_[key].empty();
    return found;
  }

  Pairing finish(std::int64_t end) {
    Pairing result;
    for (auto& open : open_) {
      result.hanging += open.size();
      close_all(open, end);
    }
    for (const SoundingNote& note : notes_) {
      if (note.end > note.begin) {
        result.notes.push_back(note);
      } else {
        ++result.empty;
      }
    }
    return result;
  }

 private:
  void close_all(std::deque<std::size_t>& open, std::int64_t tick) {
    for (const std::size_t index : open) notes_[index].end = tick;
    open.clear();
  }

  std::array<bool, kKeys> cutting_;
  std::array<bool, kKeys> struck_again_{};
  std::array<std::deque<std::size_t>, kKeys> open_;
  std::vector<SoundingNote> notes_;
};

}  // namespace

Pairing pair_keys(const std::vector<KeyEvent>& events, std::int64_t end) {
  KeyPairer first({});
  for (const KeyEvent& event : events) first.take(event);
  const auto cutting = first.short_of_ups();
  if (cutting == std::array<bool, kKeys>{}) return first.finish(end);
  KeyPairer second(cutting);
  for (const KeyEvent& event : events) second.take(event);
  return second.finish(end);
}

}  // namespace rondo::midi
