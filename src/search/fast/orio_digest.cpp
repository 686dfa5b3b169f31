#include "search/fast/orio_digest.h"

#include <algorithm>

#include "similarity/systems/orio.h"

namespace rondo::fast {
namespace {

orio::Digest::Group digest_of(const index::Segment& segment, const std::vector<GramWeights>& weights,
                              const std::stop_token& stop) {
  orio::Digest::Group out;
  out.key = digest_key(segment);
  // By the position of the notes in the segment.
  out.steps.resize(segment.notes());
  out.squares.resize(segment.size());
  Line line;
  std::vector<orio::StepCode> steps;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    if (d % 1024 == 0 && stop.stop_requested()) break;
    segment.line(d, line);
    steps.clear();
    orio::append_steps(line, steps);
    std::copy(steps.begin(), steps.end(), out.steps.begin() + static_cast<std::ptrdiff_t>(segment.notes_of(d).first));
    for (std::size_t i = 0; i < weights.size(); ++i) out.squares[d][i] = weights[i].square_of(line);
  }
  return out;
}

/// Null: stopped.
std::shared_ptr<const orio::Digest> digest_of(const index::Snapshot& snapshot, std::shared_ptr<const void> memory,
                                              const orio::Learnt& learnt, const std::stop_token& stop) {
  std::vector<GramWeights> weights;
  for (const NgramCosine* part : learnt.parts) weights.emplace_back(*part);
  auto digest = std::make_shared<orio::Digest>();
  digest->memory = std::move(memory);
  for (const index::Segment& segment : snapshot.segments) digest->groups.push_back(digest_of(segment, weights, stop));
  return stop.stop_requested() ? nullptr : std::move(digest);
}

}  // namespace

void digest_for(const index::Snapshot& snapshot, System& system, const std::stop_token& stop) {
  const std::shared_ptr<orio::Learnt> learnt = orio::learnt_by(system);
  if (learnt == nullptr) return;
  if (auto digest = digest_of(snapshot, snapshot.memory, *learnt, stop)) learnt->digest = std::move(digest);
}

}  // namespace rondo::fast
