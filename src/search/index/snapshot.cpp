#include "search/index/snapshot.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace rondo::index {
namespace {

constexpr std::size_t kLengths = 64;

void take_back(const Segment& segment, const DocumentSet& removed, spline::GramCounts& threes) {
  Line line;
  for (DocumentId d = 0; d < segment.size(); ++d) {
    if (!removed.has(d)) continue;
    segment.line(d, line);
    for (std::size_t i = 0; i < spline::gram_count(line.size(), 3); ++i) {
      threes.add(spline::key_of<3>(spline::relative_pitches<3>(line, i)), -1);
    }
  }
}

std::size_t sum_from(const std::vector<std::size_t>& lengths, std::size_t notes) {
  return std::accumulate(lengths.begin() + static_cast<std::ptrdiff_t>(std::min(notes, kLengths)), lengths.end(),
                         std::size_t{0});
}

}  // namespace

Result<std::shared_ptr<const Snapshot>> Snapshot::of(std::vector<std::string> segments) {
  auto kept = std::make_shared<const std::vector<std::string>>(std::move(segments));
  auto snapshot = std::make_shared<Snapshot>();
  for (const std::string& bytes : *kept) {
    auto segment = Segment::open(std::as_bytes(std::span(bytes)));
    if (!segment) return fail(segment.error());
    segment->keep_findings();
    snapshot->segments.push_back(std::move(*segment));
  }
  snapshot->memory = kept;
  snapshot->count();
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

std::shared_ptr<const Snapshot> Snapshot::opening(std::uint32_t notes) const {
  auto out = std::make_shared<Snapshot>();
  out->memory = memory;
  for (const Segment& segment : segments) out->segments.push_back(segment.opening(notes));
  out->removed = removed;
  out->last_voice = last_voice;
  out->removed_voices = removed_voices;
  out->samples = samples;
  constexpr bool kAloneIsWhole = true;
  out->count_pieces(kAloneIsWhole);
  return out;
}

void Snapshot::count() {
  removed.resize(segments.size());
  threes = {};
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Segment& segment = segments[s];
    for (std::size_t g = 0; g < segment.threes().size(); ++g) {
      threes.add(segment.threes()[g], static_cast<std::int64_t>(segment.three_counts()[g]));
    }
    if (!removed[s].empty()) take_back(segment, removed[s], threes);
  }
  constexpr bool kAloneIsWhole = false;
  count_pieces(kAloneIsWhole);
}

void Snapshot::count_pieces(bool alone_is_whole) {
  std::unordered_map<std::int64_t, std::size_t> several;  // pieces of more than one voice: the longest
  piece_lengths.assign(kLengths + 1, 0);
  whole_lengths.assign(kLengths + 1, 0);
  whole.clear();
  partial.clear();
  pieces = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Segment& segment = segments[s];
    whole.emplace_back(segment.size());
    std::size_t r = 0;
    for (DocumentId d = 0; d < segment.size(); ++d) {
      while (d >= segment.run_end(r)) ++r;
      if (removed[s].has(d)) continue;
      const std::size_t length = std::min<std::size_t>(segment.runs()[r].notes, kLengths);
      if (segment.alone(d)) {
        ++pieces;
        ++piece_lengths[length];
        if (alone_is_whole || segment.whole(d)) {
          whole[s].add(d);
          ++whole_lengths[length];
        } else {
          partial.push_back(segment.piece(d));
        }
      } else {
        std::size_t& longest = several[static_cast<std::int64_t>(segment.piece(d))];
        longest = std::max(longest, length);
      }
    }
  }
  pieces += several.size();
  for (const auto& [piece, longest] : several) {
    ++piece_lengths[longest];
    partial.push_back(PieceKey{piece});
  }
  std::sort(partial.begin(), partial.end());
}

std::size_t Snapshot::documents() const {
  std::size_t sum = 0;
  for (const Segment& segment : segments) sum += segment.size();
  return sum;
}

std::size_t Snapshot::pieces_with(std::size_t notes) const { return sum_from(piece_lengths, notes); }
std::size_t Snapshot::whole_with(std::size_t notes) const { return sum_from(whole_lengths, notes); }

}  // namespace rondo::index
