#include "study/votes.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "judging.h"
#include "study/results.h"

namespace rondo::python {
namespace {

py::object truth_from_votes(const py::iterable& rows, const std::string& rule, double threshold) {
  const auto known = study::rule_of(rule);
  if (!known) throw py::value_error("a rule is \"paper\", \"all\", \"any\" or \"previous\"");
  if (!(threshold >= 0 && threshold <= 1)) throw py::value_error("a threshold is from 0 to 1");
  std::vector<study::Vote> votes;
  for (const py::handle row : rows) {
    const auto [participant, query, candidate, rank] =
        row.cast<std::tuple<std::string, std::string, std::string, double>>();
    if (!(rank > 0)) raise("votes-rank", fmt::format("{} is not a rank: ranks begin at 1", rank));
    votes.push_back({participant, query, candidate, rank});
  }
  const evaluation::Truth truth = [&] {
    const py::gil_scoped_release others_may_run;
    const study::Study study = value_of(study::study_of(votes));
    return study::truth_of(study, study::analyse(study), {.rule = *known, .threshold = threshold});
  }();
  return truth_dict(truth);
}

}  // namespace

void define_votes(py::module_& module) {
  module.def("truth_from_votes", truth_from_votes,
             R"(A truth from rankings by people: rows of (participant, query, candidate, rank), 1 the most similar.

A new group begins where ranks differ significantly (p below ``threshold``) from those above; ``rule`` says from which of
them: "paper", "all", "any" or "previous", as docs/studies.md explains. Of ranks only the order counts.

>>> votes = [(who, "q", song, rank) for who in "ABC" for rank, song in enumerate(["a", "b"], 1)]
>>> rondo.truth_from_votes(votes)
{'q': {'a': 2, 'b': 1}}
)",
             py::arg("votes"), py::kw_only(), py::arg("rule") = "paper", py::arg("threshold") = 0.25);
}

}  // namespace rondo::python
