#include "concordances/concordances.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "bench/bench.h"
#include "bench/folder.h"
#include "generate/generate.h"
#include "search/search.h"

namespace rondo::bench {
namespace {

/// About one incipit in a hundred of a million has a partner above it besides those that were planted.
constexpr double kThreshold = 0.65;
/// Searches that are timed, to estimate what all of them would take.
constexpr std::uint64_t kSearches = 20;

Result<Collection> generated(const std::filesystem::path& path, const Generator& generator, std::uint64_t count) {
  auto collection = Collection::open(path, OpenMode::create);
  if (!collection) return collection;
  auto batch = collection->begin();
  if (!batch) return fail(batch.error());
  for (std::uint64_t i = 0; i < count; ++i) {
    if (auto put = collection->put(generator.piece(i)); !put) return fail(put.error());
  }
  if (auto done = batch->commit(); !done) return fail(done.error());
  return collection;
}

struct PlantedPairs {
  std::uint64_t above = 0;  ///< variants that reach the threshold with their origin, both ways
  std::uint64_t found = 0;
};

/// Variants and their origins, scored one by one, and how many of those above the threshold were found.
PlantedPairs planted_pairs(const Generator& generator, std::uint64_t count, const System& system,
                           std::uint32_t least_notes, const concordances::Concordances& found) {
  std::map<std::string, std::uint32_t> number;
  for (std::uint32_t m = 0; m < found.melodies.size(); ++m) number[found.melodies[m].id] = m;
  PlantedPairs out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto planted = generator.planted(i);
    if (!planted) continue;
    const Line a = make_line(generator.piece(planted->origin).voices.front());
    const Line b = make_line(generator.piece(i).voices.front());
    if (a.size() < least_notes || b.size() < least_notes) continue;
    if (std::min(system.prepare(a)->score(b).value, system.prepare(b)->score(a).value) < kThreshold) continue;
    ++out.above;
    const auto one = number.find(Generator::id(planted->origin));
    const auto other = number.find(Generator::id(i));
    if (one == number.end() || other == number.end()) continue;
    const auto key = std::minmax({one->second, other->second});
    const auto at = std::lower_bound(found.pairs.begin(), found.pairs.end(), key,
                                     [](const concordances::Pair& pair, const auto& wanted) {
                                       return std::pair(pair.a, pair.b) < std::pair(wanted.first, wanted.second);
                                     });
    if (at != found.pairs.end() && at->a == key.first && at->b == key.second) ++out.found;
  }
  return out;
}

/// Seconds that it would take to search for every melody, from some of them.
Result<double> every_search(Collection& collection, const Generator& generator, std::uint64_t count, unsigned threads) {
  auto index = Index::of(collection);
  if (!index) return fail(index.error());
  auto system = resolve_system(kDefaultSystem);
  if (!system) return fail(system.error());
  const double some = seconds([&] {
    for (std::uint64_t i = 0; i < kSearches; ++i) {
      const Line query = make_line(generator.piece(i * count / kSearches).voices.front());
      (void)search(*index, *system->row, *system->system, query, {.k = 10, .threads = threads});
    }
  });
  return some / static_cast<double>(kSearches) * static_cast<double>(count);
}

Result<void> measure(const Options& options, std::uint64_t count, std::vector<Measurement>& out) {
  const Folder folder(options.folder);
  const Generator generator(options.seed);
  auto collection = generated(folder.path / "generated.db", generator, count);
  if (!collection) return fail(collection.error());
  concordances::Options wanted;
  wanted.least_score = kThreshold;
  wanted.threads = std::max(1U, std::thread::hardware_concurrency());
  const std::filesystem::path journal = folder.path / "journal";
  Result<concordances::Concordances> found = fail("bench-wrong", "nothing was done");
  double deciding = 0;
  concordances::Counts counts;
  const double before = processor_seconds();
  const double all = seconds([&] {
    auto job = concordances::Job::prepare(*collection, nullptr, wanted);
    if (!job) {
      found = fail(job.error());
      return;
    }
    Result<bool> done = false;
    deciding = seconds([&] { done = job->run(journal); });
    counts = job->counts();
    const std::filesystem::path journals[] = {journal};
    found = done ? job->collect(journals) : fail(done.error());
  });
  const double processor = processor_seconds() - before;
  if (!found) return fail(found.error());
  const double memory = peak_memory();
  auto system = resolve_system(kDefaultSystem);
  if (!system) return fail(system.error());
  const PlantedPairs planted = planted_pairs(generator, count, *system->system, wanted.least_notes, *found);
  auto searches = every_search(*collection, generator, count, wanted.threads);
  if (!searches) return fail(searches.error());
  const std::string size = fmt::format("{} incipits", count);
  const auto of_pairs = [&](std::uint64_t number) {
    return 100.0 * static_cast<double>(number) / static_cast<double>(std::max<std::uint64_t>(1, counts.pairs));
  };
  const double target = count >= 1'000'000 ? 2400 : count >= 100'000 ? 60 : 0;
  out.push_back({size + ": total time", all, "s", target, false});
  out.push_back({size + ": CPU time", processor, "s"});
  out.push_back({size + ": a search for each", *searches, "s"});
  out.push_back({size + ": pairs per second", static_cast<double>(counts.pairs) / deciding, "1/s"});
  out.push_back({size + ": pairs left by shared pitches", of_pairs(counts.shared), "%"});
  out.push_back({size + ": by common order", of_pairs(counts.common), "%"});
  out.push_back({size + ": scored", static_cast<double>(counts.scored), ""});
  out.push_back({size + ": pairs found", static_cast<double>(found->pairs.size()), ""});
  out.push_back({size + ": planted above the threshold", static_cast<double>(planted.above), ""});
  out.push_back({size + ": of these found", static_cast<double>(planted.found), ""});
  out.push_back({size + ": peak memory", memory, "MB"});
  if (planted.found != planted.above) {
    return fail("bench-wrong", fmt::format("{} planted pairs were missed", planted.above - planted.found));
  }
  return {};
}

}  // namespace

Result<std::vector<Measurement>> bench_concordances(const Options& options) {
  constexpr std::uint64_t kSizes[] = {10'000, 100'000, 1'000'000};
  std::vector<Measurement> out;
  for (const std::uint64_t size : kSizes) {
    if (size > options.count) break;
    if (auto done = measure(options, size, out); !done) return fail(done.error());
  }
  if (out.empty()) {
    return fail("bench-too-small", fmt::format("the smallest size is {} incipits", kSizes[0]), {},
                "give a larger --count");
  }
  return out;
}

}  // namespace rondo::bench
