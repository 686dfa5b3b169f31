// <expansion>: a stated order of sections takes the place of repeat signs.
#include <algorithm>

#include "formats/mei/score_reader.h"
#include "melody/limits.h"

namespace rondo::mei {

bool ScoreReader::play_listed(std::string_view plist, int depth) {
  for (std::size_t from = 0; from < plist.size();) {
    const std::size_t end = std::min(plist.find_first_of(" \t\r\n", from), plist.size());
    const auto found = stretch_by_id_.find(target_of(plist.substr(from, end - from)));
    from = end + 1;
    if (found != stretch_by_id_.end() && !play_stretch(stretches_[found->second], depth + 1)) return false;
  }
  return true;
}

/// The outermost section that begins here, within another, and states an order.
const ScoreReader::Stretch* ScoreReader::ordered_stretch_at(std::uint32_t measure, const Stretch& around) {
  const Stretch* outermost = nullptr;
  const auto [begin, end] = ordered_by_start_.equal_range(measure);
  for (auto it = begin; it != end && context_.spend(); ++it) {
    const Stretch& found = stretches_[it->second];
    if (found.until <= measure || found.until > around.until) continue;
    if (outermost == nullptr || &found < outermost) outermost = &found;
  }
  return outermost;
}

/// Plays measures in written order, but sections with an expansion in its order.
bool ScoreReader::play_stretch(const Stretch& stretch, int depth) {
  if (depth > limits::kNesting || !context_.spend()) return false;
  if (!stretch.plist.empty()) return play_listed(stretch.plist, depth);
  std::uint32_t at = stretch.from;
  while (at < stretch.until) {
    if (const Stretch* inner = ordered_stretch_at(at, stretch)) {
      if (!play_stretch(*inner, depth + 1)) return false;
      at = inner->until;
      continue;
    }
    if (score_.order.size() >= limits::kBarsPerVoice) return false;
    score_.order.push_back(at++);
  }
  return true;
}

Result<void> ScoreReader::set_order() {
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    if (!stretches_[i].id.empty()) stretch_by_id_.emplace(stretches_[i].id, i);
    if (!stretches_[i].plist.empty()) ordered_by_start_.emplace(stretches_[i].from, i);
  }
  if (ordered_by_start_.empty()) return {};
  const Stretch whole{{}, 0, static_cast<std::uint32_t>(score_.measures.size()), {}};
  if (!play_stretch(whole, 0)) {
    return fail("mei-expansion-too-long", "written out, the expansion gives too many measures or names itself");
  }
  return {};
}

}  // namespace rondo::mei
