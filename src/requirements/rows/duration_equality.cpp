#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece slower_mark(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::with_tempo(original, Fraction(3, 4));
}
Piece quicker_mark(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::with_tempo(original, Fraction(4, 3));
}
Piece slower(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::stretched(original, Fraction(4, 3));
}
Piece quicker(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::stretched(original, Fraction(3, 4));
}

constexpr std::array kDurationEqualityWays = {
    Alteration{"slower mark", "the same notes under a tempo mark a quarter slower", slower_mark},
    Alteration{"quicker mark", "the same notes under a tempo mark a third quicker", quicker_mark},
    Alteration{"played slower", "all values longer by a third: played in that tempo, but notated with the old beat",
               slower},
    Alteration{"played quicker", "all values shorter by a quarter: played in that tempo, but notated with the old beat",
               quicker},
};

}  // namespace

constinit const Requirement kDurationEquality = {
    .name = "duration-equality",
    .heading = "len=",
    .explanation =
        "A melody in a slower or quicker tempo keeps its rhythm and is nearly the same. Rondo's systems compare "
        "written "
        "values, so a tempo mark changes nothing for them.",
    .alterations = kDurationEqualityWays,
};

}  // namespace rondo::rows
