#include "similarity/alignment_json.h"

#include <nlohmann/json.hpp>

namespace rondo {
namespace {

nlohmann::ordered_json span_json(const NoteSpan& span) {
  if (span.empty()) return nullptr;
  return nlohmann::ordered_json::array({span.begin, span.end});
}

}  // namespace

std::string_view step_name(Step::Kind kind, StepNames names) {
  const bool words = names == StepNames::words;
  switch (kind) {
    case Step::Kind::match: return "match";
    case Step::Kind::mismatch: return words ? "differs" : "mismatch";
    case Step::Kind::gap_in_document: return words ? "only query" : "gap_in_document";
    case Step::Kind::gap_in_query: return words ? "only hit" : "gap_in_query";
    case Step::Kind::flow: return "flow";
  }
  return "";
}

nlohmann::ordered_json steps_json(const Explanation& why, StepNames names) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const Step& step : why.steps) {
    steps.push_back({{"kind", step_name(step.kind, names)},
                     {"query", span_json(step.query)},
                     {"document", span_json(step.document)},
                     {"score", step.score}});
  }
  return steps;
}

nlohmann::ordered_json alignment_json(const Explanation& why) {
  return {{"summary", why.summary}, {"total", why.total}, {"steps", steps_json(why, StepNames::words)}};
}

}  // namespace rondo
