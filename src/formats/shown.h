#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/melody/voice.h"

/// A melody as pages show it: the forms that every JSON with notation in it shares.
namespace rondo {

[[nodiscard]] Voice beginning_of(const Voice& voice, std::size_t notes);
/// One line of Plaine & Easie; empty where that cannot say it.
[[nodiscard]] std::string pae_line(const Voice& voice);
[[nodiscard]] nlohmann::ordered_json notes_json(const Voice& voice);
/// MEI of the voice alone, its notes with ids; null where it cannot be engraved.
[[nodiscard]] nlohmann::ordered_json engraving_json(const Voice& voice);

}  // namespace rondo
