#include "bench/material.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <thread>

#include "generate/generate.h"
#include "rondo/formats/open.h"
#include "search/index/builder.h"

namespace rondo::bench {
namespace {

class RealOnes final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    if (!piece.voices.empty()) lines.push_back(make_line(piece.voices.front()));
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

}  // namespace

bool cut(Line& line, std::size_t notes) {
  if (line.size() < notes) return false;
  line.pitch.resize(notes);
  line.base40.resize(notes);
  line.onset.resize(notes);
  line.duration.resize(notes);
  return true;
}

Result<std::vector<Line>> real_lines(const std::string& path) {
  RealOnes real;
  if (path.empty()) return std::move(real.lines);
  if (auto done = open_path(path, real); !done) return fail(done.error());
  return std::move(real.lines);
}

Result<Material> build_material(const Options& options, std::uint64_t generated) {
  const Generator generator(options.seed);
  index::SegmentBuilder builder;
  std::int64_t key = 0;
  const auto add = [&](const Line& line) {
    ++key;
    return builder.add(VoiceKey{key}, PieceKey{key}, 0, line, true);
  };
  auto real = real_lines(options.more);
  if (!real) return fail(real.error());
  std::erase_if(*real, [](Line& line) { return !cut(line); });
  for (const Line& line : *real) {
    if (auto done = add(line); !done) return fail(done.error());
  }
  Material out;
  double generating = 0;
  std::string bytes;
  const double building = seconds([&] {
    for (std::uint64_t i = 0; builder.size() < generated + real->size(); ++i) {
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

double exhaustive(const Index& index, const System& system, const Line& query) {
  const index::Segment& segment = index.snapshot().segments.front();
  const auto prepared = system.prepare(query);
  const std::uint32_t step = std::max(1U, segment.size() / 2000);
  Line line;
  std::size_t count = 0;
  double sum = 0;
  double time = std::numeric_limits<double>::infinity();
  const auto score_some = [&] {
    count = 0;
    for (std::uint32_t d = 0; d < segment.size(); d += step, ++count) {
      segment.line(d, line);
      sum += prepared->score(line).value;
    }
  };
  for (int i = 0; i < 2; ++i) time = std::min(time, busy_seconds(score_some));
  return sum == sum ? 1000 * time / static_cast<double>(count) * segment.size() : 0;
}

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

Result<Material> build_parts(const Options& options, std::uint64_t generated, unsigned threads) {
  const Generator generator(options.seed);
  std::vector<std::string> segments(threads);
  std::vector<std::optional<Error>> errors(threads);
  Material out;
  out.building = seconds([&] {
    std::vector<std::jthread> hands;
    for (unsigned t = 0; t < threads; ++t) {
      hands.emplace_back([&, t] {
        index::SegmentBuilder builder;
        index::IdOrder order;
        const std::uint64_t wanted = generated * (t + 1) / threads - generated * t / threads;
        // Not all that are generated are long enough.
        auto key = static_cast<std::int64_t>(2 * generated * t);
        for (std::uint64_t i = t; builder.size() < wanted && !errors[t]; i += threads) {
          Line line = make_line(generator.piece(i).voices.front());
          if (!cut(line)) continue;
          ++key;
          auto added = builder.add(VoiceKey{key}, PieceKey{key}, 0, line, true);
          if (!added) errors[t] = added.error();
          order.add(key);
        }
        order.finish();
        segments[t] = builder.finish(order);
      });
    }
  });
  for (const auto& error : errors) {
    if (error) return fail(*error);
  }
  out.incipits = static_cast<double>(generated);
  for (const std::string& segment : segments) out.bytes += static_cast<double>(segment.size());
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

}  // namespace rondo::bench
