#include "similarity/spline/comparers.h"

namespace rondo::spline {

PitchAndTime::Gram PitchAndTime::gram(const Line& line, std::size_t at) const {
  Gram gram{relative_pitches<4>(line, at), {}, {}, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    gram.ratio[k] = static_cast<double>(line.duration[at + k + 1]) / static_cast<double>(line.duration[at]);
    gram.milli[k] = std::llround(gram.ratio[k] * 1000);
  }
  gram.gap = -weights_.pitch * area4(gram.relative[0], gram.relative[1], gram.relative[2]);
  return gram;
}

double PitchAndTime::pitch_score(const Gram& query, const Gram& document) const {
  return query.relative == document.relative
             ? 2 * weights_.pitch_mean
             : -area4(query.relative[0] - document.relative[0], query.relative[1] - document.relative[1],
                      query.relative[2] - document.relative[2]);
}

double PitchAndTime::time_score(const Gram& query, const Gram& document) const {
  return query.milli == document.milli ? 2 * weights_.time_mean
                                       : -area4(query.ratio[0] - document.ratio[0], query.ratio[1] - document.ratio[1],
                                                query.ratio[2] - document.ratio[2]);
}

}  // namespace rondo::spline
