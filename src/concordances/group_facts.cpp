#include "concordances/group_facts.h"

#include <algorithm>
#include <cctype>

namespace rondo::concordances {

int century_of(std::string_view year) {
  for (std::size_t i = 0; i + 4 <= year.size(); ++i) {
    int value = 0;
    std::size_t k = 0;
    for (; k < 4 && std::isdigit(static_cast<unsigned char>(year[i + k])) != 0; ++k)
      value = value * 10 + year[i + k] - '0';
    if (k == 4) return (value - 1) / 100 + 1;
  }
  return 0;
}

GroupFacts facts_of(const Shown& shown, const Group& group) {
  GroupFacts out;
  for (const std::uint32_t m : group.members) {
    const Metadata& metadata = shown.sources[m].metadata;
    if (!metadata.library.empty()) out.libraries.insert(metadata.library);
    if (!metadata.composer.empty()) out.composers.insert(metadata.composer);
    if (const int century = century_of(metadata.year); century != 0) out.centuries.insert(century);
  }
  return out;
}

LoneGroup alone(const Concordances& found, const Group& group) {
  const auto number = [&](std::uint32_t melody) {
    const auto at = std::lower_bound(group.members.begin(), group.members.end(), melody) - group.members.begin();
    return static_cast<std::uint32_t>(at);
  };
  LoneGroup out;
  Group own = group;
  own.members.clear();
  own.pairs.clear();
  for (const std::uint32_t m : group.members) {
    own.members.push_back(number(m));
    out.found.melodies.push_back(found.melodies[m]);
  }
  for (const std::uint32_t p : group.pairs) {
    own.pairs.push_back(static_cast<std::uint32_t>(out.found.pairs.size()));
    Pair& pair = out.found.pairs.emplace_back(found.pairs[p]);
    pair.a = number(pair.a);
    pair.b = number(pair.b);
  }
  own.centre = number(group.centre);
  out.grouping.groups.push_back(std::move(own));
  return out;
}

}  // namespace rondo::concordances
