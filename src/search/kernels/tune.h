#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The transpositions in which two melodies spend most of their time on equal pitches, from shares of the time that are
/// rounded up: every one that is best, and hardly any other.
namespace rondo::kernels {

/// Pitches are numbers below this: base 40, which no melody with a spelling exceeds.
inline constexpr int kTunedPitches = 500;
/// What a melody's time is shared out in; one more for each pitch stays within 16 bits.
inline constexpr float kTunedWhole = 30'000;

/// How long a melody stays on each of its pitches.
struct TimeOnPitches {
  /// There is room for a whole vector behind the last.
  static constexpr std::size_t kRoom = 16;
  std::vector<std::int16_t> pitch;
  std::vector<std::int32_t> time;
  std::size_t size = 0;       ///< distinct pitches, in any order
  std::int64_t sounding = 0;  ///< all of the time, below 2^31
  int low = 0;                ///< the lowest pitch
  int high = 0;
};

struct TunedQuery {
  explicit TunedQuery(const TimeOnPitches& query);
  /// What part of the time is spent on pitch p, of kTunedWhole and rounded up to the next, at kReverse - p: so those
  /// that a pitch of a document meets in ascending transpositions lie behind each other.
  static constexpr int kReverse = 2 * kTunedPitches;
  std::vector<std::int16_t> share;
  std::size_t size = 0;  ///< pitches that have a share
  int low = 0;
  int high = 0;
};

/// What a search keeps from one document to the next.
struct TuneWork {
  static constexpr std::size_t kTranspositions =
      2 * kTunedPitches + 96;  ///< and some behind them, for three whole vectors
  std::array<std::int16_t, kTranspositions> common{};
  std::vector<std::int32_t> amount;
  std::array<std::int16_t, kTranspositions> best{};  ///< what was found: how much the document is higher, ascending
};

/// Finds work.best; how many there are.
[[nodiscard]] std::size_t tune(const TunedQuery& query, const TimeOnPitches& document, TuneWork& work);
[[nodiscard]] std::size_t tune_plain(const TunedQuery& query, const TimeOnPitches& document, TuneWork& work);

/// How far from the most a transposition may stay that is as good: for each pitch that is equal one has been rounded up
/// at most, and by floating point a hundredth may be lost or added.
[[nodiscard]] inline std::int16_t tune_slack(const TunedQuery& query, const TimeOnPitches& document) {
  const std::size_t equal = query.size < document.size ? query.size : document.size;
  return static_cast<std::int16_t>(equal + equal / 32 + 2);
}

}  // namespace rondo::kernels
