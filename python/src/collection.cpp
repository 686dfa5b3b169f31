#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "feature_columns.h"
#include "library.h"
#include "own_system.h"
#include "query/fit.h"

namespace rondo::python {
namespace {

using Paths = std::vector<std::filesystem::path>;

std::shared_ptr<Library> open(const std::filesystem::path& path, const std::string& mode) {
  const py::gil_scoped_release others_may_run;
  if (mode == "read") return std::make_shared<Library>(path.string(), OpenMode::read);
  if (mode == "write") return std::make_shared<Library>(path.string(), OpenMode::write);
  if (mode == "create") return std::make_shared<Library>(path.string(), OpenMode::create);
  throw py::value_error("a collection is opened to \"read\", \"write\" or \"create\"");
}

py::dict summary_dict(const ImportSummary& s) {
  py::dict out;
  out["files"] = s.files;
  out["records"] = s.records;
  out["added"] = s.added;
  out["updated"] = s.updated;
  out["unchanged"] = s.unchanged;
  out["skipped"] = s.skipped;
  out["warned"] = s.warned;
  out["by_code"] = s.by_code;
  out["seconds"] = s.seconds;
  return out;
}

py::dict import_files(Library& library, const py::args& paths, bool strict, const py::object& progress) {
  std::vector<std::string> names;
  for (const py::handle path : paths) names.push_back(path.cast<std::filesystem::path>().string());
  ImportOptions options;
  options.strict = strict;
  options.version = RONDO_VERSION;
  bool interrupted = false;
  const ImportSummary summary = [&] {
    const py::gil_scoped_release others_may_run;
    return library.import_paths(names, options, [&](const ImportProgress& now) {
      const py::gil_scoped_acquire python;
      interrupted = PyErr_CheckSignals() != 0;
      if (interrupted) return false;
      if (!progress.is_none()) progress(now.records, now.bytes_done, now.bytes_total);
      return true;
    });
  }();
  if (interrupted) throw py::error_already_set();
  return summary_dict(summary);
}

const Voice& query_voice(const Melody& melody) {
  if (melody.piece.voices.empty()) raise("melody-empty", fmt::format("'{}' has no notes", melody.piece.id));
  return melody.piece.voices.front();
}

/// The name of a system, or a function of Python.
struct AskedSystem {
  std::optional<std::string> name{};
  std::optional<OwnSystem> own{};
};
AskedSystem asked_system(const py::object& system) {
  if (system.is_none()) return {};
  if (PyCallable_Check(system.ptr()) != 0) return {{}, own_system(py::reinterpret_borrow<py::function>(system))};
  return {system.cast<std::string>()};
}

py::object search(Library& library, const py::object& query, const py::object& system_or_function, std::size_t k,
                  const std::optional<std::string>& id, const Settings& settings, const std::string& where,
                  const std::string& text, unsigned min_notes, const std::optional<bool>& anchored, bool fold,
                  bool ignore_repeated, bool fold_octaves, bool graces, bool expand, unsigned threads,
                  const Settings& set) {
  if (query.is_none() == !id.has_value()) throw py::value_error("give either query or id");
  if (settings && set) throw py::value_error("settings and set are names of one argument");
  const AskedSystem asked = asked_system(system_or_function);
  const std::optional<std::string>& system = asked.name;
  SearchRequest request;
  request.system = system.value_or(std::string(kDefaultSystem));
  if (asked.own) request.own = asked.own->system;
  request.anchored = anchored.value_or(false);
  if (id) {
    request.like = *id;
  } else if (py::isinstance<py::str>(query)) {
    const QueryReading reading = reading_from(query.cast<std::string>());
    const QueryFit fit = value_of(fit_system(reading, system, anchored));
    warn_of(fit.warnings);
    request.query = reading.voice();
    request.unknown = reading.unknown;
    request.system = fit.system;
    request.anchored = fit.anchored;
  } else {
    request.query = query_voice(*melody_from(query));
  }
  request.settings = settings_text(settings ? settings : set);
  request.k = k;
  request.where = where;
  request.trusted = true;
  request.text = text;
  request.least_notes = min_notes;
  request.fold_duplicates = fold;
  request.heard.ignore_repeated = ignore_repeated;
  request.heard.fold_octaves = fold_octaves;
  request.heard.graces = graces;
  request.expand = expand;
  request.threads = threads;
  const LibraryAnswer answer = interruptible([&](const std::stop_token& stop) {
    request.stop = stop;
    return library.search(request);
  });
  if (asked.own) asked.own->failure->rethrow();
  py::list out;
  for (const LibraryHit& hit : answer.hits) out.append(py::cast(hit));
  using namespace py::literals;
  return py::module_::import("rondo").attr("Hits")(
      out, "compared"_a = answer.compared, "not_reached"_a = answer.not_reached, "too_short"_a = answer.too_short,
      "filtered_out"_a = answer.filtered_out);
}

/// What `rondo run` writes, as a dict of dicts, best first.
py::dict run(Library& library, const py::iterable& queries, const py::object& system_or_function, std::size_t k,
             const Settings& settings, const std::string& where, bool keep_self, unsigned threads) {
  const AskedSystem system = asked_system(system_or_function);
  const std::vector<MelodyPointer> asked = melodies_from(queries);
  for (const MelodyPointer& query : asked) {
    if (query->piece.id.empty()) raise("id-missing", "a query of a run needs an id");
  }
  const auto answers = interruptible([&](const std::stop_token& stop) {
    SearchRequest request;
    request.system = system.name.value_or(std::string(kDefaultSystem));
    if (system.own) request.own = system.own->system;
    request.settings = settings_text(settings);
    request.k = k;
    request.threads = threads;
    request.among = library.chosen(where, "");
    request.stop = stop;
    std::vector<std::vector<LibraryHit>> all;
    for (const MelodyPointer& query : asked) {
      if (stop.stop_requested()) break;
      request.query = query_voice(*query);
      request.except = keep_self ? std::nullopt : library.find_key(query->piece.id);
      all.push_back(library.search(request).hits);
    }
    return all;
  });
  if (system.own) system.own->failure->rethrow();
  py::dict out;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    py::dict one;
    for (const LibraryHit& hit : answers[i]) one[py::str(hit.id)] = hit.score;
    out[py::str(asked[i]->piece.id)] = one;
  }
  return out;
}

py::dict features(Library& library, const std::string& where) {
  FeatureColumns columns;
  {
    const py::gil_scoped_release others_may_run;
    library.each(where, [&](const Piece& piece) { columns.add(piece); });
  }
  return std::move(columns).finish();
}

const char* word_of(PutOutcome outcome) {
  switch (outcome) {
    case PutOutcome::added: return "added";
    case PutOutcome::updated: return "updated";
    case PutOutcome::unchanged: return "unchanged";
  }
  return "";
}

void define_hit(py::module_& module) {
  py::class_<LibraryHit> type(module, "Hit", "A melody that a search found.");
  type.attr("__module__") = "rondo";
  type.def_readonly("rank", &LibraryHit::rank, "From 1.");
  type.def_readonly("score", &LibraryHit::score, "Higher is more similar; each system has its own scale.");
  type.def_readonly("id", &LibraryHit::id, "The melody's id in the collection.");
  type.def_readonly("voice", &LibraryHit::voice, "The voice that matched, from 0.");
  type.def_readonly("title", &LibraryHit::title, "Its title, or \"\".");
  type.def_readonly("composer", &LibraryHit::composer, "Its composer, or \"\".");
  type.def_readonly("duplicates", &LibraryHit::duplicates, "How many equal melodies were folded into it.");
  type.def_readonly(
      "probability", &LibraryHit::probability,
      "Probability that it is the same tune; None if the system is not calibrated or the collection is too small.");
  type.def("__repr__",
           [](const LibraryHit& hit) { return fmt::format("<rondo.Hit {} {} {:.4f}>", hit.rank, hit.id, hit.score); });
}

}  // namespace

void define_collection(py::module_& module) {
  define_hit(module);
  py::class_<Library, std::shared_ptr<Library>> type(module, "Collection", R"(A collection of melodies, one file.

``mode`` is "read", "write" (it must exist) or "create" (it is created if it does not exist). Threads may share it.

>>> with rondo.Collection("out/python.db", "create") as tunes:
...     summary = tunes.import_files("data/demo")
...     hits = tunes.search(id="white-cockade-1", k=3)
>>> summary["skipped"], len(hits)
(0, 3)
)");
  type.attr("__module__") = "rondo";
  const auto released = py::call_guard<py::gil_scoped_release>();
  type.def(py::init(&open), py::arg("path"), py::arg("mode") = "read");
  type.def("close", &Library::close, released, "Closes the file; the collection cannot be used afterwards.");
  type.def("__enter__", [](const std::shared_ptr<Library>& library) { return library; });
  type.def("__exit__", [](Library& library, const py::args&) {
    const py::gil_scoped_release others_may_run;
    library.close();
  });
  type.def("__repr__", &Library::describe, released);
  type.def("__len__", &Library::size, released);
  type.def("__contains__", &Library::contains, released, py::arg("id"));
  type.def(
      "__getitem__",
      [](Library& library, const std::string& id) {
        const py::gil_scoped_release others_may_run;
        return std::const_pointer_cast<Melody>(library.get(id));
      },
      py::arg("id"));
  type.def("__iter__", [](Library& library) {
    const auto ids = [&] {
      const py::gil_scoped_release others_may_run;
      return library.ids("");
    }();
    return py::iter(py::cast(ids));
  });
  type.def("ids", &Library::ids, released,
           "All ids in the order of their bytes, or those for which `where` holds: SQL, see docs/filter.md.",
           py::arg("where") = "");
  type.def(
      "get",
      [](Library& library, const std::string& id) {
        const py::gil_scoped_release others_may_run;
        return std::const_pointer_cast<Melody>(library.get(id));
      },
      "The melody of that id; rondo.Error with code \"piece-missing\" where there is none.", py::arg("id"));
  type.def(
      "put",
      [](Library& library, const Melody& melody) {
        const py::gil_scoped_release others_may_run;
        return word_of(library.put(melody));
      },
      "Keeps a melody under its id, in place of what was there: \"added\", \"updated\" or \"unchanged\".",
      py::arg("melody"));
  type.def("remove", &Library::remove, released, "Takes a melody out; False where there was none.", py::arg("id"));
  type.def("import_files", import_files,
           R"(Imports files, folders and archives into the collection; returns the counts as a dict.

``progress`` is called repeatedly with (records, bytes done, total bytes). With ``strict`` the first bad record ends
the import with an error.)",
           py::kw_only(), py::arg("strict") = false, py::arg("progress") = py::none());
  type.def("search", search, R"(The `k` melodies most like a query, best first: Hits, a list of Hit.

The query is a Melody, or a text: note names, do re mi, degrees, intervals, a contour, Plaine & Easie Code, ABC or kern
(`read_query` shows how it is read). The default ``system`` is rondo, or contour for a contour. ``id`` uses a melody of
the collection as the query; it is not among its own hits. ``where`` (SQL), ``text`` (words) and ``min_notes`` filter
the pieces. ``anchored`` compares beginnings only, ``fold`` counts identical and transposed melodies as one hit,
``ignore_repeated`` counts repeated notes as one, ``fold_octaves`` ignores octaves, ``graces`` includes grace notes,
``expand`` re-ranks the first hits by how they resemble each other. ``set`` is another name for ``settings``. The list and the names of the
options are those of `rondo search`.

``system`` may also be your own function: it takes two Lines, query and document, and returns a number (higher is
more alike), or None where they cannot be compared. Every melody is then compared.

>>> import numpy
>>> def steps(query, document):
...     a, b = (numpy.histogram(numpy.diff(line.pitch), range(-12, 13))[0] for line in (query, document))
...     return -int(abs(a - b).sum())
>>> with rondo.Collection("out/python.db") as tunes:
...     tunes.search(tunes["white-cockade-1"], steps, k=3)[0].id
'white-cockade-1'
)",
           py::arg("query") = py::none(), py::arg("system") = py::none(), py::arg("k") = 10, py::kw_only(),
           py::arg("id") = py::none(), py::arg("settings") = py::none(), py::arg("where") = "", py::arg("text") = "",
           py::arg("min_notes") = 0, py::arg("anchored") = py::none(), py::arg("fold") = false,
           py::arg("ignore_repeated") = false, py::arg("fold_octaves") = false, py::arg("graces") = false,
           py::arg("expand") = false, py::arg("threads") = 0, py::arg("set") = py::none());
  type.def("run", run, R"(Many queries at once: {query: {document: score}}, best first, as `evaluate` expects it.

A query that is in the collection does not find itself unless ``keep_self`` is set.)",
           py::arg("queries"), py::arg("system") = kDefaultSystem, py::arg("k") = 100, py::kw_only(),
           py::arg("settings") = py::none(), py::arg("where") = "", py::arg("keep_self") = false,
           py::arg("threads") = 0);
  type.def("features", features, "Features of all melodies, or of those for which `where` holds: a dict of columns.",
           py::arg("where") = "");
}

}  // namespace rondo::python
