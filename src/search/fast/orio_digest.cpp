#include "search/fast/orio_digest.h"

#include "similarity/systems/orio.h"

namespace rondo::fast {
namespace {

orio::Digest::Group digest_of(const index::Segment& segment, const std::vector<GramWeights>& weights) {
  orio::Digest::Group out;
  out.key = digest_key(segment);
  out.steps.reserve(segment.notes());
  out.squares.resize(segment.size());
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    segment.line(d, line);
    orio::append_steps(line, out.steps);
    for (std::size_t i = 0; i < weights.size(); ++i) out.squares[d][i] = weights[i].square_of(line);
  }
  return out;
}

}  // namespace

void digest_for(const index::Snapshot& snapshot, System& system) {
  const std::shared_ptr<orio::Learnt> learnt = orio::learnt_by(system);
  if (learnt == nullptr) return;
  std::vector<GramWeights> weights;
  for (const NgramCosine* part : learnt->parts) weights.emplace_back(*part);
  auto digest = std::make_shared<orio::Digest>();
  digest->memory = snapshot.memory;
  for (const index::Segment& segment : snapshot.segments) digest->groups.push_back(digest_of(segment, weights));
  learnt->digest = std::move(digest);
}

}  // namespace rondo::fast
