#include <fmt/format.h>
#include <pybind11/stl.h>

#include "melody.h"
#include "rondo/query/reading.h"

namespace rondo::python {
namespace {

/// A text that was read, with its melody.
struct ReadQuery {
  QueryReading reading;
  MelodyPointer melody;
};

ReadQuery read_text(const std::string& text) {
  ReadQuery out{value_of(read_query_text(text)), nullptr};
  Piece piece = out.reading.piece;
  piece.id.clear();
  out.melody = make_melody(std::move(piece));
  return out;
}

std::vector<std::string> warnings_of(const ReadQuery& query) {
  std::vector<std::string> out;
  for (const Diagnostic& warning : query.reading.warnings) out.push_back(warning.message);
  return out;
}

}  // namespace

void define_query(py::module_& module) {
  py::class_<ReadQuery> type(module, "Query", "How a text was read: the melody, and the reason.");
  type.attr("__module__") = "rondo";
  type.def_property_readonly(
      "melody", [](const ReadQuery& q) { return std::const_pointer_cast<Melody>(q.melody); },
      "The melody; for a contour, an example with this contour.");
  type.def_property_readonly(
      "kind", [](const ReadQuery& q) { return std::string(to_string(q.reading.kind)); },
      "\"note-names\", \"degrees\", \"contour\", \"pae\" and so on.");
  type.def_property_readonly(
      "because", [](const ReadQuery& q) { return q.reading.because; },
      "The reason for reading it in this way, in words.");
  type.def_property_readonly(
      "rhythm", [](const ReadQuery& q) { return q.reading.rhythm; }, "Whether lengths of notes were given.");
  type.def_property_readonly(
      "unknown", [](const ReadQuery& q) { return q.reading.unknown_notes + q.reading.unknown_stretches; },
      "Number of wildcards for unknown notes; the systems pattern, pattern-contour and pattern-rhythm support them.");
  type.def_property_readonly("warnings", warnings_of, "What was guessed, in words.");
  type.def("__repr__", [](const ReadQuery& q) { return fmt::format("<rondo.Query {}>", describe(q.reading)); });
  module.def("read_query", read_text,
             R"(Parses a text with notes: note names, do re mi, degrees, intervals, a contour, PAE, ABC, kern.

>>> rondo.read_query("C4 D4 Eb4")
<rondo.Query read as note names because every word is a note with its octave: C4 D4 Eb4>
>>> rondo.read_query("*UDDR").kind
'contour'
)",
             py::arg("text"));
}

}  // namespace rondo::python
