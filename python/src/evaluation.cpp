#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "evaluation/compare.h"
#include "evaluation/render.h"
#include "judging.h"
#include "rondo/evaluation/evaluate.h"

namespace rondo::python {
namespace {

namespace ev = rondo::evaluation;

std::vector<ev::MeasureSpec> specs_of(const py::object& measures) {
  if (measures.is_none()) return ev::default_measures();
  if (py::isinstance<py::str>(measures)) return value_of(ev::parse_measures(measures.cast<std::string>()));
  std::vector<ev::MeasureSpec> out;
  for (const auto& name : measures.cast<std::vector<std::string>>()) out.push_back(value_of(ev::parse_measure(name)));
  return out;
}

ev::Evaluation evaluated(const ev::Truth& truth, const ev::Run& run, const std::vector<ev::MeasureSpec>& measures) {
  return ev::evaluate(value_of(ev::judge(truth, run)), measures);
}

py::dict evaluate(const py::dict& truth, const py::dict& run, const py::object& measures, bool per_query) {
  const ev::Evaluation result = evaluated(truth_from(truth), run_from(run, "run"), specs_of(measures));
  py::dict out;
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    const py::str name(result.measures[m].name());
    if (!per_query) {
      out[name] = result.means[m];
      continue;
    }
    py::dict values;
    for (std::size_t q = 0; q < result.queries.size(); ++q) values[py::str(result.queries[q])] = result.values[m][q];
    out[name] = values;
  }
  return out;
}

py::object from_json(const nlohmann::json& json) { return py::module_::import("json").attr("loads")(ev::dump(json)); }

py::object compare(const py::dict& truth, const py::dict& runs, const std::string& measure) {
  const ev::Truth should = truth_from(truth);
  const std::vector<ev::MeasureSpec> measures = {value_of(ev::parse_measure(measure))};
  std::vector<ev::Evaluation> evaluations;
  for (const auto& [name, run] : runs) {
    const std::string system = py::str(py::reinterpret_borrow<py::object>(name));
    evaluations.push_back(evaluated(should, run_from(py::cast<py::dict>(run), system), measures));
  }
  return from_json(ev::render_json(value_of(ev::compare(value_of(ev::score_table(evaluations, 0))))));
}

}  // namespace

void define_evaluation(py::module_& module) {
  module.def(
      "measures", [] { return from_json(ev::measures_json()); },
      R"(Every measure, as a list of dicts: name, definition, reference ...

>>> "ADR" in [row["name"] for row in rondo.measures()]
True
)");
  module.def("evaluate", evaluate, R"(Measures of a run against a truth: {measure: mean}.

Truth: {query: {document: grade}} or {query: [["a", "b"], ["c"]]}. Run: {query: {document: score}}. ``measures`` is a
list or a text separated by commas; "all" means all measures. With ``per_query`` each measure has {query: value}; NaN:
not defined.

>>> rondo.evaluate({"q": [["a"], ["b", "c"]]}, {"q": {"b": 3, "a": 2, "x": 1}}, "ADR,AP")
{'ADR': 0.5555555555555555, 'AP': 0.6666666666666666}
)",
             py::arg("truth"), py::arg("run"), py::arg("measures") = py::none(), py::kw_only(),
             py::arg("per_query") = false);
  module.def("compare", compare,
             R"(Compares several runs, {name: run}, by one measure: means, intervals and tests, as a dict.

>>> truth = rondo.read_truth("data/examples/adr/truth.txt")
>>> runs = {name: rondo.read_run(f"data/examples/adr/{name}.run") for name in "ab"}
>>> [(row["name"], round(row["mean"], 4)) for row in rondo.compare(truth, runs, "ADR")["systems"]]
[('a', 0.5342), ('b', 0.4758)]
)",
             py::arg("truth"), py::arg("runs"), py::arg("measure") = "ADR");
}

}  // namespace rondo::python
