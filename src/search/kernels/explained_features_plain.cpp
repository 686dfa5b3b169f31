#include "search/kernels/explained_features.h"
#include "similarity/systems/rondo.h"

namespace rondo::kernels {
namespace {

void fill_lane(const ExplainedNotes& notes, const ExplainedCosts& costs, std::size_t lane, ExplainedColumns& out) {
  std::vector<std::int16_t> pitch;
  std::vector<std::int64_t> onset;
  std::vector<std::int64_t> duration;
  std::int64_t time = 0;
  for (std::size_t j = 0; j < notes.columns; ++j) {
    const std::size_t at = j * kBatch + lane;
    pitch.push_back(notes.pitch[at]);
    onset.push_back(time);
    duration.push_back(costs.rhythm ? notes.length[at] : 1);
    time += duration.back();
  }
  explained::Features features;
  explained::make_features(pitch, onset, duration, features);
  for (std::size_t j = 0; j < notes.columns; ++j) {
    const std::size_t at = j * kBatch + lane;
    out.pitch[at] = static_cast<std::int16_t>(pitch[j] - notes.first[lane]);
    out.other[at] = static_cast<std::int16_t>(pitch[j] - notes.second[lane]);
    out.next[at] = features.next[j];
    if (!costs.rhythm) continue;
    out.length[at] = static_cast<std::int16_t>(features.length[j] * costs.length);
    out.change[at] = static_cast<std::int16_t>(features.change[j] * costs.change);
    out.place[at] = features.place[j];
    out.gap[at] = static_cast<std::int16_t>(costs.gap.of(features.length[j]));
  }
}

}  // namespace

void explained_features_plain(const ExplainedNotes& notes, const ExplainedCosts& costs, ExplainedColumns& out,
                              bool* doubtful) {
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    fill_lane(notes, costs, lane, out);
    doubtful[lane] = false;
  }
}

}  // namespace rondo::kernels
