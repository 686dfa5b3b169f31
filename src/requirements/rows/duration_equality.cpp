#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece slower(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::stretched(original, Fraction(4, 3));
}
Piece quicker(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::stretched(original, Fraction(3, 4));
}

constexpr std::array kDurationEqualityWays = {
    Alteration{"slower", "all of it longer by a third, as it sounds in a slower tempo", slower},
    Alteration{"quicker", "all of it shorter by a quarter, as it sounds in a quicker tempo", quicker},
};

}  // namespace

constinit const Requirement kDurationEquality = {
    .name = "duration-equality",
    .heading = "len=",
    .explanation = "A melody played slower or quicker keeps its rhythm and is nearly the same.",
    .alterations = kDurationEqualityWays,
};

}  // namespace rondo::rows
