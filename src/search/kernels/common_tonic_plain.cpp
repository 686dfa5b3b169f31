#include "search/kernels/common_tonic.h"
#include "similarity/systems/mongeau_sankoff.h"

namespace rondo::kernels {

int common_tonic_plain(const TonicQuery& query, const ClassTicks& document, int first) {
  mongeau_sankoff::ClassTimes<double> times{};
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = document.time[i];
  return mongeau_sankoff::common_tonic(query.time, times, first);
}

}  // namespace rondo::kernels
