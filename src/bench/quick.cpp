#include <algorithm>
#include <random>

#include "bench/material.h"
#include "generate/generate.h"
#include "search/score_spread.h"

namespace rondo::bench {
namespace {

constexpr std::size_t kQueries = 500;  ///< of each kind
constexpr std::size_t kHits = 10;

/// A melody as one remembers it: in another key, a note left out, two others wrong.
Line altered(Line line, std::mt19937_64& random) {
  const auto shift = static_cast<std::int16_t>(random() % 11) - 5;
  for (std::int16_t& pitch : line.pitch) pitch = static_cast<std::int16_t>(pitch + shift);
  const std::size_t first = random() % line.size();
  const std::size_t second = (first + 1 + random() % (line.size() - 1)) % line.size();
  for (const std::size_t at : {first, second}) {
    line.pitch[at] = static_cast<std::int16_t>(line.pitch[at] + (random() % 2 == 0 ? 2 : -2));
  }
  const std::size_t gone = 1 + random() % (line.size() - 1);
  line.duration[gone - 1] += line.duration[gone];
  const auto leave_out = [&](auto& column) { column.erase(column.begin() + static_cast<std::ptrdiff_t>(gone)); };
  leave_out(line.pitch);
  leave_out(line.base40);
  leave_out(line.onset);
  leave_out(line.duration);
  return line;
}

void compare(const Index& index, const ChosenSystem& system, const std::vector<Line>& queries, const std::string& kind,
             std::vector<Measurement>& out) {
  std::vector<double> exact_times;
  std::vector<double> quick_times;
  std::size_t agree = 0;
  std::size_t all = 0;
  std::size_t first = 0;
  std::size_t likely = 0;  // hits that resemble the query, see kLeastLikely
  std::size_t likely_found = 0;
  for (const Line& query : queries) {
    SearchResult exact;
    SearchResult quick;
    exact_times.push_back(seconds([&] { exact = search(index, *system.row, *system.system, query, {.k = kHits}); }));
    quick_times.push_back(
        seconds([&] { quick = search(index, *system.row, *system.system, query, {.k = kHits, .quick = true}); }));
    // Of equal scores any will do.
    const double least = exact.hits.back().score.value;
    agree += static_cast<std::size_t>(std::count_if(quick.hits.begin(), quick.hits.end(),
                                                    [&](const Found& hit) { return hit.score.value >= least; }));
    all += exact.hits.size();
    const auto prepared = system.system->prepare(query);
    const auto spread = score_spread(index.snapshot(), *prepared, query.size(), [] { return false; });
    const auto count_likely = [&](const SearchResult& result) {
      return static_cast<std::size_t>(std::count_if(result.hits.begin(), result.hits.end(), [&](const Found& hit) {
        return spread && system.row->calibration->probability(hit.score.value, *spread, index.voices()) >= kLeastLikely;
      }));
    };
    likely += count_likely(exact);
    likely_found += count_likely(quick);
    first += quick.hits.front().score.value >= exact.hits.front().score.value ? 1 : 0;
  }
  for (auto* times : {&exact_times, &quick_times}) std::sort(times->begin(), times->end());
  const auto late = [](const std::vector<double>& times) { return 1000 * times[times.size() * 95 / 100]; };
  const auto hundredths = [](std::size_t part, std::size_t of) {
    return 100 * static_cast<double>(part) / static_cast<double>(of);
  };
  out.push_back({kind + ", exact: median", 1000 * exact_times[exact_times.size() / 2], "ms"});
  out.push_back({kind + ", quick: median", 1000 * quick_times[quick_times.size() / 2], "ms", 25, false});
  out.push_back({kind + ", quick: p95", late(quick_times), "ms"});
  out.push_back({kind + ": recall of the ten best", hundredths(agree, all), "%", 99});
  out.push_back({kind + ": recall of similar hits", hundredths(likely_found, likely), "%", 99});
  out.push_back({kind + ": number of similar hits", static_cast<double>(likely), "hits"});
  out.push_back({kind + ": recall of the best hit", hundredths(first, queries.size()), "%"});
}

}  // namespace

Result<std::vector<Measurement>> bench_quick(const Options& options) {
  auto real = real_lines(options.more);
  if (!real) return fail(real.error());
  std::erase_if(*real, [](Line& line) { return !cut(line); });
  auto material = build_material(options, options.count);
  if (!material) return fail(material.error());
  const Index index(material->snapshot);
  auto system = resolve_system(kDefaultSystem);
  if (!system) return fail(system.error());
  const Generator generator(options.seed);
  std::mt19937_64 random(options.seed);
  std::vector<Line> known;
  std::vector<Line> remembered;
  while (known.size() < kQueries) {
    Line line = real->empty() ? make_line(generator.piece(random() % options.count).voices.front())
                              : (*real)[random() % real->size()];
    if (!cut(line)) continue;
    remembered.push_back(altered(line, random));
    known.push_back(std::move(line));
  }
  std::vector<Measurement> out;
  compare(index, *system, known, "unchanged queries", out);
  compare(index, *system, remembered, "altered queries", out);
  return out;
}

}  // namespace rondo::bench
