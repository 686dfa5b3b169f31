#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/output_file.h"
#include "evaluation/labels.h"
#include "judging.h"

namespace rondo::python {
namespace {

namespace ev = rondo::evaluation;

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) {
    throw Raised(Error{"file-unreadable",
                       std::string("cannot be read: ") + std::strerror(errno),
                       Place{path.string(), {}, {}, 0, 0},
                       {}});
  }
  return text;
}

py::dict read_run(const std::filesystem::path& path) {
  const std::string text = contents_of(path);
  MemorySource source(text);
  Diagnostics warnings;
  return run_dict(value_of(ev::read_run(source, {.file = path.string()}, warnings)));
}

void write_run(const py::dict& run, const std::filesystem::path& path, const std::string& tag) {
  value_of(write_output(path, ev::write_run(run_from(run, tag))));
}

py::object read_truth(const std::filesystem::path& path, bool qrels) {
  const std::string text = contents_of(path);
  MemorySource source(text);
  Diagnostics warnings;
  const ev::TruthOptions options{.file = path.string(),
                                 .lines = qrels ? ev::TruthForm::kQrels : ev::TruthForm::kGroups};
  return truth_dict(value_of(ev::read_truth(source, options, warnings)));
}

void write_truth(const py::dict& truth, const std::filesystem::path& path, const std::string& form) {
  const bool known = form == "groups" || form == "qrels" || form == "json";
  if (!known) throw py::value_error("a truth is written as \"groups\", \"qrels\" or \"json\"");
  const ev::TruthForm as = form == "json"    ? ev::TruthForm::kJson
                           : form == "qrels" ? ev::TruthForm::kQrels
                                             : ev::TruthForm::kGroups;
  value_of(write_output(path, value_of(ev::write_truth(truth_from(truth), as))));
}

py::object truth_from_labels(const py::dict& labels) {
  std::vector<ev::LabelledDocument> documents;
  for (const auto& [id, label] : labels) {
    documents.push_back(
        {py::str(py::reinterpret_borrow<py::object>(id)),
         label.is_none() ? std::string() : std::string(py::str(py::reinterpret_borrow<py::object>(label)))});
  }
  return truth_dict(value_of(ev::truth_from_labels(documents)).truth);
}

}  // namespace

void define_runs(py::module_& module) {
  module.def("read_run", read_run, R"(A TREC run file as {query: {document: score}}, best first.

>>> list(rondo.read_run("data/examples/adr/a.run")["single"])
['d4', 'd3', 'd5', 'd6']
)",
             py::arg("path"));
  module.def("write_run", write_run, "Writes {query: {document: score}} as a TREC run file.", py::arg("run"),
             py::arg("path"), py::arg("tag") = "rondo");
  module.def("read_truth", read_truth,
             R"(A ground truth as {query: {document: grade}}: a Truth, which is a dict with more attributes.

The most similar group has the highest grade. Files in TREC's form (the higher the more relevant) need ``qrels=True``.

>>> truth = rondo.read_truth("data/examples/adr/truth.txt")
>>> truth["groups"]
{'d1': 2, 'd2': 2, 'd3': 1, 'd4': 1, 'd5': 1}
>>> truth.complete
False
)",
             py::arg("path"), py::kw_only(), py::arg("qrels") = false);
  module.def("write_truth", write_truth,
             "Writes a truth as \"groups\" (query 0 document group), \"qrels\" or \"json\".", py::arg("truth"),
             py::arg("path"), py::arg("form") = "groups");
  module.def("truth_from_labels", truth_from_labels,
             R"(A truth from {document: label}: those that share a label are relevant to each other.

>>> truth = rondo.truth_from_labels({"a": "x", "b": "x", "c": "y"})
>>> truth
{'a': {'b': 1}, 'b': {'a': 1}}
>>> truth.collection_size
2
)",
             py::arg("labels"));
}

}  // namespace rondo::python
