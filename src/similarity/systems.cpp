#include "similarity/systems.h"

#include <array>
#include <cassert>

namespace rondo {
namespace {

constexpr std::array kSystems = {
    // clang-format off: one a line, so that two additions seldom meet
    &rows::kRondo,
    &rows::kSpline,
    &rows::kShapeHybrid,
    &rows::kShapeLocal,
    &rows::kShapeGlobal,
    &rows::kTime,
    &rows::kShapeTime,
    &rows::kDomain2010,
    &rows::kPitchDerivative2010,
    &rows::kPitch2011,
    &rows::kGam,
    &rows::kOrio,
    &rows::kNgr5,
    &rows::kPioi,
    &rows::kEmd,
    &rows::kPtd,
    &rows::kP1,
    &rows::kP2,
    &rows::kP3,
    &rows::kLdp,
    &rows::kOpti3,
    &rows::kContour,
    &rows::kRhythm,
    &rows::kPattern,
    &rows::kPatternContour,
    &rows::kPatternRhythm,
    &rows::kMongeauSankoff,
    &rows::kGar,
    &rows::kKranenburgPitch,
    &rows::kKranenburgBand,
    &rows::kKranenburgPhrase,
    &rows::kKranenburgMetre,
    &rows::kKranenburgAll,
    &rows::kReciprocalRank,
    &rows::kCombSum,
    &rows::kCombMnz,
    // clang-format on
};

}  // namespace

std::span<const SystemRow* const> systems() { return kSystems; }

const SystemRow* find_system(std::string_view name) {
  for (const SystemRow* row : kSystems) {
    if (row->name == name) return row;
  }
  return nullptr;
}

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::exact: return "exact";
    case Evidence::partial: return "partial";
    case Evidence::ours: return "ours";
  }
  return "ours";
}

Result<void> Parameters::set(std::string_view name, double value) {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].name != name) continue;
    // Written so that NaN is rejected too.
    if (!(value >= known_[i].lowest && value <= known_[i].highest)) {
      return fail("parameter-out-of-range", std::string(name) + " must lie between " +
                                                std::to_string(known_[i].lowest) + " and " +
                                                std::to_string(known_[i].highest));
    }
    values_[i] = value;
    return {};
  }
  std::string names;
  for (const Parameter& p : known_) names += (names.empty() ? "" : ", ") + std::string(p.name);
  return fail("parameter-unknown", "there is no parameter '" + std::string(name) + "'", {},
              names.empty() ? "this system has none" : "it has: " + names);
}

double Parameters::get(std::string_view name) const {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].name == name) return values_[i];
  }
  assert(false && "a system asked for a parameter its row does not have");
  return 0;
}

}  // namespace rondo
