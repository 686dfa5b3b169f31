#include "concordances/markup.h"

#include <algorithm>

namespace rondo::concordances {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        // No control characters: XML has none but these.
        if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::vector<Evidence> evidence_of(const Shown& shown, const Group& group) {
  std::vector<Evidence> out(group.members.size());
  const auto add = [&](std::uint32_t melody, std::uint32_t other, const Pair& pair) {
    const auto at = std::lower_bound(group.members.begin(), group.members.end(), melody) - group.members.begin();
    Evidence& own = out[static_cast<std::size_t>(at)];
    if (++own.partners > 1 && pair.score() <= own.score) return;
    own.best = other;
    own.score = pair.score();
    own.probability = pair.probability();
  };
  for (const std::uint32_t p : group.pairs) {
    const Pair& pair = shown.found.pairs[p];
    add(pair.a, pair.b, pair);
    add(pair.b, pair.a, pair);
  }
  return out;
}

}  // namespace rondo::concordances
