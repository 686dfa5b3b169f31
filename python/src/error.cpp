#include "binding.h"

namespace rondo::python {
namespace {

constexpr const char* kDoc = R"(Raised when a file, a value or a collection cannot be used.

``code`` is a stable code for programs; ``message``, ``place`` and ``hint`` are for people.

>>> try:
...     rondo.similarity("'4CDEC", "'4CDEF", "nonsense")
... except rondo.Error as error:
...     error.code
'system-unknown'
)";

/// The class, once made; it lives as long as the interpreter.
PyObject* error_class = nullptr;

std::string text_of(const Error& error) {
  const std::string place = error.place.to_string();
  std::string text = place.empty() ? error.message : place + ": " + error.message;
  if (!error.hint.empty()) text += "\n  " + error.hint;
  return text;
}

void set_python_error(const Error& error) {
  py::object exception = py::reinterpret_borrow<py::object>(error_class)(text_of(error));
  exception.attr("code") = error.code;
  exception.attr("message") = error.message;
  exception.attr("place") = error.place.to_string();
  exception.attr("hint") = error.hint;
  PyErr_SetObject(error_class, exception.ptr());
}

}  // namespace

void define_error(py::module_& module) {
  error_class = PyErr_NewExceptionWithDoc("rondo.Error", kDoc, PyExc_Exception, nullptr);
  const auto type = py::reinterpret_borrow<py::object>(error_class);
  for (const char* name : {"code", "message", "place", "hint"}) type.attr(name) = "";
  module.attr("Error") = type;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Raised& raised) {
      set_python_error(raised.error);
    }
  });
}

}  // namespace rondo::python
