#include "generate/generate.h"

#include "parts.h"

namespace rondo {
namespace {

using generate::Random;
using generate::Sketch;

constexpr std::array<std::string_view, kVariantKinds> kKindNames = {"transposed", "ornamented", "rhythm",
                                                                    "metre",      "truncated",  "note-errors"};
constexpr int kPlantedPercent = 10;

/// Purposes of the random streams. A variant has its own metadata and its own changes, but its origin's melody.
enum Purpose : std::uint64_t { kPlanting = 1, kMelody, kVariation, kDescription };

/// What the first draw of a piece's planting says, before the origin is followed to its root.
std::optional<Planted> draw(std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number, kPlanting);
  if (number == 0 || !random.percent(kPlantedPercent)) return std::nullopt;
  const auto kind = static_cast<VariantKind>(random.below(kVariantKinds));
  return Planted{random.next() % number, kind};
}

}  // namespace

std::string_view name_of(VariantKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::string Generator::id(std::uint64_t number) { return std::to_string(9'000'000'000U + number) + ":1.1.1"; }

std::optional<Planted> Generator::planted(std::uint64_t number) const {
  auto found = draw(seed_, number);
  if (!found) return std::nullopt;
  // Each origin's number is smaller, so this ends; one step in ten goes on.
  while (const auto further = draw(seed_, found->origin)) found->origin = further->origin;
  return found;
}

Piece Generator::piece(std::uint64_t number) const {
  const auto variant = planted(number);
  const std::uint64_t root = variant ? variant->origin : number;
  Sketch sketch;
  Random melody(seed_, root, kMelody);
  generate::compose(melody, sketch);
  if (variant) {
    Random variation(seed_, number, kVariation);
    generate::vary(variation, variant->kind, sketch);
  }
  Piece piece;
  piece.id = id(number);
  piece.format = "pae";
  Random description(seed_, number, kDescription);
  generate::describe(description, sketch, piece.metadata);
  piece.metadata.fields.emplace_back("family", id(root));
  if (variant) piece.metadata.fields.emplace_back("variant", name_of(variant->kind));
  piece.voices.push_back(generate::to_voice(sketch));
  piece.source_text = generate::to_pae_lines(sketch);
  return piece;
}

}  // namespace rondo
