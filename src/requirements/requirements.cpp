#include <array>

#include "requirements/requirement.h"
#include "requirements/rows.h"

namespace rondo {
namespace {

constexpr std::array kRequirements = {
    // clang-format off: one a line, so that two additions seldom meet
    &rows::kOctaveEquivalence,        &rows::kDegreeEquality,     &rows::kNoteEquality,
    &rows::kPitchVariation,           &rows::kHarmonicSimilarity, &rows::kVoiceSeparation,
    &rows::kTimeSignatureEquivalence, &rows::kTempoEquivalence,   &rows::kDurationEquality,
    &rows::kDurationVariation,
    // clang-format on
};

}  // namespace

std::span<const Requirement* const> requirements() { return kRequirements; }

const Requirement* find_requirement(std::string_view name) {
  for (const Requirement* requirement : kRequirements) {
    if (requirement->name == name) return requirement;
  }
  return nullptr;
}

}  // namespace rondo
