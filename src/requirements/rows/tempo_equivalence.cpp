#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece doubled(const Piece& original, std::span<const Piece> /*companions*/) { return alter::stretched(original, 2); }
Piece halved(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::stretched(original, Fraction(1, 2));
}

constexpr std::array kTempoEquivalenceWays = {
    Alteration{"doubled", "all values twice as long", doubled},
    Alteration{"halved", "all values half as long", halved},
};

}  // namespace

constinit const Requirement kTempoEquivalence = {
    .name = "tempo-equivalence",
    .heading = "tempo",
    .explanation = "Notes of twice the value in twice the tempo sound the same, so a melody written so is the same.",
    .alterations = kTempoEquivalenceWays,
};

}  // namespace rondo::rows
