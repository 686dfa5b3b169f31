#include "search/scores.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "choice.h"
#include "melody.h"
#include "similarity/mixture.h"

namespace rondo::python {
namespace {

double similarity(const py::object& a, const py::object& b, const std::string& system, const Settings& settings) {
  const std::vector<MelodyPointer> pair = {melody_from(a), melody_from(b)};
  const ChosenSystem chosen = choose(system, settings);
  const py::gil_scoped_release others_may_run;
  // Two melodies are all there is to learn from here.
  corpus_of(pair).teach(*chosen.system);
  const Line query = query_line(*pair[0]);
  if (chosen.system->mixture() == nullptr) {
    return score_documents(*chosen.row, *chosen.system, query, corpus_of(std::span(pair).last(1))).front();
  }
  const Score score = chosen.system->prepare(query)->score(query_line(*pair[1]));
  return score.comparable ? score.value : std::numeric_limits<double>::quiet_NaN();
}

py::array_t<double> scores(const py::object& query, const py::iterable& melodies, const std::string& system,
                           const Settings& settings, unsigned threads) {
  const MelodyPointer asked = melody_from(query);
  const std::vector<MelodyPointer> against = melodies_from(melodies);
  const ChosenSystem chosen = choose(system, settings);
  return as_array(interruptible([&](const std::stop_token& stop) {
    const Line line = query_line(*asked);
    const Corpus corpus = corpus_of(against);
    corpus.teach(*chosen.system);
    return score_documents(*chosen.row, *chosen.system, line, corpus, {.threads = thread_count(threads), .stop = stop});
  }));
}

py::array_t<double> matrix(const py::iterable& melodies, const std::string& system, const Settings& settings,
                           unsigned threads, bool mirrored) {
  const std::vector<MelodyPointer> all = melodies_from(melodies);
  const ChosenSystem chosen = choose(system, settings);
  const auto count = static_cast<py::ssize_t>(all.size());
  py::array_t<double> out({count, count});
  const std::span<double> cells(out.mutable_data(), all.size() * all.size());
  interruptible([&](const std::stop_token& stop) {
    const Corpus corpus = corpus_of(all);
    corpus.teach(*chosen.system);
    const ScoresOptions options{.threads = thread_count(threads), .stop = stop, .mirrored = mirrored};
    return score_matrix(*chosen.row, *chosen.system, corpus, cells, options);
  });
  return out;
}

}  // namespace

void define_scores(py::module_& module) {
  module.def("similarity", similarity, R"(The similarity of two melodies with a system; higher is more similar.

Melodies may be given as Plaine & Easie Code. NaN means that one of them is too short for the system. A system
that learns from a collection (for example how rare an interval is) learns from these two melodies only; see `scores`.

>>> rondo.similarity("'4CDECCDEC", "'4DExFDDExFD", "shapeh") > rondo.similarity("'4CDECCDEC", "'4CBAGFEDC", "shapeh")
True
)",
             py::arg("a"), py::arg("b"), py::arg("system") = kDefaultSystem, py::kw_only(),
             py::arg("settings") = py::none());
  module.def("scores", scores,
             R"(The scores of a query with many melodies, on several threads: a numpy array in their order.

For a piece with several voices, the best score counts. The melodies are the collection that a system learns from.
``threads=0`` uses all cores. NaN where the two cannot be compared.

>>> tunes = rondo.read("data/demo")
>>> rondo.scores(tunes[0], tunes[:5]).argmax()
0
)",
             py::arg("query"), py::arg("melodies"), py::arg("system") = kDefaultSystem, py::kw_only(),
             py::arg("settings") = py::none(), py::arg("threads") = 0);
  module.def("matrix", matrix,
             R"(The scores of all pairs of melodies: a numpy array, rows are queries, columns are melodies.

``mirrored=True`` scores each pair once and uses the score for both directions, in half the time: exact for symmetric
systems, else an approximation.

>>> rondo.matrix(["'4CDECCDEC", "'4DExFDDExFD", "'4CBAGFEDC"], "contour").shape
(3, 3)
)",
             py::arg("melodies"), py::arg("system") = kDefaultSystem, py::kw_only(), py::arg("settings") = py::none(),
             py::arg("threads") = 0, py::arg("mirrored") = false);
}

}  // namespace rondo::python
