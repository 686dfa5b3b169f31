#include "features/json.h"

#include <nlohmann/json.hpp>

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

Json histogram_json(const std::vector<std::int16_t>& intervals) {
  Json rows = Json::array();
  for (const IntervalShare& one : interval_histogram(intervals)) {
    rows.push_back({{"interval", one.interval}, {"count", one.count}, {"share", one.share}});
  }
  return rows;
}

}  // namespace

Json features_json(const Features& f) {
  Json motives = Json::array();
  for (const Motive& motive : f.motives) {
    const auto begin = f.diatonic.begin() + motive.first;
    motives.push_back({{"steps", std::vector<std::int16_t>(begin, begin + motive.length)}, {"count", motive.count}});
  }
  return {{"notes", f.notes},
          {"clef", f.clef},
          {"key", f.key},
          {"key_signature", f.key_signature},
          {"time", f.time},
          {"lowest", f.lowest},
          {"highest", f.highest},
          {"range", f.range},
          {"range_steps", f.range_steps},
          {"duration_ratio", f.duration_ratio},
          {"max_interval", f.max_interval},
          {"max_interval_steps", f.max_interval_steps},
          {"contour", f.contour},
          {"rhythm", f.rhythm},
          {"diatonic", f.diatonic},
          {"chromatic", f.chromatic},
          {"histogram", {{"diatonic", histogram_json(f.diatonic)}, {"chromatic", histogram_json(f.chromatic)}}},
          {"motives", motives}};
}

}  // namespace rondo
