#include "formats/kern/spines.h"

#include <algorithm>

namespace rondo::kern {

Strand Spines::fresh(Fraction at) {
  Strand strand;
  strand.id = next_id_++;
  strand.at = at;
  return strand;
}

Strand& Spines::add(Fraction at) {
  strands_.push_back(fresh(at));
  return strands_.back();
}

bool Spines::is_path_token(std::string_view token) {
  return token.size() == 2 && token[0] == '*' && std::string_view("^vx+-").find(token[1]) != std::string_view::npos;
}

Result<std::string_view> Spines::apply(const std::vector<std::string_view>& tokens, Fraction now) {
  std::string_view complaint;
  std::vector<Strand> after;
  after.reserve(strands_.size() + 4);
  constexpr std::size_t none = SIZE_MAX;
  std::size_t exchanged = none;  // place in `after` of a *x that waits for its partner
  for (std::size_t i = 0; i < strands_.size(); ++i) {
    const Strand& strand = strands_[i];
    const std::string_view token = i < tokens.size() ? tokens[i] : std::string_view("*");
    const auto says = [&](std::size_t j, std::string_view word) { return j < tokens.size() && tokens[j] == word; };
    if (token == "*-") continue;
    after.push_back(strand);
    if (token == "*^") {
      Strand branch = strand;
      branch.id = next_id_++;
      after.push_back(branch);
    } else if (token == "*+") {
      after.push_back(fresh(now));
      after.back().waits_for_kind = true;
    } else if (token == "*v") {
      std::size_t joined = 0;
      while (i + 1 < strands_.size() && says(i + 1, "*v") && strands_[i + 1].voice == strand.voice) {
        ++i;
        ++joined;
        after.back().at = std::max(after.back().at, strands_[i].at);
        after.back().used = after.back().used || strands_[i].used;
      }
      if (joined == 0) complaint = "a spine that joins (*v) has no neighbour to join";
    } else if (token == "*x") {
      if (exchanged != none) {
        std::swap(after[exchanged], after.back());
        exchanged = none;
      } else {
        exchanged = after.size() - 1;
      }
    }
    if (after.size() > kMost) {
      return fail("kern-too-many-spines", "more than " + std::to_string(kMost) + " spines side by side");
    }
  }
  if (exchanged != none) complaint = "a spine that changes places (*x) has no partner";
  strands_ = std::move(after);
  return complaint;
}

}  // namespace rondo::kern
