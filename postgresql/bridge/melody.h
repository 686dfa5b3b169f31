#pragma once

#include <string>
#include <string_view>

#include "bridge/bridge.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo::postgresql {

/// Plaine & Easie with or without its header, or JSON.
[[nodiscard]] Result<Voice> read_melody(std::string_view text, Diagnostics& warnings);
/// A text from which read_melody gives the same voice.
[[nodiscard]] Result<std::string> write_melody(const Voice& voice);
/// Plaine & Easie from which read_melody gives the same voice; empty where that cannot say everything.
[[nodiscard]] std::string pae_text(const Voice& voice);

[[nodiscard]] Result<std::string> packed(const Voice& voice);
[[nodiscard]] Result<Voice> unpacked(RondoBytes bytes);

}  // namespace rondo::postgresql
