#pragma once

#include <array>
#include <vector>

#include "search/fast/method.h"
#include "search/kernels/explained_features.h"
#include "search/kernels/explained_loss.h"

namespace rondo::fast {

/// Reads documents of one length into the lanes of a batch, for the system rondo.
class RondoReader {
 public:
  RondoReader(const Segment& segment, std::uint32_t notes, bool rhythm);

  /// False: pitches or times without a code, or out of all bounds. The lane's content is then unspecified.
  [[nodiscard]] bool read(const Segment::Notes& document, std::size_t lane);
  /// Of the document read last.
  [[nodiscard]] const std::vector<std::int16_t>& pitch() const { return pitch_; }
  [[nodiscard]] int low() const { return low_; }
  [[nodiscard]] int high() const { return high_; }
  [[nodiscard]] kernels::ExplainedNotes& lanes() { return notes_; }

 private:
  [[nodiscard]] bool read_pitches(const Segment::Notes& document, std::size_t lane);
  [[nodiscard]] bool read_times(const Segment::Notes& document, std::size_t lane);

  /// What a code stands for, with the logarithm of the duration.
  struct Time {
    std::int32_t gap = 0;
    std::int32_t duration = 0;
    float octaves = 0;
    std::int32_t unusual = 0;
  };
  const Segment& segment_;
  bool rhythm_;
  std::array<Time, 256> times_{};
  kernels::ExplainedNotes notes_;
  std::vector<std::int16_t> pitch_;
  int low_ = 0;
  int high_ = 0;
};

/// What the bounds of the system rondo compare of each document of a segment, as it is shown, laid out for the kernels:
/// four bytes a note.
class RondoColumns {
 public:
  explicit RondoColumns(const Segment& segment);

  /// Documents [first + block * kBatch, ...) of run r, as many as a batch holds.
  [[nodiscard]] kernels::ExplainedLossColumns block(std::size_t r, std::size_t block) const {
    return columns_at(bytes_.data() + starts_[r] + block * bytes_of(notes_[r]), notes_[r]);
  }

 private:
  [[nodiscard]] static std::size_t bytes_of(std::size_t notes) { return 4 * notes * kernels::kBatch; }
  [[nodiscard]] static kernels::ExplainedLossColumns columns_at(const std::uint8_t* from, std::size_t notes);

  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> starts_;  ///< by run
  std::vector<std::size_t> notes_;
};

}  // namespace rondo::fast
