#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "binding.h"
#include "rondo/melody/piece.h"

/// Melodies made from what Python has: rows of (onset, duration, pitch), or three columns.
namespace rondo::python {

/// Anything numpy can make numbers of; an array of doubles is not copied.
using Column = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct NewMelody {
  std::string id;
  std::string title;
  std::string composer;
  std::string source;
};

[[nodiscard]] Voice voice_from_rows(const py::object& rows, Fraction unit);
[[nodiscard]] Voice voice_from_columns(const Column& onset, const Column& duration, const Column& pitch, Fraction unit);
[[nodiscard]] Piece piece_of(Voice voice, const NewMelody& about);

}  // namespace rondo::python
