#pragma once

#include "rondo/evaluation/measure.h"

/// Every measure has a file of its own and a line here and in registry.cpp.
namespace rondo::evaluation::measures {

extern const Measure accuracy;
extern const Measure adr;
extern const Measure adr_tie;
extern const Measure average_precision;
extern const Measure average_precision_retrieved;
extern const Measure bpref;
extern const Measure bpref_10;
extern const Measure bpref_paper;
extern const Measure bpref_star;
extern const Measure break_even;
extern const Measure dcg;
extern const Measure dcg_ln;
extern const Measure fallout;
extern const Measure false_negatives;
extern const Measure false_positives;
extern const Measure f_measure;
extern const Measure ndcg;
extern const Measure negative_predictive_value;
extern const Measure precision;
extern const Measure recall;
extern const Measure reciprocal_rank;
extern const Measure reciprocal_rank_mean;
extern const Measure r_precision;
extern const Measure sensitivity;
extern const Measure specificity;
extern const Measure success;
extern const Measure true_negatives;
extern const Measure true_positives;

}  // namespace rondo::evaluation::measures
