#include "search/fold.h"

namespace rondo {
namespace {

constexpr std::size_t kShortestPart = 4;

/// Equal times of two lines with grids of their own. Lines keep times below 10^12 ticks and grids below 10^6.
class SameTime {
 public:
  SameTime(const Line& a, const Line& b) : a_(a), b_(b) {}
  [[nodiscard]] bool operator()(std::int64_t ticks_a, std::int64_t ticks_b) const {
    return ticks_a * b_.ticks_per_whole == ticks_b * a_.ticks_per_whole;
  }

 private:
  const Line& a_;
  const Line& b_;
};

bool lies_at(const Line& part, const Line& whole, std::size_t offset) {
  const SameTime same(part, whole);
  const int shift = whole.pitch[offset] - part.pitch[0];
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::size_t j = offset + i;
    if (whole.pitch[j] - part.pitch[i] != shift || !same(part.duration[i], whole.duration[j])) return false;
    if (i > 0 && !same(part.onset[i] - part.onset[i - 1], whole.onset[j] - whole.onset[j - 1])) return false;
  }
  return true;
}

}  // namespace

std::string_view to_string(Containment containment) {
  switch (containment) {
    case Containment::none: return "";
    case Containment::identical: return "identical";
    case Containment::transposition: return "transposition";
    case Containment::part: return "part";
  }
  return "";
}

Containment containment(const Line& part, const Line& whole) {
  if (part.size() == 0 || part.size() > whole.size()) return Containment::none;
  if (part.size() == whole.size()) {
    if (!lies_at(part, whole, 0)) return Containment::none;
    return part.pitch[0] == whole.pitch[0] ? Containment::identical : Containment::transposition;
  }
  if (part.size() < kShortestPart) return Containment::none;
  for (std::size_t offset = 0; offset + part.size() <= whole.size(); ++offset) {
    if (lies_at(part, whole, offset)) return Containment::part;
  }
  return Containment::none;
}

}  // namespace rondo
