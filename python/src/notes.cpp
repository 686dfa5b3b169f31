#include "notes.h"

#include <fmt/format.h>

#include <cmath>

#include "formats/jsonl/values.h"
#include "melody.h"
#include "rondo/melody/builder.h"

namespace rondo::python {
namespace {

Fraction simple_fraction(double value) {
  const auto fraction = jsonl::nearest_fraction(value);
  if (!fraction) raise("melody-time", fmt::format("{} is not a time that a melody can have", value));
  return *fraction;
}

int midi_number(double value) {
  if (!(value >= 0 && value <= 127) || value != std::floor(value)) {
    raise("melody-pitch", fmt::format("{} is no MIDI number: those are whole numbers from 0 to 127", value));
  }
  return static_cast<int>(value);
}

class Notes {
 public:
  explicit Notes(Fraction unit) : unit_(unit) {
    if (!(unit > Fraction(0))) raise("melody-time", "a unit of time must be more than 0");
  }
  void add(Fraction onset, Fraction duration, double pitch) {
    if (onset < Fraction(0) || duration < Fraction(0)) raise("melody-time", "a time cannot be negative");
    builder_.note(onset * unit_, duration * unit_, Pitch::from_midi(midi_number(pitch)), false, false);
  }
  Voice finish() { return value_of(builder_.finish()); }

 private:
  Fraction unit_;
  VoiceBuilder builder_;
};

Voice voice_from_table(const Column& table, Fraction unit) {
  if (table.ndim() != 2 || table.shape(1) != 3) {
    throw py::value_error("an array of notes needs three columns: onset, duration, pitch");
  }
  Notes notes(unit);
  const auto cell = table.unchecked<2>();
  for (py::ssize_t i = 0; i < cell.shape(0); ++i) {
    notes.add(simple_fraction(cell(i, 0)), simple_fraction(cell(i, 1)), cell(i, 2));
  }
  return notes.finish();
}

}  // namespace

Fraction time_from(const py::handle& object) {
  if (py::isinstance<py::str>(object)) {
    const auto text = object.cast<std::string>();
    const auto parsed = Fraction::parse(text);
    if (!parsed) raise("melody-time", fmt::format("'{}' is not a time; write \"3/8\", \"2\" or \"0.375\"", text));
    return *parsed;
  }
  if (!PyFloat_Check(object.ptr()) && py::hasattr(object, "numerator") && py::hasattr(object, "denominator")) {
    try {
      return {py::int_(object.attr("numerator")).cast<std::int64_t>(),
              py::int_(object.attr("denominator")).cast<std::int64_t>()};
    } catch (const py::cast_error&) {
      raise("melody-time", "a time is too large or too fine");
    }
  }
  return simple_fraction(py::float_(py::reinterpret_borrow<py::object>(object)).cast<double>());
}

Voice voice_from_rows(const py::object& rows, Fraction unit) {
  if (py::isinstance<py::array>(rows)) return voice_from_table(rows.cast<Column>(), unit);
  Notes notes(unit);
  for (const py::handle row : rows) {
    const auto note = py::tuple(py::reinterpret_borrow<py::object>(row));
    if (note.size() != 3) throw py::value_error("a note is (onset, duration, pitch)");
    notes.add(time_from(note[0]), time_from(note[1]), py::float_(py::object(note[2])).cast<double>());
  }
  return notes.finish();
}

Voice voice_from_columns(const Column& onset, const Column& duration, const Column& pitch, Fraction unit) {
  if (onset.ndim() != 1 || duration.ndim() != 1 || pitch.ndim() != 1 || onset.size() != duration.size() ||
      onset.size() != pitch.size()) {
    throw py::value_error("onset, duration and pitch must be lists of the same length");
  }
  Notes notes(unit);
  for (py::ssize_t i = 0; i < onset.size(); ++i) {
    notes.add(simple_fraction(onset.at(i)), simple_fraction(duration.at(i)), pitch.at(i));
  }
  return notes.finish();
}

Piece piece_of(Voice voice, const NewMelody& about) {
  Piece piece;
  piece.id = about.id;
  piece.metadata.title = about.title;
  piece.metadata.composer = about.composer;
  piece.metadata.source = about.source;
  if (!voice.notes.empty()) piece.voices.push_back(std::move(voice));
  return piece;
}

}  // namespace rondo::python
