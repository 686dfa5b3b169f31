#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rondo/melody/piece.h"

namespace rondo {

/// Which voice of a piece is its melody, and what told so.
struct MelodyChoice {
  enum class Reason : std::uint8_t {
    only,     ///< no other voice has notes
    name,     ///< it is called so: "MELODY", "Vocals", "Soprano"
    skyline,  ///< it is mostly on top, moves in small steps, and is no accompaniment of chords
  };
  std::size_t voice = 0;
  Reason reason = Reason::only;
};

/// nullopt where no voice has notes. Names count first: of the voices that are called melody (else vocal or solo, else
/// soprano or the like), never of those called bass, chords and so on. Where several or none are, their notes decide;
/// see docs/formats/README.md. O(n log n) in the notes of all voices.
[[nodiscard]] std::optional<MelodyChoice> find_melody(std::span<const Voice> voices);

/// One note at a time: at every onset the highest. A lower note that begins while a higher one sounds is left out, and
/// so is one far below the melody so far, unless the melody has been silent for a whole note: it accompanies. A note
/// that a higher one interrupts ends there.
[[nodiscard]] Voice skyline(const Voice& voice);

/// Leaves the piece with its melody alone, as one note at a time, and says what was done in a sentence; empty where
/// nothing was left out. A piece without notes stays as it is.
[[nodiscard]] std::string reduce_to_melody(Piece& piece);

}  // namespace rondo
