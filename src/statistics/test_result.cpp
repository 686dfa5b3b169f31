#include "statistics/test_result.h"

namespace rondo::statistics {

std::string_view to_string(Alternative alternative) {
  switch (alternative) {
    case Alternative::kTwoSided: return "two-sided";
    case Alternative::kLess: return "less";
    case Alternative::kGreater: return "greater";
  }
  return "";
}

std::string_view to_string(Method method) {
  switch (method) {
    case Method::kExact: return "exact";
    case Method::kNormal: return "normal";
    case Method::kMonteCarlo: return "monte-carlo";
  }
  return "";
}

}  // namespace rondo::statistics
