#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <future>
#include <stop_token>
#include <string>
#include <utility>

#include "rondo/base/result.h"

/// What every file of the Python module needs. One file per subject; each has a `define_SUBJECT` that module.cpp calls.
namespace rondo::python {

namespace py = pybind11;

/// A failed Result on its way to Python, where it becomes rondo.Error.
struct Raised : std::exception {
  explicit Raised(Error what) : error(std::move(what)) {}
  Error error;
};

[[noreturn]] inline void raise(std::string code, std::string message, std::string hint = {}) {
  throw Raised(Error{std::move(code), std::move(message), {}, std::move(hint)});
}

/// The value, or an exception with the same message as everywhere else.
template <typename T>
T value_of(Result<T> result) {
  if (!result) throw Raised(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Runs `work(std::stop_token)` on a thread of its own while Python goes on; Ctrl-C asks it to stop. The caller holds
/// the GIL, `work` does not and must not touch Python.
template <typename Work>
auto interruptible(const Work& work) {
  constexpr std::chrono::milliseconds kLook{50};
  const py::gil_scoped_release others_may_run;
  std::stop_source stop;
  auto result = std::async(std::launch::async, [&] { return work(stop.get_token()); });
  while (result.wait_for(kLook) != std::future_status::ready) {
    const py::gil_scoped_acquire python;
    if (PyErr_CheckSignals() == 0) continue;
    stop.request_stop();
    {
      const py::gil_scoped_release wait;
      result.wait();
    }
    throw py::error_already_set();
  }
  return result.get();
}

/// How many threads `threads` means: 0 is one for each core.
[[nodiscard]] unsigned thread_count(unsigned threads);

void define_error(py::module_& module);
void define_melody(py::module_& module);
void define_reading(py::module_& module);
void define_query(py::module_& module);
void define_systems(py::module_& module);
void define_scores(py::module_& module);
void define_own_system(py::module_& module);
void define_alignment(py::module_& module);
void define_features(py::module_& module);
void define_collection(py::module_& module);
void define_runs(py::module_& module);
void define_evaluation(py::module_& module);
void define_votes(py::module_& module);
void define_concordances(py::module_& module);

}  // namespace rondo::python
