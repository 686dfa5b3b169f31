#include "rondo/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/bench.h"
#include "rondo/formats/open.h"
#include "rondo/generate/generate.h"
#include "rondo/similarity/choose.h"
#include "search/index/builder.h"
#include "search/index/snapshot.h"

namespace rondo::bench {
namespace {

constexpr std::size_t kNotes = 20;

bool cut(Line& line) {
  if (line.size() < kNotes) return false;
  line.pitch.resize(kNotes);
  line.base40.resize(kNotes);
  line.onset.resize(kNotes);
  line.duration.resize(kNotes);
  return true;
}

/// Incipits of twenty notes from files.
class RealOnes final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    if (piece.voices.empty()) return true;
    Line line = make_line(piece.voices.front());
    if (cut(line)) lines.push_back(std::move(line));
    return true;
  }
  void warn(Diagnostic /*warning*/) override {}
  bool skip(Diagnostic /*why*/) override { return true; }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions options;
    options.file = name;
    (void)read_any(std::move(source), options, *this);
    return true;
  }
  bool problem(Diagnostic /*why*/) override { return true; }
  std::vector<Line> lines;
};

/// What people ask: half of the queries are melodies nobody has seen, half are melodies of the collection remembered
/// badly, transposed and with two wrong notes.
std::vector<Line> make_queries(std::uint64_t seed, std::uint64_t count, std::size_t wanted) {
  const Generator generator(seed);
  std::mt19937_64 random(seed);
  std::vector<Line> queries;
  for (std::uint64_t i = 0; queries.size() < wanted; ++i) {
    const bool known = i % 2 == 0;
    Line line = make_line(generator.piece(known ? random() % count : 10 * count + i).voices.front());
    if (!cut(line)) continue;
    if (known) {
      const auto shift = static_cast<std::int16_t>(random() % 11) - 5;
      for (std::int16_t& pitch : line.pitch) pitch = static_cast<std::int16_t>(pitch + shift);
      for (int wrong = 0; wrong < 2; ++wrong) {
        std::int16_t& pitch = line.pitch[random() % kNotes];
        pitch = static_cast<std::int16_t>(pitch + 2);
      }
    }
    queries.push_back(std::move(line));
  }
  return queries;
}

double target_of(std::string_view system) {
  for (const char* name : {"shapeh", "shapel", "time", "spline"}) {
    if (system == name) return 10;
  }
  if (system == "ngr5") return 2;
  // Of the spline family alone; others take twice what their parts take.
  for (const char* name : {"shapetime", "rrf:", "combsum:", "combmnz:"}) {
    if (system.starts_with(name)) return 150;
  }
  if (system == "rrf" || system == "combsum" || system == "combmnz") return 2000;
  for (const char* name : {"GAR", "LDP", "mongeau-sankoff"}) {
    if (system == name) return 2000;
  }
  if (system == "PTD" || system == "EMD") return 3000;
  return system == "P1" || system == "P2" || system == "P3" ? 500 : 200;
}

struct Timing {
  double median = 0;
  double late = 0;  ///< 95th percentile
  double scored = 0;
  double bounded = 0;
};

Timing time_queries(const Index& index, const SystemRow& row, const System& system, const std::vector<Line>& queries,
                    double budget) {
  std::vector<double> times;
  Timing out;
  double spent = 0;
  for (const Line& query : queries) {
    if (spent > budget && times.size() >= 3) break;
    const double time = seconds([&] {
      const SearchResult result = search(index, row, system, query, {.k = 10});
      out.scored += static_cast<double>(result.scored);
      out.bounded += static_cast<double>(result.bounded);
    });
    times.push_back(time);
    spent += time;
  }
  out.scored /= static_cast<double>(times.size());
  out.bounded /= static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  out.median = 1000 * times[times.size() / 2];
  out.late = 1000 * times[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(times.size()))) - 1];
  return out;
}

/// Milliseconds to score every document once, estimated from some of them.
double exhaustive(const Index& index, const System& system, const Line& query) {
  const index::Segment& segment = index.snapshot().segments.front();
  const auto prepared = system.prepare(query);
  const std::uint32_t step = std::max(1U, segment.size() / 2000);
  Line line;
  std::size_t count = 0;
  double sum = 0;
  const double time = best_seconds(3, [&] {
    count = 0;
    for (std::uint32_t d = 0; d < segment.size(); d += step, ++count) {
      segment.line(d, line);
      sum += prepared->score(line).value;
    }
  });
  return sum == sum ? 1000 * time / static_cast<double>(count) * segment.size() : 0;
}

/// An index of generated incipits, with the real ones of options.more.
struct Material {
  std::shared_ptr<const index::Snapshot> snapshot;
  double incipits = 0;
  double bytes = 0;
  double building = 0;  ///< seconds, generating not counted
  double opening = 0;   ///< seconds
};

Result<Material> build(const Options& options, std::uint64_t generated) {
  const Generator generator(options.seed);
  index::SegmentBuilder builder;
  std::int64_t key = 0;
  const auto add = [&](const Line& line) {
    ++key;
    return builder.add(VoiceKey{key}, PieceKey{key}, 0, line, true);
  };
  RealOnes real;
  if (!options.more.empty()) {
    if (auto done = open_path(options.more, real); !done) return fail(done.error());
    for (const Line& line : real.lines) {
      if (auto done = add(line); !done) return fail(done.error());
    }
  }
  Material out;
  double generating = 0;
  std::string bytes;
  const double building = seconds([&] {
    for (std::uint64_t i = 0; builder.size() < generated + real.lines.size(); ++i) {
      Line line;
      bool enough = false;
      generating += seconds([&] {
        line = make_line(generator.piece(i).voices.front());
        enough = cut(line);
      });
      if (enough && !add(line)) break;
    }
    index::IdOrder order;
    for (std::int64_t i = 1; i <= key; ++i) order.add(i);
    order.finish();
    bytes = builder.finish(order);
  });
  out.incipits = static_cast<double>(builder.size());
  out.bytes = static_cast<double>(bytes.size());
  out.building = building - generating;
  std::vector<std::string> segments;
  segments.push_back(std::move(bytes));
  out.opening = seconds([&] { out.snapshot = index::Snapshot::of(std::move(segments)).value(); });
  return out;
}

/// The systems that are wanted: those named, else every one, the fusions with their standard parts.
Result<std::vector<ChosenSystem>> wanted_systems(const Options& options) {
  std::vector<std::string> names = options.systems;
  if (names.empty()) {
    for (const SystemRow* row : systems()) names.emplace_back(row->name);
  }
  std::vector<ChosenSystem> out;
  for (const std::string& name : names) {
    auto chosen = resolve_system(name);
    if (!chosen) return fail(std::move(chosen.error()));
    out.push_back(std::move(*chosen));
  }
  return out;
}

}  // namespace

Result<std::vector<Measurement>> bench_search(const Options& options) {
  auto chosen = wanted_systems(options);
  if (!chosen) return fail(chosen.error());
  auto material = build(options, options.count);
  if (!material) return fail(material.error());
  const double count = material->incipits;
  std::vector<Measurement> out;
  out.push_back({"index built, generating not counted", material->building, "s", 60 * count / 1e6, false});
  out.push_back({"index, bytes an incipit", material->bytes / count, "bytes", 150, false});
  out.push_back({"index opened, every checksum verified", 1000 * material->opening, "ms", 50 * count / 1e6, false});
  const Index index(material->snapshot);
  const std::vector<Line> queries = make_queries(options.seed, options.count, 60);
  for (ChosenSystem& one : *chosen) {
    teach(index, *one.system);
    const double all = exhaustive(index, *one.system, queries.front());
    const Timing timing = time_queries(index, *one.row, *one.system, queries, 10);
    out.push_back({fmt::format("{}: median", one.name), timing.median, "ms",
                   target_of(one.name) * std::max(0.01, count / 1e6), false});
    out.push_back({fmt::format("{}: 95 in 100 below", one.name), timing.late, "ms"});
    out.push_back({fmt::format("{}: bounded one by one", one.name), timing.bounded, ""});
    out.push_back({fmt::format("{}: scored", one.name), timing.scored, ""});
    out.push_back({fmt::format("{}: times faster", one.name), all / timing.median, ""});
    one.system.reset();  // what it learnt may be large
  }
  return out;
}

Result<std::vector<Measurement>> bench_growth(const Options& options) {
  if (auto known = wanted_systems(options); !known) return fail(known.error());
  constexpr std::uint64_t kSizes[] = {1'000, 10'000, 100'000, 1'000'000, 2'000'000};
  if (options.count < kSizes[0]) {
    return fail("bench-too-small", fmt::format("growth begins at {} incipits", kSizes[0]), {}, "give a larger --count");
  }
  std::vector<Measurement> out;
  for (const std::uint64_t size : kSizes) {
    if (size > options.count) break;
    auto material = build(options, size);
    if (!material) return fail(material.error());
    const Index index(material->snapshot);
    const std::vector<Line> queries = make_queries(options.seed, size, 40);
    auto chosen = wanted_systems(options);
    if (!chosen) return fail(chosen.error());
    for (ChosenSystem& one : *chosen) {
      teach(index, *one.system);
      const double all = exhaustive(index, *one.system, queries.front());
      const Timing timing = time_queries(index, *one.row, *one.system, queries, 5);
      const std::string among = fmt::format("{:.0f} incipits", material->incipits);
      out.push_back({fmt::format("{}: {}", one.name, among), timing.median, "ms"});
      out.push_back({fmt::format("{}: {}, times faster", one.name, among), all / timing.median, ""});
      one.system.reset();  // what it learnt may be large
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Measurement& a, const Measurement& b) {
    return a.what.substr(0, a.what.find(':')) < b.what.substr(0, b.what.find(':'));
  });
  return out;
}

}  // namespace rondo::bench
