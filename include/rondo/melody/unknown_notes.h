#pragma once

#include <cstdint>

namespace rondo {

/// Notes that a query leaves open between two notes that it has: C4 ? E4, C4 ... G4.
struct UnknownNotes {
  std::uint32_t before = 0;  ///< the note that follows; as many as there are notes: behind the last
  std::uint32_t notes = 0;   ///< how many are unknown
  bool more = false;         ///< any number more
  /// False: nor is known how the notes on both sides lie to each other, as behind a "?" in a contour.
  bool joined = true;
  friend bool operator==(const UnknownNotes&, const UnknownNotes&) = default;
};

}  // namespace rondo
