#include "formats/notated_time.h"

#include <algorithm>
#include <numeric>

#include "formats/xml_util.h"

namespace rondo {
namespace {

/// "3", "3+2": the sum.
std::optional<int> sum_of(std::string_view text) {
  int sum = 0;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t plus = std::min(text.find('+', from), text.size());
    const auto term = xml::integer(text.substr(from, plus - from), 1, 999);
    if (!term) return std::nullopt;
    sum += *term;
    if (sum > 999) return std::nullopt;
    from = plus + 1;
  }
  return sum;
}

std::string symbol_for(MeterSign sign, const TimeSignature& time, const std::string& written) {
  if (sign == MeterSign::common && time.beats == 4 && time.unit == 4) return "c";
  if (sign == MeterSign::cut && time.bar() == Fraction(1)) return "c/";
  if (sign == MeterSign::single_number && written.find('+') == std::string::npos) return std::to_string(time.beats);
  if (written != std::to_string(time.beats) + "/" + std::to_string(time.unit)) return written;
  return {};
}

}  // namespace

std::optional<TimeSignature> notated_time(std::span<const NotatedMeter> meters, MeterSign sign) {
  constexpr int kUnit = 1024;
  int unit = 1;
  for (const NotatedMeter& meter : meters) {
    if (meter.unit < 1 || meter.unit > kUnit) return std::nullopt;
    unit = std::lcm(unit, meter.unit);
    if (unit > kUnit) return std::nullopt;
  }
  int beats = 0;
  std::string written;
  for (const NotatedMeter& meter : meters) {
    const auto count = sum_of(meter.count);
    if (!count) return std::nullopt;
    beats += *count * (unit / meter.unit);
    if (beats > 9999) return std::nullopt;
    if (!written.empty()) written += '+';
    written.append(xml::squeezed(meter.count)).append(1, '/').append(std::to_string(meter.unit));
  }
  if (beats == 0) return std::nullopt;
  TimeSignature time;
  time.beats = static_cast<std::uint16_t>(beats);
  time.unit = static_cast<std::uint16_t>(unit);
  time.symbol = symbol_for(sign, time, written);
  return time;
}

std::vector<NotatedMeter> notated_meters(const TimeSignature& time) {
  if (time.beats == 0) return {};
  std::vector<NotatedMeter> meters;
  std::string_view rest = time.symbol;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::size_t end = std::min(rest.find('+', std::min(slash, rest.size())), rest.size());
    const auto unit = slash == std::string_view::npos ? std::optional<int>()
                                                      : xml::integer(rest.substr(slash + 1, end - slash - 1), 1, 1024);
    if (!unit) break;
    meters.push_back({std::string(rest.substr(0, slash)), *unit});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // If the symbol contradicts the numbers or is unknown, the numbers count.
  const auto again = notated_time(meters, MeterSign::numbers);
  if (again && again->beats == time.beats && again->unit == time.unit) return meters;
  return {{std::to_string(time.beats), time.unit}};
}

}  // namespace rondo
