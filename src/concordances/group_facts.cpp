#include "concordances/group_facts.h"

#include <algorithm>
#include <cctype>

#include "melody/century.h"

namespace rondo::concordances {

std::string attribution_of(std::string_view composer) {
  std::set<std::string> words;
  std::string word;
  int brackets = 0;  // what stands in them, such as years of birth and death, is no part of a name
  const auto end_word = [&] {
    if (!word.empty()) words.insert(std::move(word));
    word.clear();
  };
  for (const char c : composer) {
    if (c == '(' || c == '[') ++brackets;
    if ((c == ')' || c == ']') && brackets > 0) --brackets;
    const auto byte = static_cast<unsigned char>(c);
    if (brackets == 0 && (std::isalpha(byte) != 0 || byte >= 128)) {
      word += static_cast<char>(std::tolower(byte));
    } else {
      end_word();
    }
  }
  end_word();
  for (const char* nobody : {"anonymous", "anonymus", "anonym", "anonyme", "anonimo", "anon", "traditional", "trad"}) {
    if (words.count(nobody) != 0) return {};
  }
  std::string out;
  for (const std::string& one : words) out += one + " ";
  return out;
}

GroupFacts facts_of(const Shown& shown, const Group& group) {
  GroupFacts out;
  for (const std::uint32_t m : group.members) {
    const Metadata& metadata = shown.sources[m].metadata;
    if (!metadata.library.empty()) out.libraries.insert(metadata.library);
    if (!metadata.composer.empty()) out.composers.insert(attribution_of(metadata.composer));
    if (const auto century = century_of(metadata.year)) out.centuries.insert(*century);
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
