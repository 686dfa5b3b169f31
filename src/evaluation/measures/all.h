#pragma once

#include "rondo/evaluation/evaluate.h"

/// Every measure has its own file and a line here and in registry.cpp.
namespace rondo::evaluation::measures {

extern const Measure kAccuracy;
extern const Measure kAdr;
extern const Measure kAdrTie;
extern const Measure kAveragePrecision;
extern const Measure kAveragePrecisionRetrieved;
extern const Measure kBpref;
extern const Measure kBpref10;
extern const Measure kBprefPaper;
extern const Measure kBprefStar;
extern const Measure kBreakEven;
extern const Measure kCompatibility;
extern const Measure kDcg;
extern const Measure kDcgLn;
extern const Measure kExpectedReciprocalRank;
extern const Measure kFallout;
extern const Measure kFalseNegatives;
extern const Measure kFalsePositives;
extern const Measure kFMeasure;
extern const Measure kNdcg;
extern const Measure kNegativePredictiveValue;
extern const Measure kPrecision;
extern const Measure kRankBiasedPrecision;
extern const Measure kRankBiasedPrecisionPatient;
extern const Measure kRecall;
extern const Measure kReciprocalRank;
extern const Measure kReciprocalRankMean;
extern const Measure kRPrecision;
extern const Measure kSensitivity;
extern const Measure kSpecificity;
extern const Measure kSuccess;
extern const Measure kTrueNegatives;
extern const Measure kTruePositives;

}  // namespace rondo::evaluation::measures
