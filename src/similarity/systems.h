#pragma once

#include "rondo/similarity/system.h"

/// The rows of the table of systems, each defined in its own file under systems/.
namespace rondo::rows {

extern const SystemRow kCombMnz;
extern const SystemRow kCombSum;
extern const SystemRow kContour;
extern const SystemRow kDomain2010;
extern const SystemRow kEmd;
extern const SystemRow kGam;
extern const SystemRow kGar;
extern const SystemRow kKranenburgAll;
extern const SystemRow kKranenburgBand;
extern const SystemRow kKranenburgMetre;
extern const SystemRow kKranenburgPhrase;
extern const SystemRow kKranenburgPitch;
extern const SystemRow kLdp;
extern const SystemRow kMongeauSankoff;
extern const SystemRow kNgr5;
extern const SystemRow kOpti3;
extern const SystemRow kOrio;
extern const SystemRow kP1;
extern const SystemRow kP2;
extern const SystemRow kP3;
extern const SystemRow kPattern;
extern const SystemRow kPatternContour;
extern const SystemRow kPatternRhythm;
extern const SystemRow kPioi;
extern const SystemRow kPitch2011;
extern const SystemRow kPitchDerivative2010;
extern const SystemRow kPtd;
extern const SystemRow kReciprocalRank;
extern const SystemRow kRhythm;
extern const SystemRow kRondo;
extern const SystemRow kShapeGlobal;
extern const SystemRow kShapeHybrid;
extern const SystemRow kShapeLocal;
extern const SystemRow kShapeTime;
extern const SystemRow kSpline;
extern const SystemRow kTime;

}  // namespace rondo::rows
