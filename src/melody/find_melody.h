#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rondo/melody/piece.h"

namespace rondo {

/// Which voice of a piece is its melody, and why.
struct MelodyChoice {
  enum class Reason : std::uint8_t {
    only,     ///< no other voice has notes
    name,     ///< it is called so: "MELODY", "Vocals", "Soprano"
    skyline,  ///< it is mostly on top, moves in small steps, and is not a chordal accompaniment
  };
  std::size_t voice = 0;
  Reason reason = Reason::only;
};

/// nullopt if no voice has notes. Names decide first: voices called melody, else vocal or solo, else soprano or the
/// like; never those called bass, chords and so on. If several names or none match, the notes decide; see
/// docs/formats/README.md. O(n log n) in the notes of all voices.
[[nodiscard]] std::optional<MelodyChoice> find_melody(std::span<const Voice> voices);

/// A monophonic voice: the highest note of every onset. A lower note that begins while a higher one sounds is left out
/// as accompaniment, and so is one far below the melody so far, unless the melody has been silent for a whole note. A
/// note is cut where a higher one begins.
[[nodiscard]] Voice skyline(const Voice& voice);

/// Reduces the piece to its melody, monophonic, and describes what was done in a sentence; empty if nothing was
/// removed. A piece without notes is not changed.
[[nodiscard]] std::string reduce_to_melody(Piece& piece);

}  // namespace rondo
