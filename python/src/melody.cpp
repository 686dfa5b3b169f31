#include "melody.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.h"
#include "formats/jsonl/values.h"
#include "formats/pae.h"
#include "notes.h"
#include "rondo/formats/format.h"

namespace rondo::python {
namespace {

const Voice& first_voice(const Melody& melody) {
  static const Voice kNone;
  return melody.piece.voices.empty() ? kNone : melody.piece.voices.front();
}

template <typename T, typename Get>
py::array_t<T> column(const Melody& melody, const Get& get) {
  const std::vector<Note> notes = top_line(first_voice(melody));
  std::vector<T> values;
  values.reserve(notes.size());
  for (const Note& note : notes) values.push_back(get(note));
  return as_array(std::move(values));
}

py::list notes_of(const Melody& melody) {
  const py::object fraction = py::module_::import("fractions").attr("Fraction");
  py::list out;
  for (const Note& note : top_line(first_voice(melody))) {
    out.append(py::make_tuple(fraction(note.onset.num(), note.onset.den()),
                              fraction(note.duration.num(), note.duration.den()), note.pitch.midi()));
  }
  return out;
}

std::vector<std::string> spelling_of(const Melody& melody) {
  std::vector<std::string> out;
  for (const Note& note : top_line(first_voice(melody))) out.push_back(note.pitch.to_string());
  return out;
}

py::dict metadata_of(const Melody& melody) {
  const Metadata& m = melody.piece.metadata;
  py::dict out;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  add("title", m.title);
  add("composer", m.composer);
  add("source", m.source);
  add("library", m.library);
  add("shelfmark", m.shelfmark);
  add("uri", m.uri);
  add("year", m.year);
  if (!m.catalogue.empty()) out["catalogue"] = m.catalogue;
  for (const auto& [name, value] : m.fields) {
    if (!out.contains(name.c_str())) out[name.c_str()] = value;
  }
  return out;
}

std::vector<MelodyPointer> voices_of(const Melody& melody) {
  std::vector<MelodyPointer> out;
  for (const Voice& voice : melody.piece.voices) {
    Piece one;
    one.id = melody.piece.id;
    one.metadata = melody.piece.metadata;
    one.format = melody.piece.format;
    one.voices.push_back(voice);
    out.push_back(make_melody(std::move(one)));
  }
  return out;
}

std::string written(const Melody& melody, const std::string& name) {
  const Format* format = find_format(name);
  if (format == nullptr || format->write == nullptr) {
    std::string names;
    for (const Format& one : formats()) {
      if (one.write != nullptr) names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    raise("format-unknown", fmt::format("'{}' is not a format that can be written", name), "there are " + names);
  }
  return value_of(format->write(melody.piece));
}

/// Bytes where the format is binary, text otherwise.
py::object write(const Melody& melody, const std::string& format) {
  const std::string bytes = written(melody, format);
  if (format == "midi") return py::bytes(bytes);
  return py::str(bytes);
}

MelodyPointer from_pae(const std::string& text, std::string id) {
  Diagnostics warnings;
  Piece piece;
  piece.id = std::move(id);
  piece.format = "pae";
  piece.source_text = text;
  piece.voices.push_back(value_of(parse_pae_query(text, warnings)));
  return make_melody(std::move(piece));
}

std::string repr_of(const Melody& melody) {
  const Piece& piece = melody.piece;
  const std::string title = piece.metadata.title.empty() ? "" : fmt::format(" \"{}\"", piece.metadata.title);
  const std::string voices = piece.voices.size() > 1 ? fmt::format(", {} voices", piece.voices.size()) : "";
  const std::size_t notes = top_line(first_voice(melody)).size();
  return fmt::format("<rondo.Melody {}{}: {} note{}{}>", piece.id.empty() ? "without id" : piece.id, title, notes,
                     notes == 1 ? "" : "s", voices);
}

MelodyPointer unpickled(const py::bytes& state) {
  const std::string text = state;
  MemorySource source(text);
  CollectingSink sink;
  value_of(find_format("jsonl")->read(source, {}, sink));
  if (sink.pieces.size() != 1) raise("melody-damaged", "this is not a pickled melody");
  return make_melody(std::move(sink.pieces.front()));
}

MelodyPointer make(const py::object& notes, const py::object& unit, const NewMelody& about) {
  return make_melody(piece_of(voice_from_rows(notes, time_from(unit)), about));
}

MelodyPointer from_arrays(const Column& onset, const Column& duration, const Column& pitch, const py::object& unit,
                          const NewMelody& about) {
  return make_melody(piece_of(voice_from_columns(onset, duration, pitch, time_from(unit)), about));
}

}  // namespace

MelodyPointer make_melody(Piece piece) { return std::make_shared<const Melody>(Melody{std::move(piece)}); }

MelodyPointer melody_from(const py::handle& object) {
  if (py::isinstance<py::str>(object)) {
    QueryReading reading = reading_from(object.cast<std::string>());
    if (reading.has_wildcards())
      raise("query-wildcards", "a melody has no unknown notes; Collection.search supports them");
    reading.piece.id.clear();
    return make_melody(std::move(reading.piece));
  }
  try {
    return object.cast<std::shared_ptr<Melody>>();
  } catch (const py::cast_error&) {
    throw py::type_error(fmt::format("a rondo.Melody or a text with notes is wanted, not {}",
                                     py::str(py::type::of(object).attr("__name__")).cast<std::string>()));
  }
}

void warn_of(const Diagnostics& warnings) {
  for (const Diagnostic& warning : warnings) {
    const std::string text = warning.hint.empty() ? warning.message : warning.message + " (" + warning.hint + ")";
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }
}

QueryReading reading_from(const std::string& text) {
  QueryReading reading = value_of(read_query_text(text));
  warn_of(reading.warnings);
  return reading;
}

std::vector<MelodyPointer> melodies_from(const py::iterable& objects) {
  std::vector<MelodyPointer> out;
  for (const py::handle object : objects) out.push_back(melody_from(object));
  return out;
}

Line query_line(const Melody& melody, const LineOptions& options) {
  if (melody.piece.voices.empty()) raise("melody-empty", fmt::format("'{}' has no notes", melody.piece.id));
  return make_line(melody.piece.voices.front(), options);
}

Corpus corpus_of(std::span<const MelodyPointer> melodies) {
  Corpus corpus;
  corpus.documents.reserve(melodies.size());
  for (const MelodyPointer& melody : melodies) corpus.documents.push_back(make_document(melody->piece));
  return corpus;
}

void define_melody(py::module_& module) {
  py::class_<Melody, std::shared_ptr<Melody>> type(module, "Melody", R"(A piece of music: one melody, or several voices.

Made from (onset, duration, pitch) of each note: times in whole notes (``unit="1/4"`` if they are in quarters), as whole
numbers, Fractions, texts such as "3/8", or floats; pitches as MIDI numbers. A numpy array with three columns is accepted too.

>>> tune = rondo.Melody([(0, "1/4", 60), ("1/4", "1/4", 62), ("1/2", "1/2", 64)], id="tune")
>>> tune
<rondo.Melody tune: 3 notes>
>>> tune.pitch
array([60, 62, 64])
>>> tune.spelling
['C4', 'D4', 'E4']
)");
  type.attr("__module__") = "rondo";
  const auto about = [](std::string id, std::string title, std::string composer, std::string source) {
    return NewMelody{std::move(id), std::move(title), std::move(composer), std::move(source)};
  };
  type.def(py::init([about](const py::object& notes, const std::string& id, const std::string& title,
                            const std::string& composer, const std::string& source, const py::object& unit) {
             return std::const_pointer_cast<Melody>(make(notes, unit, about(id, title, composer, source)));
           }),
           py::arg("notes"), py::kw_only(), py::arg("id") = "", py::arg("title") = "", py::arg("composer") = "",
           py::arg("source") = "", py::arg("unit") = 1);
  type.def_static(
      "from_arrays",
      [about](const Column& onset, const Column& duration, const Column& pitch, const std::string& id,
              const std::string& title, const std::string& composer, const std::string& source,
              const py::object& unit) {
        return std::const_pointer_cast<Melody>(
            from_arrays(onset, duration, pitch, unit, about(id, title, composer, source)));
      },
      R"(A melody from three numpy arrays, or anything that numpy can convert to arrays.

>>> import numpy as np
>>> rondo.Melody.from_arrays(np.arange(4), np.ones(4), [60, 62, 64, 65], unit="1/4").notes[1]
(Fraction(1, 4), Fraction(1, 4), 62)
)",
      py::arg("onset"), py::arg("duration"), py::arg("pitch"), py::kw_only(), py::arg("id") = "", py::arg("title") = "",
      py::arg("composer") = "", py::arg("source") = "", py::arg("unit") = 1);
  type.def_static(
      "from_pae",
      [](const std::string& text, const std::string& id) {
        return std::const_pointer_cast<Melody>(from_pae(text, id));
      },
      R"(A melody from Plaine & Easie Code, or from bare note names.

>>> rondo.Melody.from_pae("'4CDEC/CDEC").pitch
array([60, 62, 64, 60, 60, 62, 64, 60])
)",
      py::arg("text"), py::arg("id") = "");
  type.def_property_readonly(
      "id", [](const Melody& m) { return m.piece.id; }, "Its id in a collection; may be empty.");
  type.def_property_readonly(
      "title", [](const Melody& m) { return m.piece.metadata.title; }, "Its title, or \"\".");
  type.def_property_readonly(
      "composer", [](const Melody& m) { return m.piece.metadata.composer; }, "Its composer, or \"\".");
  type.def_property_readonly(
      "format", [](const Melody& m) { return m.piece.format; }, "The format it was read from, or \"\".");
  type.def_property_readonly("metadata", metadata_of, "All metadata, as a dict.");
  type.def_property_readonly(
      "onset", [](const Melody& m) { return column<double>(m, [](const Note& n) { return n.onset.to_double(); }); },
      "Onsets of the first voice in whole notes, a numpy array; of a chord the highest note, no grace notes.");
  type.def_property_readonly(
      "duration",
      [](const Melody& m) { return column<double>(m, [](const Note& n) { return n.duration.to_double(); }); },
      "Durations of the same notes in whole notes.");
  type.def_property_readonly(
      "pitch", [](const Melody& m) { return column<std::int64_t>(m, [](const Note& n) { return n.pitch.midi(); }); },
      "MIDI numbers of the same notes.");
  type.def_property_readonly("notes", notes_of, "The same notes as a list of (Fraction, Fraction, int): exact.");
  type.def_property_readonly("spelling", spelling_of, "Names of the same notes: [\"C4\", \"F#4\"].");
  type.def_property_readonly("voices", voices_of, "Each voice as a separate melody.");
  type.def("write", write, R"(The melody in another format: text, or bytes for "midi".

>>> print(rondo.Melody.from_pae("'4CDEC", id="x").write("pae"), end="")
@id:x
@clef:
@data:'4CDEC
)",
           py::arg("format"));
  type.def("__len__", [](const Melody& m) { return top_line(first_voice(m)).size(); });
  type.def("__repr__", repr_of);
  type.def(
      "__eq__",
      [](const Melody& a, const Melody& b) {
        return a.piece.id == b.piece.id && a.piece.voices == b.piece.voices && a.piece.metadata == b.piece.metadata;
      },
      py::is_operator());
  type.def("__hash__", [](const Melody& m) { return py::hash(py::str(m.piece.id)); });
  type.def(py::pickle([](const Melody& m) { return py::bytes(written(m, "jsonl")); },
                      [](const py::bytes& state) { return std::const_pointer_cast<Melody>(unpickled(state)); }));
}

}  // namespace rondo::python
