#include "concordances/concordances.h"

#include <pybind11/stl.h>

#include <filesystem>
#include <limits>

#include "arrays.h"
#include "base/collection_files.h"
#include "base/output_file.h"
#include "choice.h"
#include "concordances/groups.h"
#include "concordances/journal_folder.h"
#include "library.h"

namespace rondo::python {
namespace {

struct Outcome {
  concordances::Concordances found;
  concordances::Grouping grouping;
};

Outcome find(const std::string& db, const std::optional<std::string>& against, const concordances::Options& options,
             const std::optional<std::string>& journal, const py::object& progress) {
  // What the watcher raised; the run ends early then.
  std::optional<py::error_already_set> raised;
  std::stop_source from_watcher;
  auto outcome = interruptible([&](const std::stop_token& stop) -> Outcome {
    Collection collection = value_of(Collection::open(db, OpenMode::read));
    if (journal) value_of(check_output(*journal, kConcordancesJournalKind));
    std::optional<Collection> other;
    if (against) other.emplace(value_of(Collection::open(*against, OpenMode::read)));
    concordances::Job job = value_of(concordances::Job::prepare(collection, other ? &*other : nullptr, options));
    std::optional<concordances::JournalFolder> folder;
    if (!journal) folder.emplace(value_of(concordances::JournalFolder::make()));
    const std::filesystem::path path = journal ? std::filesystem::path(*journal) : folder->journal();
    const std::stop_callback both(stop, [&] { from_watcher.request_stop(); });
    const auto watch = [&](const concordances::Progress& now) {
      if (progress.is_none() || from_watcher.stop_requested()) return;
      const py::gil_scoped_acquire python;
      try {
        progress(now.done, now.total);
      } catch (py::error_already_set& error) {
        raised.emplace(error);
        from_watcher.request_stop();
      }
    };
    if (!value_of(job.run(path, from_watcher.get_token(), watch))) return {};
    const std::filesystem::path journals[] = {path};
    Outcome out{value_of(job.collect(journals)), {}};
    out.grouping = concordances::make_groups(out.found, options);
    return out;
  });
  if (raised) throw std::move(*raised);
  return outcome;
}

/// Everything in columns, as Concordances of the package takes it.
py::dict columns_of(const Outcome& outcome) {
  const auto& [found, grouping] = outcome;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  py::list ids;
  std::vector<std::int64_t> voice;
  std::vector<std::int64_t> collection;
  for (const concordances::MelodyRef& melody : found.melodies) {
    ids.append(melody.id);
    voice.push_back(melody.voice);
    collection.push_back(melody.second ? 1 : 0);
  }
  std::vector<std::int64_t> group(found.melodies.size(), -1);
  for (std::size_t g = 0; g < grouping.groups.size(); ++g) {
    for (const std::uint32_t m : grouping.groups[g].members) group[m] = static_cast<std::int64_t>(g);
  }
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  std::vector<double> ab;
  std::vector<double> ba;
  std::vector<double> ab_probability;
  std::vector<double> ba_probability;
  py::list relation;
  for (const concordances::Pair& pair : found.pairs) {
    a.push_back(pair.a);
    b.push_back(pair.b);
    ab.push_back(pair.ab);
    ba.push_back(pair.ba);
    ab_probability.push_back(pair.ab_probability.value_or(kUnknown));
    ba_probability.push_back(pair.ba_probability.value_or(kUnknown));
    relation.append(py::str(std::string(concordances::to_string(pair.relation))));
  }
  py::dict out;
  out["ids"] = ids;
  out["voices"] = as_array(std::move(voice));
  out["collections"] = as_array(std::move(collection));
  out["group_of"] = as_array(std::move(group));
  out["a"] = as_array(std::move(a));
  out["b"] = as_array(std::move(b));
  out["score_of_b"] = as_array(std::move(ab));
  out["score_of_a"] = as_array(std::move(ba));
  out["probability_of_b"] = as_array(std::move(ab_probability));
  out["probability_of_a"] = as_array(std::move(ba_probability));
  out["relation"] = relation;
  out["compared"] = found.compared;
  out["too_short"] = found.too_short;
  out["last_voice"] = found.last_voice;
  return out;
}

/// The path of a collection that Python has open, or of a file.
std::string path_of(const py::object& collection) {
  if (py::isinstance<Library>(collection)) return collection.cast<Library&>().path();
  return py::module_::import("os").attr("fspath")(collection).cast<std::string>();
}

py::object find_concordances(const py::object& collection, const std::string& system, const Settings& settings,
                             const std::optional<double>& min_score, const std::optional<double>& min_probability,
                             bool either, unsigned min_notes, std::size_t k, const py::object& since,
                             const py::object& against, const py::object& journal, const py::object& progress,
                             unsigned threads) {
  if (min_probability && !(*min_probability > 0 && *min_probability < 1)) {
    throw py::value_error("min_probability lies between 0 and 1");
  }
  concordances::Options options;
  options.system = system;
  options.settings = settings_text(settings);
  options.least_probability = min_probability;
  options.least_score = min_score.value_or(min_probability ? 0 : options.least_score);
  options.either = either;
  options.least_notes = min_notes;
  options.most = k;
  if (!since.is_none()) options.since = py::str(since).cast<std::string>();
  options.threads = thread_count(threads);
  const auto other = against.is_none() ? std::nullopt : std::optional(path_of(against));
  const auto kept = journal.is_none() ? std::nullopt : std::optional(path_of(journal));
  const Outcome outcome = find(path_of(collection), other, options, kept, progress);
  return py::module_::import("rondo").attr("Concordances")(columns_of(outcome));
}

}  // namespace

void define_concordances(py::module_& module) {
  module.def(
      "concordances", find_concordances,
      R"(Finds all melodies of a collection that are the same tune: every pair above a threshold, as Concordances.

``collection`` and ``against`` are files or open collections; with ``against`` only pairs of one melody from
each are found. The score of a pair is the lower of its two scores, with each melody as the query; ``either=True`` also
finds pairs of which only one score reaches the threshold. ``min_score`` is 0.7 by default, or 0 if ``min_probability``
is given: then every pair with at least that probability of being the same tune is found. ``k`` keeps only the best
partners of each melody. ``since`` (a date, or ``last_voice`` of an earlier result) finds only pairs with a newer melody.
``progress`` is called repeatedly with (pairs done, total pairs). With ``journal``, a file, an interrupted run resumes
where it stopped. See docs/concordances.md.

>>> with rondo.Collection("out/concordances.db", "create") as tunes:
...     summary = tunes.import_files("data/demo")
>>> found = rondo.concordances("out/concordances.db", min_score=0.5)
>>> found
<rondo.Concordances: 88 pairs of 101 melodies in 38 groups>
)",
      py::arg("collection"), py::arg("system") = kDefaultSystem, py::kw_only(), py::arg("settings") = py::none(),
      py::arg("min_score") = py::none(), py::arg("min_probability") = py::none(), py::arg("either") = false,
      py::arg("min_notes") = 8, py::arg("k") = 0, py::arg("since") = py::none(), py::arg("against") = py::none(),
      py::arg("journal") = py::none(), py::arg("progress") = py::none(), py::arg("threads") = 0);
}

}  // namespace rondo::python
