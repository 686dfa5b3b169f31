#include "search/kernels/common_tonic.h"
#include "similarity/systems/mongeau_sankoff.h"

namespace rondo::kernels {

int common_tonic_plain(const TonicQuery& query, const ClassTicks& document, int first) {
  mongeau_sankoff::ClassTimes<double> times{};
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = document.time[i];
  return mongeau_sankoff::common_tonic(query.time, times, first);
}

void common_tonics_plain(const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic) {
  for (const PitchTicks& document : documents) {
    ClassTicks classes{};
    for (std::size_t i = 0; i < PitchTicks::kPitches; ++i) classes.time[i % 12] += document.time[i];
    *tonic++ = static_cast<std::uint8_t>(common_tonic_plain(query, classes, document.first));
  }
}

}  // namespace rondo::kernels
