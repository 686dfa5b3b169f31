#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "melody/limits.h"
#include "rondo/melody/pitch.h"
#include "rondo/melody/voice.h"

/// Constants shared by packing and unpacking; melody/packed.h describes the layout.
namespace rondo::packed {

inline constexpr unsigned kHasName = 1;
inline constexpr unsigned kFractions = 2;
inline constexpr unsigned kHasBars = 4;
inline constexpr unsigned kHasLength = 8;
inline constexpr unsigned kKnownFlags = 15;

inline constexpr unsigned kNoSignature = 0;
inline constexpr unsigned kOneSignature = 1;
inline constexpr unsigned kManySignatures = 2;

inline constexpr std::string_view kClefShapes = "GgCFPT";
inline constexpr unsigned kOther = 7;            ///< in three bits: not in the table, a byte follows
inline constexpr unsigned kOtherSignature = 15;  ///< no usual key signature: seven bytes follow
inline constexpr int kModes = 9;
inline constexpr std::size_t kMaxChanges = limits::kBarsPerVoice;  ///< of one signature in one voice

inline constexpr unsigned kGrace = 1;
inline constexpr unsigned kSpelled = 2;

inline constexpr unsigned kEscape = 15;  ///< in four bits
inline constexpr int kShortSteps = 7;    ///< what fits the note byte
inline constexpr int kLongSteps = 15;    ///< what fits the byte after it
inline constexpr unsigned kFarAway = 31;

/// Gap, duration and flags of a note.
struct Shape {
  std::int64_t gap = 0;
  std::int64_t duration = 0;
  unsigned flags = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// A ring buffer of the most recent new shapes, as the caller represents them.
template <typename T>
class Ring {
 public:
  static constexpr unsigned kSize = kEscape;

  [[nodiscard]] unsigned size() const { return size_; }
  [[nodiscard]] const T& operator[](unsigned index) const { return items_[index]; }
  const T& add(const T& item) {
    T& place = items_[next_];
    place = item;
    next_ = (next_ + 1) % kSize;
    if (size_ < kSize) ++size_;
    return place;
  }

 private:
  std::array<T, kSize> items_{};
  unsigned size_ = 0;
  unsigned next_ = 0;
};

/// The prediction of the next pitch.
class PitchContext {
 public:
  explicit PitchContext(const Voice& voice) {
    if (!voice.key_signatures.empty()) alter_ = voice.key_signatures.front().value.alter;
  }

  [[nodiscard]] int position() const { return position_; }
  [[nodiscard]] int alter(int step) const { return alter_[static_cast<std::size_t>(step)]; }
  void heard(Pitch pitch) {
    position_ = pitch.diatonic();
    alter_[static_cast<std::size_t>(pitch.step)] = pitch.alter;
  }

 private:
  std::array<std::int8_t, 7> alter_{};
  int position_ = Pitch{6, 0, 4}.diatonic();
};

}  // namespace rondo::packed
