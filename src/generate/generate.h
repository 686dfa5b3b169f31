#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rondo/melody/piece.h"

namespace rondo {

/// How a planted variant was made from its origin.
enum class VariantKind : std::uint8_t {
  transposed,   ///< another key: every interval is the same
  ornamented,   ///< grace notes, passing and neighbouring notes added; the notes of the origin are all there
  rhythm,       ///< the same pitches with dots added, removed or turned round, or all values doubled
  metre,        ///< the same pitches in another metre
  truncated,    ///< only the first bars
  note_errors,  ///< one to three notes with another pitch
};
inline constexpr int kVariantKinds = 6;
/// "transposed", "note-errors": the word in the metadata.
[[nodiscard]] std::string_view name_of(VariantKind kind);

/// Piece `origin` is never itself a variant, and its number is smaller.
struct Planted {
  std::uint64_t origin = 0;
  VariantKind kind = VariantKind::transposed;
  friend bool operator==(const Planted&, const Planted&) = default;
};

/// Makes incipits that look like those of a catalogue, for tests and benchmarks at any size.
///
/// Piece number i depends on the seed and i alone, bit for bit the same on every platform and in every order of
/// calls: a collection of 10^7 is streamed, or made by many threads (all members are const and share nothing).
/// About one piece in ten is a variant of an earlier one, and the generator knows which.
///
/// A piece has one voice, an id that looks like RISM's ("9000000042:1.1.1", unique within a seed), invented metadata
/// (no such composer, library or shelfmark exists), its notation as PAE in `source_text`, and two fields:
///   "family": the id of the origin, or of the piece itself; "variant": the name of the kind, for variants only.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] Piece piece(std::uint64_t number) const;
  /// Whether and how piece `number` was planted; nothing for a melody of its own.
  [[nodiscard]] std::optional<Planted> planted(std::uint64_t number) const;
  /// The id of piece `number`; the same for all seeds.
  [[nodiscard]] static std::string id(std::uint64_t number);

 private:
  std::uint64_t seed_;
};

}  // namespace rondo
