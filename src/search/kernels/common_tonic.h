#pragma once

#include <array>
#include <cstdint>
#include <span>

/// The tonic on which a document is heard as the query is from its own: the search's way to do what
/// similarity/systems/mongeau_sankoff.h defines.
namespace rondo::kernels {

/// How long a query stays on each pitch class, from its tonic on. Times are whole, and the product of all of the
/// query's and all of a document's stays below 2^53.
struct TonicQuery {
  std::array<double, 12> time{};
  double total = 0;
};

/// The same of a document, from C on; behind the twelfth zero.
struct ClassTicks {
  std::array<std::int32_t, 16> time{};
};

/// From which pitch class on the document spends most of its time on what the query does from its tonic on; of equally
/// good ones the next above `first`.
[[nodiscard]] int common_tonic(const TonicQuery& query, const ClassTicks& document, int first);
[[nodiscard]] int common_tonic_plain(const TonicQuery& query, const ClassTicks& document, int first);

/// How long a document stays on each pitch. Pitches and pitch classes are counted from its lowest one.
struct PitchTicks {
  static constexpr std::size_t kPitches = 32;
  const std::int16_t* time = nullptr;  ///< kPitches of them
  std::int32_t total = 0;              ///< of all, within 16 bits
  std::int32_t first = 0;              ///< the pitch class of the first note
};

/// The same for many documents.
void common_tonics(const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic);
void common_tonics_plain(const TonicQuery& query, std::span<const PitchTicks> documents, std::uint8_t* tonic);

}  // namespace rondo::kernels
