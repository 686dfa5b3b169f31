#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "binding.h"
#include "rondo/melody/piece.h"
#include "rondo/query/reading.h"
#include "search/corpus.h"

namespace rondo::python {

/// What Python calls a melody: a piece that nobody changes any more, so that threads may read it.
struct Melody {
  Piece piece;
};
using MelodyPointer = std::shared_ptr<const Melody>;

[[nodiscard]] MelodyPointer make_melody(Piece piece);
/// A Melody, or notes in any way people write them (see read_query_text); where something was guessed, Python warns.
[[nodiscard]] MelodyPointer melody_from(const py::handle& object);
/// A text as a query, with a Python warning for each thing that was guessed.
[[nodiscard]] QueryReading reading_from(const std::string& text);
void warn_of(const Diagnostics& warnings);
[[nodiscard]] std::vector<MelodyPointer> melodies_from(const py::iterable& objects);

/// The melody's first voice as systems hear it: error `melody-empty` where it has none.
[[nodiscard]] Line query_line(const Melody& melody, const LineOptions& options = {});
[[nodiscard]] Corpus corpus_of(std::span<const MelodyPointer> melodies);

/// A time as people write one in Python: a whole number, a Fraction, "3/8", or a float, which is taken for the nearest
/// simple fraction.
[[nodiscard]] Fraction time_from(const py::handle& object);

}  // namespace rondo::python
