#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece doubled(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::with_tempo(alter::stretched(original, 2), 2);
}
Piece halved(const Piece& original, std::span<const Piece> /*companions*/) {
  return alter::with_tempo(alter::stretched(original, Fraction(1, 2)), Fraction(1, 2));
}

constexpr std::array kTempoEquivalenceWays = {
    Alteration{"doubled values", "all values twice as long, under a tempo mark twice as quick", doubled},
    Alteration{"halved values", "all values half as long, under a tempo mark half as quick", halved},
};

}  // namespace

constinit const Requirement kTempoEquivalence = {
    .name = "tempo-equivalence",
    .heading = "tempo",
    .explanation = "Notes of twice the value in twice the tempo sound the same, so a melody written so is the same.",
    .alterations = kTempoEquivalenceWays,
};

}  // namespace rondo::rows
