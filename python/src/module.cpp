#include <algorithm>
#include <thread>

#include "binding.h"

namespace rondo::python {

unsigned thread_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace rondo::python

PYBIND11_MODULE(_rondo, module) {
  using namespace rondo::python;
  module.attr("__version__") = RONDO_VERSION;
  // In this order: a signature shows the names of the classes that are known by then.
  define_error(module);
  define_melody(module);
  define_reading(module);
  define_query(module);
  define_systems(module);
  define_scores(module);
  define_own_system(module);
  define_alignment(module);
  define_features(module);
  define_collection(module);
  define_runs(module);
  define_evaluation(module);
  define_votes(module);
  define_concordances(module);
}
