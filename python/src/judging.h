#pragma once

#include "binding.h"
#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"

/// Runs and truths as plain dicts of dicts, as other packages take them.
namespace rondo::python {

/// {query: {document: score}}. Equal scores are ordered as trec_eval does.
[[nodiscard]] evaluation::Run run_from(const py::dict& run, const std::string& name);
[[nodiscard]] py::dict run_dict(const evaluation::Run& run);

/// {query: {document: grade}}, the higher the more relevant, 0 not relevant; or {query: [[a, b], [c]]}, groups of
/// documents from the most similar on. What is known of the whole comes from attributes, if it has them (rondo.Truth).
[[nodiscard]] evaluation::Truth truth_from(const py::dict& truth);
/// A rondo.Truth: a dict with grades.
[[nodiscard]] py::object truth_dict(const evaluation::Truth& truth);

}  // namespace rondo::python
