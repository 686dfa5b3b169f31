#pragma once

#include <string>
#include <string_view>

#include "concordances/write.h"

namespace rondo::concordances {

/// For HTML and XML, texts and attributes.
[[nodiscard]] std::string escaped(std::string_view text);

/// Why a melody belongs to its group.
struct Evidence {
  std::size_t partners = 0;  ///< members it was found with
  std::uint32_t best = 0;    ///< the one it resembles most
  double score = 0;          ///< of these two
  std::optional<double> probability{};
};
/// Of each member, in their order.
[[nodiscard]] std::vector<Evidence> evidence_of(const Shown& shown, const Group& group);

}  // namespace rondo::concordances
