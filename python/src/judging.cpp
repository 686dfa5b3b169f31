#include "judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace rondo::python {
namespace {

namespace ev = rondo::evaluation;

std::string text_of(const py::handle& key) { return py::str(py::reinterpret_borrow<py::object>(key)); }

double number_of(const py::handle& value) { return py::float_(py::reinterpret_borrow<py::object>(value)); }

ev::QueryTruth graded(std::string query, const py::dict& grades) {
  ev::QueryTruth out;
  out.query = std::move(query);
  std::map<double, std::vector<std::string>, std::greater<>> by_grade;
  for (const auto& [document, grade] : grades) {
    const double value = number_of(grade);
    if (!std::isfinite(value))
      raise("truth-grade", fmt::format("the grade of '{}' is not a number", text_of(document)));
    // Negative: not judged, as TREC has it.
    if (value >= 0) by_grade[value].push_back(text_of(document));
  }
  for (auto& [grade, documents] : by_grade) {
    if (grade == 0) {
      out.not_relevant = std::move(documents);
      continue;
    }
    out.groups.push_back(std::move(documents));
    out.gains.push_back(grade);
  }
  return out;
}

ev::QueryTruth grouped(std::string query, const py::iterable& groups) {
  ev::QueryTruth out;
  out.query = std::move(query);
  for (const py::handle group : groups) {
    std::vector<std::string>& documents = out.groups.emplace_back();
    for (const py::handle document : py::iterable(py::reinterpret_borrow<py::object>(group))) {
      documents.push_back(text_of(document));
    }
  }
  return out;
}

/// 3 rather than 3.0 where it is whole: other packages want integers.
py::object grade_of(double gain) {
  if (gain == std::floor(gain) && std::abs(gain) < 1e15) return py::int_(static_cast<std::int64_t>(gain));
  return py::float_(gain);
}

}  // namespace

ev::Run run_from(const py::dict& run, const std::string& name) {
  ev::Run out;
  out.tag = name;
  out.file = name;
  for (const auto& [query, documents] : run) {
    ev::RankedList& list = out.lists.emplace_back();
    list.query = text_of(query);
    for (const auto& [document, score] : py::cast<py::dict>(documents)) {
      const double value = number_of(score);
      if (std::isnan(value)) {
        raise("run-score", fmt::format("the score of '{}' for '{}' is not a number", text_of(document), list.query));
      }
      list.documents.push_back({text_of(document), value});
    }
    // Equal scores stay in the order of the dict, which is the order of a run that Rondo made.
    std::stable_sort(list.documents.begin(), list.documents.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
  }
  return out;
}

py::dict run_dict(const ev::Run& run) {
  py::dict out;
  for (const ev::RankedList& list : run.lists) {
    py::dict documents;
    for (const ev::RankedDocument& document : list.documents) documents[py::str(document.id)] = document.score;
    out[py::str(list.query)] = documents;
  }
  return out;
}

ev::Truth truth_from(const py::dict& truth) {
  ev::Truth out;
  for (const auto& [query, judged] : truth) {
    out.queries.push_back(py::isinstance<py::dict>(judged)
                              ? graded(text_of(query), py::reinterpret_borrow<py::dict>(judged))
                              : grouped(text_of(query), py::iterable(py::reinterpret_borrow<py::object>(judged))));
  }
  out.complete = py::getattr(truth, "complete", py::bool_(false)).cast<bool>();
  out.query_excluded = py::getattr(truth, "query_excluded", py::bool_(false)).cast<bool>();
  out.collection_size = py::getattr(truth, "collection_size", py::int_(0)).cast<std::size_t>();
  return out;
}

py::object truth_dict(const ev::Truth& truth) {
  py::dict out;
  for (const ev::QueryTruth& query : truth.queries) {
    py::dict documents;
    for (std::size_t group = 0; group < query.groups.size(); ++group) {
      for (const std::string& id : query.groups[group]) documents[py::str(id)] = grade_of(query.gain_of(group));
    }
    for (const std::string& id : query.not_relevant) documents[py::str(id)] = 0;
    out[py::str(query.query)] = documents;
  }
  using namespace py::literals;
  return py::module_::import("rondo").attr("Truth")(out, "complete"_a = truth.complete,
                                                    "query_excluded"_a = truth.query_excluded,
                                                    "collection_size"_a = truth.collection_size);
}

}  // namespace rondo::python
