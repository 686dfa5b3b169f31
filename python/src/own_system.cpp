#include "own_system.h"

#include <pybind11/numpy.h>

#include <cmath>

namespace rondo::python {
namespace {

/// A melody as systems hear it, for a function of Python.
struct PythonLine {
  std::shared_ptr<const Line> line;
};

py::array_t<double> whole_notes(const std::vector<std::int64_t>& ticks, std::int64_t whole) {
  py::array_t<double> out(static_cast<py::ssize_t>(ticks.size()));
  double* at = out.mutable_data();
  for (const std::int64_t tick : ticks) *at++ = static_cast<double>(tick) / static_cast<double>(whole);
  return out;
}

/// Lets go of what belongs to Python with the GIL held, wherever the last owner is.
std::shared_ptr<py::object> shared(py::object value) {
  return {new py::object(std::move(value)), [](py::object* object) {
            const py::gil_scoped_acquire python;
            delete object;
          }};
}

class FunctionQuery final : public PreparedQuery {
 public:
  FunctionQuery(std::shared_ptr<py::object> function, std::shared_ptr<OwnFailure> failure, const Line& query)
      : function_(std::move(function)), failure_(std::move(failure)) {
    const py::gil_scoped_acquire python;
    query_ = shared(py::cast(PythonLine{std::make_shared<const Line>(query)}));
  }
  [[nodiscard]] Score score(const Line& document) const override {
    if (failure_->any()) return {0, false};
    const py::gil_scoped_acquire python;
    try {
      const py::object value = (*function_)(*query_, PythonLine{std::make_shared<const Line>(document)});
      if (value.is_none()) return {0, false};
      const auto number = value.cast<double>();
      if (std::isnan(number)) return {0, false};
      return {number};
    } catch (...) {
      failure_->keep();
      return {0, false};
    }
  }
  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation why;
    why.score = score(document);
    why.total = why.score.value;
    return why;
  }

 private:
  std::shared_ptr<py::object> function_;
  std::shared_ptr<OwnFailure> failure_;
  std::shared_ptr<py::object> query_;
};

class FunctionSystem final : public System {
 public:
  FunctionSystem(std::shared_ptr<py::object> function, std::shared_ptr<OwnFailure> failure)
      : function_(std::move(function)), failure_(std::move(failure)) {}
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<FunctionQuery>(function_, failure_, query);
  }

 private:
  std::shared_ptr<py::object> function_;
  std::shared_ptr<OwnFailure> failure_;
};

}  // namespace

void OwnFailure::keep() {
  if (any()) return;
  what_ = std::current_exception();
  any_ = true;
}

void OwnFailure::rethrow() {
  if (what_) std::rethrow_exception(std::exchange(what_, nullptr));
}

OwnSystem own_system(const py::function& score) {
  static const SystemRow row = {.name = "function of Python", .shortest = 1};
  OwnSystem out;
  out.failure = std::make_shared<OwnFailure>();
  auto chosen = std::make_shared<ChosenSystem>();
  chosen->row = &row;
  chosen->name = row.name;
  chosen->shortest = row.shortest;
  chosen->system = std::make_unique<FunctionSystem>(shared(score), out.failure);
  out.system = std::move(chosen);
  return out;
}

void define_own_system(py::module_& module) {
  py::class_<PythonLine> type(module, "Line",
                              "A melody as numpy arrays, as passed to a function that is used as a system.");
  type.attr("__module__") = "rondo";
  type.def("__len__", [](const PythonLine& self) { return self.line->size(); });
  type.def("__repr__", [](const PythonLine& self) {
    return "<rondo.Line of " + std::to_string(self.line->size()) + (self.line->size() == 1 ? " note>" : " notes>");
  });
  type.def_property_readonly(
      "pitch",
      [](const PythonLine& self) {
        return py::array_t<std::int16_t>(static_cast<py::ssize_t>(self.line->size()), self.line->pitch.data());
      },
      "MIDI numbers.");
  type.def_property_readonly(
      "onset", [](const PythonLine& self) { return whole_notes(self.line->onset, self.line->ticks_per_whole); },
      "Whole notes from the beginning.");
  type.def_property_readonly(
      "duration", [](const PythonLine& self) { return whole_notes(self.line->duration, self.line->ticks_per_whole); },
      "In whole notes.");
}

}  // namespace rondo::python
