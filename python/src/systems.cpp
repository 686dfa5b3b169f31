#include <fmt/format.h>
#include <pybind11/stl.h>

#include "choice.h"

namespace rondo::python {
namespace {

py::dict row_dict(const SystemRow& row) {
  py::dict parameters;
  for (const Parameter& p : row.parameters) {
    py::dict one;
    one["explanation"] = p.explanation;
    one["default"] = p.standard;
    one["lowest"] = p.lowest;
    one["highest"] = p.highest;
    parameters[py::str(std::string(p.name))] = one;
  }
  py::dict out;
  out["name"] = row.name;
  out["title"] = row.title;
  out["explanation"] = row.explanation;
  out["reference"] = row.reference;
  out["evidence"] = to_string(row.evidence);
  out["evidence_note"] = row.evidence_note;
  out["published_adr"] = row.published_adr;
  out["shortest"] = row.shortest;
  out["polyphonic"] = row.polyphonic;
  out["parameters"] = parameters;
  return out;
}

std::vector<py::dict> all_systems() {
  std::vector<py::dict> out;
  for (const SystemRow* row : systems()) out.push_back(row_dict(*row));
  return out;
}

}  // namespace

std::vector<std::string> settings_text(const Settings& settings) {
  std::vector<std::string> out;
  if (!settings) return out;
  for (const auto& [name, value] : *settings) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

ChosenSystem choose(const std::string& name, const Settings& settings) {
  return value_of(resolve_system(name, settings_text(settings)));
}

void define_systems(py::module_& module) {
  module.def("systems", all_systems,
             R"(Every retrieval system, as a list of dicts: name, title, explanation, parameters ...

>>> [row["name"] for row in rondo.systems()][:3]
['rondo', 'spline', 'shapeh']
)");
}

}  // namespace rondo::python
