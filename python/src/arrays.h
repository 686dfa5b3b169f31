#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <vector>

#include "binding.h"

namespace rondo::python {

/// A numpy array that takes the vector over instead of copying it.
template <typename T>
py::array_t<T> as_array(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const auto size = static_cast<py::ssize_t>(owned->size());
  const py::capsule owner(owned.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(size, data, owner);
}

}  // namespace rondo::python
