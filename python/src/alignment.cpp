#include <fmt/format.h>
#include <pybind11/stl.h>

#include "choice.h"
#include "melody.h"

namespace rondo::python {
namespace {

const char* name_of(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::match: return "match";
    case Step::Kind::mismatch: return "differs";
    case Step::Kind::gap_in_document: return "only a";
    case Step::Kind::gap_in_query: return "only b";
    case Step::Kind::flow: return "flow";
  }
  return "";
}

py::slice slice_of(const NoteSpan& span) { return {span.begin, span.end, 1}; }

/// Why two melodies have their score, with the melodies.
struct AlignedPair {
  Explanation why;
  MelodyPointer a;
  MelodyPointer b;
};

AlignedPair align(const py::object& a, const py::object& b, const std::string& system, const Settings& settings) {
  const std::vector<MelodyPointer> pair = {melody_from(a), melody_from(b)};
  const ChosenSystem chosen = choose(system, settings);
  const py::gil_scoped_release others_may_run;
  corpus_of(pair).teach(*chosen.system);
  return {chosen.system->prepare(query_line(*pair[0]))->explain(query_line(*pair[1])), pair[0], pair[1]};
}

double score_of(const AlignedPair& pair) {
  const Explanation& why = pair.why;
  return why.score.comparable ? why.score.value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void define_alignment(py::module_& module) {
  py::class_<Step> step(module, "Step", "One step of an alignment: which notes were aligned.");
  step.attr("__module__") = "rondo";
  step.def_property_readonly(
      "kind", [](const Step& s) { return name_of(s.kind); },
      "\"match\", \"differs\", \"only a\", \"only b\" or \"flow\".");
  step.def_property_readonly(
      "a", [](const Step& s) { return slice_of(s.query); }, "Notes of the first melody, as a slice.");
  step.def_property_readonly(
      "b", [](const Step& s) { return slice_of(s.document); }, "Notes of the second melody, as a slice.");
  step.def_readonly("score", &Step::score, "The contribution of this step to the sum.");
  step.def("__repr__", [](const Step& s) {
    return fmt::format("<rondo.Step {} a[{}:{}] b[{}:{}] {:.4g}>", name_of(s.kind), s.query.begin, s.query.end,
                       s.document.begin, s.document.end, s.score);
  });

  py::class_<AlignedPair> type(module, "Alignment", "The explanation of the score of two melodies.");
  type.attr("__module__") = "rondo";
  type.def_property_readonly("score", score_of, "The score of the pair; NaN where they cannot be compared.");
  type.def_property_readonly(
      "total", [](const AlignedPair& pair) { return pair.why.total; },
      "The sum of the steps; the score is this sum, normalized.");
  type.def_property_readonly(
      "summary", [](const AlignedPair& pair) { return pair.why.summary; }, "One line in words.");
  type.def_property_readonly(
      "steps", [](const AlignedPair& pair) { return pair.why.steps; },
      "The steps, a list; empty for systems without an alignment.");
  type.def_property_readonly(
      "a", [](const AlignedPair& pair) { return std::const_pointer_cast<Melody>(pair.a); }, "The first melody.");
  type.def_property_readonly(
      "b", [](const AlignedPair& pair) { return std::const_pointer_cast<Melody>(pair.b); }, "The second melody.");
  type.def("__repr__", [](const AlignedPair& pair) {
    return fmt::format("<rondo.Alignment {:.4g}: {} steps>", score_of(pair), pair.why.steps.size());
  });

  module.def("align", align, R"(How a system aligns the notes of two melodies. Only their first voices are compared.

>>> found = rondo.align("'4CDECCDEC", "'4DExFDDExFD", "vk-pitch")
>>> [step.kind for step in found.steps][:2]
['match', 'match']
>>> found.steps[0].a
slice(0, 1, 1)
)",
             py::arg("a"), py::arg("b"), py::arg("system") = kDefaultSystem, py::kw_only(),
             py::arg("settings") = py::none());
}

}  // namespace rondo::python
