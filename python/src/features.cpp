#include "features/features.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "feature_columns.h"
#include "melody.h"

namespace rondo::python {
namespace {

py::dict features_of_one(const Melody& melody) {
  if (melody.piece.voices.empty()) raise("melody-empty", "the melody has no notes");
  const Features f = features_of(melody.piece.voices.front());
  py::dict out;
  each_column(f, [&](const char* name, const auto& value) { out[name] = value; });
  out["diatonic"] = as_array(f.diatonic);
  out["chromatic"] = as_array(f.chromatic);
  return out;
}

py::dict features_of_any(const py::object& what) {
  if (py::isinstance<Melody>(what) || py::isinstance<py::str>(what)) return features_of_one(*melody_from(what));
  const std::vector<MelodyPointer> melodies = melodies_from(py::iterable(what));
  FeatureColumns columns;
  {
    const py::gil_scoped_release others_may_run;
    for (const MelodyPointer& melody : melodies) columns.add(melody->piece);
  }
  return std::move(columns).finish();
}

}  // namespace

void FeatureColumns::add(const Piece& piece) {
  for (std::size_t voice = 0; voice < piece.voices.size(); ++voice) {
    id_.push_back(piece.id);
    voice_.push_back(static_cast<std::int64_t>(voice));
    append(features_of(piece.voices[voice]));
  }
}

void FeatureColumns::append(const Features& features) {
  std::size_t column = 0;
  each_column(features, [&](const char* name, const auto& value) {
    using Column = std::vector<std::decay_t<decltype(value)>>;
    if (column == columns_.size()) columns_.emplace_back(name, Column());
    std::get<Column>(columns_[column++].second).push_back(value);
  });
}

py::dict FeatureColumns::finish() && {
  if (columns_.empty()) {  // of nothing the columns all the same
    append({});
    for (auto& column : columns_) std::visit([](auto& values) { values.clear(); }, column.second);
  }
  py::dict out;
  out["id"] = std::move(id_);
  out["voice"] = as_array(std::move(voice_));
  for (auto& [name, values] : columns_) {
    if (auto* texts = std::get_if<std::vector<std::string>>(&values)) {
      out[name] = std::move(*texts);
    } else if (auto* numbers = std::get_if<std::vector<double>>(&values)) {
      out[name] = as_array(std::move(*numbers));
    } else {
      out[name] = as_array(std::move(std::get<std::vector<std::int64_t>>(values)));
    }
  }
  return out;
}

void define_features(py::module_& module) {
  module.def("features", features_of_any, R"(Features of a melody, as a dict; of many, as a dict of columns.

The columns are numpy arrays and lists of texts, one row for each voice: ``pandas.DataFrame(rondo.features(tunes))``.

>>> rondo.features("'4CEGE")["contour"]
'UUD'
>>> rondo.features(["'4CEGE", "'4CDEF"])["range"]
array([7, 5])
)",
             py::arg("melodies"));
}

}  // namespace rondo::python
