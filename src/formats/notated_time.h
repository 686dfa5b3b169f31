#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/melody/signature.h"

namespace rondo {

/// One fraction of a time signature as notated: "3+2" over 8.
struct NotatedMeter {
  std::string count;
  int unit = 4;
};

/// The sign that stands for, or instead of, the numbers.
enum class MeterSign : std::uint8_t { numbers, common, cut, single_number };

/// Several fractions add up. A sign is only kept where it fits the numbers (a cut 3/8 is 3/8). nullopt where a count
/// is no sum of whole numbers or the result does not fit.
[[nodiscard]] std::optional<TimeSignature> notated_time(std::span<const NotatedMeter> meters, MeterSign sign);

/// The other way: the fractions of a time signature, "3+2/8+3/4" as two. Empty for free time.
[[nodiscard]] std::vector<NotatedMeter> notated_meters(const TimeSignature& time);

}  // namespace rondo
