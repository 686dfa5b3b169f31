#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/material.h"
#include "generate/generate.h"

namespace rondo::bench {
namespace {

constexpr std::size_t kLengths[] = {5, 8, 12, 20, 40, 100, 350};

/// Appends a melody behind another, on the grid of the first as well as it fits.
void append(Line& to, const Line& more) {
  if (to.size() == 0) {
    to = more;
    return;
  }
  const std::int64_t end = to.onset.back() + to.duration.back();
  for (std::size_t i = 0; i < more.size(); ++i) {
    const auto on_grid = [&](std::int64_t ticks) { return ticks * to.ticks_per_whole / more.ticks_per_whole; };
    to.pitch.push_back(more.pitch[i]);
    to.base40.push_back(more.base40[i]);
    to.onset.push_back(end + on_grid(more.onset[i]));
    to.duration.push_back(std::max<std::int64_t>(1, on_grid(more.duration[i])));
  }
}

/// Melodies that are not in the collection, of exactly so many notes: real ones where there are any; short ones are
/// joined.
std::vector<Line> foreign_queries(const std::vector<Line>& real, std::uint64_t seed, std::size_t notes,
                                  std::size_t wanted) {
  const Generator generator(seed + 1000);
  std::mt19937_64 random(seed);
  std::vector<Line> out;
  while (out.size() < wanted) {
    Line line;
    while (line.size() < notes) {
      append(line, real.empty() ? make_line(generator.piece(random() % 1'000'000).voices.front())
                                : real[random() % real.size()]);
    }
    (void)cut(line, notes);
    out.push_back(std::move(line));
  }
  return out;
}

/// Queries that are meant to be expensive: leaps of seven octaves, one note repeated, a scale through all keys.
std::vector<Line> adversarial_queries(std::size_t notes) {
  std::vector<Line> out;
  for (int kind = 0; kind < 3; ++kind) {
    Line line;
    line.ticks_per_whole = 8;
    for (std::size_t i = 0; i < notes; ++i) {
      const int pitch = kind == 0 ? (i % 2 == 0 ? 20 : 104) : kind == 1 ? 60 : 40 + static_cast<int>(i % 40);
      line.pitch.push_back(static_cast<std::int16_t>(pitch));
      line.base40.push_back(static_cast<std::int16_t>(Pitch::from_midi(pitch).base40()));
      line.onset.push_back(static_cast<std::int64_t>(i));
      line.duration.push_back(1);
    }
    out.push_back(std::move(line));
  }
  return out;
}

/// A system without a plan.
class Unplanned final : public System {
 public:
  explicit Unplanned(const System& system) : system_(system) {}
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return system_.prepare(query);
  }

 private:
  const System& system_;
};

/// Milliseconds of a search that scores every document: where all are equally good, to rank them takes time as well.
/// What would take long is estimated from some documents, and by their scores alone.
double scoring_everything(const Index& index, const ChosenSystem& system, const Line& query) {
  constexpr double kLong = 1000;
  const double estimate = exhaustive(index, *system.system, query);
  if (!(estimate < kLong)) return estimate;
  const Unplanned unplanned(*system.system);
  return 1000 * busy_seconds([&] { (void)search(index, *system.row, unplanned, query, {.k = 10}); });
}

/// By processor time, so that the worst is the search's own and not that of whoever else was on the machine. Beside the
/// worst query what it would take to score every document for it: no search should take much more.
void measure(const Index& index, const ChosenSystem& system, const std::vector<Line>& queries, const std::string& name,
             std::vector<Measurement>& out) {
  constexpr double kBudget = 5;  // seconds, but three queries at least
  std::vector<std::pair<double, const Line*>> times;
  double spent = 0;
  for (const Line& query : queries) {
    if (query.size() < system.shortest) continue;
    if (spent > kBudget && times.size() >= 3) break;
    const double time = busy_seconds([&] { (void)search(index, *system.row, *system.system, query, {.k = 10}); });
    times.emplace_back(time, &query);
    spent += time;
  }
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const auto late = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(times.size()))) - 1;
  const auto add = [&](const char* what, double milliseconds) {
    out.push_back({fmt::format("{}, {}: {}", system.name, name, what), milliseconds, "ms"});
  };
  add("median", 1000 * times[times.size() / 2].first);
  add("p95", 1000 * times[late].first);
  add("worst", 1000 * times.back().first);
  add("scoring every melody, worst query", scoring_everything(index, system, *times.back().second));
}

}  // namespace

Result<std::vector<Measurement>> bench_queries(const Options& options) {
  auto chosen = wanted_systems(options);
  if (!chosen) return fail(chosen.error());
  auto real = real_lines(options.more);
  if (!real) return fail(real.error());
  std::erase_if(*real, [](const Line& line) { return line.size() < kNotes; });
  // The real ones are asked for, not searched.
  Options plain = options;
  plain.more.clear();
  auto material = build_material(plain, options.count);
  if (!material) return fail(material.error());
  const Index index(material->snapshot);
  std::vector<Measurement> out;
  for (ChosenSystem& one : *chosen) {
    teach(index, *one.system);
    for (const std::size_t notes : kLengths) {
      measure(index, one, foreign_queries(*real, options.seed, notes, 40), fmt::format("{} notes", notes), out);
    }
    for (const std::size_t notes : {std::size_t{20}, std::size_t{100}}) {
      measure(index, one, adversarial_queries(notes), fmt::format("adversarial, {} notes", notes), out);
    }
    one.system.reset();  // what it learnt may be large
  }
  return out;
}

}  // namespace rondo::bench
