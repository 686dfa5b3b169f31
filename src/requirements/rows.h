#pragma once

#include "requirements/requirement.h"

namespace rondo::rows {

extern const Requirement kOctaveEquivalence;
extern const Requirement kDegreeEquality;
extern const Requirement kNoteEquality;
extern const Requirement kPitchVariation;
extern const Requirement kHarmonicSimilarity;
extern const Requirement kVoiceSeparation;
extern const Requirement kTimeSignatureEquivalence;
extern const Requirement kTempoEquivalence;
extern const Requirement kDurationEquality;
extern const Requirement kDurationVariation;

}  // namespace rondo::rows
