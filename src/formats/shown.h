#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/melody/voice.h"

/// Notation of a melody for pages: shared by all JSON output.
namespace rondo {

[[nodiscard]] Voice beginning_of(const Voice& voice, std::size_t notes);
/// One line of Plaine & Easie; empty if that cannot express it.
[[nodiscard]] std::string pae_line(const Voice& voice);
/// Onsets, durations, pitches and names of the notes, as JSON; as text much faster than by way of objects.
[[nodiscard]] std::string notes_text(const Voice& voice);
[[nodiscard]] nlohmann::ordered_json notes_json(const Voice& voice);
/// MEI of the voice, with ids for its notes; null if it cannot be engraved.
[[nodiscard]] nlohmann::ordered_json engraving_json(const Voice& voice);

}  // namespace rondo
