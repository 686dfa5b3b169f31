#include "rondo/features/features.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "feature_columns.h"
#include "melody.h"

namespace rondo::python {
namespace {

constexpr const char* kSizeNames[Features::kSizes] = {"unisons", "seconds",  "thirds",  "fourths", "fifths",
                                                      "sixths",  "sevenths", "octaves", "larger"};

py::dict features_of_one(const Melody& melody) {
  if (melody.piece.voices.empty()) raise("melody-empty", "the melody has no notes");
  const Features f = features_of(melody.piece.voices.front());
  py::dict out;
  out["notes"] = f.notes;
  out["lowest"] = f.lowest;
  out["highest"] = f.highest;
  out["range"] = f.range;
  out["range_steps"] = f.range_steps;
  out["max_interval"] = f.max_interval;
  out["max_interval_steps"] = f.max_interval_steps;
  out["duration_ratio"] = f.duration_ratio;
  out["contour"] = f.contour;
  out["rhythm"] = f.rhythm;
  out["diatonic"] = as_array(f.diatonic);
  out["chromatic"] = as_array(f.chromatic);
  for (std::size_t size = 0; size < Features::kSizes; ++size) out[kSizeNames[size]] = f.sizes[size];
  out["clef"] = f.clef;
  out["key_signature"] = f.key_signature;
  out["key"] = f.key;
  out["time"] = f.time;
  return out;
}

py::dict features(const py::object& what) {
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
  sizes_.resize(Features::kSizes);
  for (std::size_t voice = 0; voice < piece.voices.size(); ++voice) {
    Features f = features_of(piece.voices[voice]);
    id_.push_back(piece.id);
    voice_.push_back(static_cast<std::int64_t>(voice));
    notes_.push_back(f.notes);
    lowest_.push_back(f.lowest);
    highest_.push_back(f.highest);
    range_.push_back(f.range);
    range_steps_.push_back(f.range_steps);
    max_interval_.push_back(f.max_interval);
    max_steps_.push_back(f.max_interval_steps);
    duration_ratio_.push_back(f.duration_ratio);
    contour_.push_back(std::move(f.contour));
    rhythm_.push_back(std::move(f.rhythm));
    for (std::size_t size = 0; size < Features::kSizes; ++size) sizes_[size].push_back(f.sizes[size]);
    clef_.push_back(std::move(f.clef));
    key_signature_.push_back(std::move(f.key_signature));
    key_.push_back(std::move(f.key));
    time_.push_back(std::move(f.time));
  }
}

py::dict FeatureColumns::finish() && {
  sizes_.resize(Features::kSizes);
  py::dict out;
  out["id"] = std::move(id_);
  out["voice"] = as_array(std::move(voice_));
  out["notes"] = as_array(std::move(notes_));
  out["lowest"] = as_array(std::move(lowest_));
  out["highest"] = as_array(std::move(highest_));
  out["range"] = as_array(std::move(range_));
  out["range_steps"] = as_array(std::move(range_steps_));
  out["max_interval"] = as_array(std::move(max_interval_));
  out["max_interval_steps"] = as_array(std::move(max_steps_));
  out["duration_ratio"] = as_array(std::move(duration_ratio_));
  out["contour"] = std::move(contour_);
  out["rhythm"] = std::move(rhythm_);
  for (std::size_t size = 0; size < Features::kSizes; ++size) out[kSizeNames[size]] = as_array(std::move(sizes_[size]));
  out["clef"] = std::move(clef_);
  out["key_signature"] = std::move(key_signature_);
  out["key"] = std::move(key_);
  out["time"] = std::move(time_);
  return out;
}

void define_features(py::module_& module) {
  module.def("features", features, R"(What can be told of a melody on its own, as a dict; of many, as a dict of columns.

The columns are numpy arrays and lists of texts, one row for each voice: ``pandas.DataFrame(rondo.features(tunes))``.

>>> rondo.features("'4CEGE")["contour"]
'UUD'
>>> rondo.features(["'4CEGE", "'4CDEF"])["range"]
array([7, 5])
)",
             py::arg("melodies"));
}

}  // namespace rondo::python
