#include "search/opening_knowledge.h"

#include <algorithm>

#include "search/fast/orio_digest.h"
#include "search/index/snapshot.h"
#include "similarity/mixture.h"

namespace rondo {

bool wants_openings(const System& system) {
  if (std::holds_alternative<OrioPlan>(system.plan())) return true;
  const Mixture* mixture = system.mixture();
  return mixture != nullptr && std::any_of(mixture->parts().begin(), mixture->parts().end(),
                                           [](const Part& part) { return wants_openings(*part.system); });
}

OpeningKnowledge teach_openings(const Index& whole, const System& system, const std::stop_token& stop) {
  OpeningKnowledge out;
  if (std::holds_alternative<OrioPlan>(system.plan())) {
    if (auto beginnings = fast::beginnings_for(whole.snapshot(), system, stop)) out.push_back(std::move(beginnings));
  } else if (const Mixture* mixture = system.mixture()) {
    for (const Part& part : mixture->parts()) {
      for (auto& one : teach_openings(whole, *part.system, stop)) out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace rondo
