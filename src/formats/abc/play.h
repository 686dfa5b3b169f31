#pragma once

#include <functional>
#include <string>
#include <vector>

#include "formats/abc/script.h"
#include "rondo/melody/voice.h"

namespace rondo::abc {

/// The labels of "P:A(BC)2D3" in playing order. Unknown characters are skipped with a warning; the length is limited.
[[nodiscard]] std::string expand_parts(std::string_view text, Oddities& odd);

struct PlayOptions {
  bool expand_repeats = true;
  std::string parts;  ///< from expand_parts; empty: as written
};

/// Plays a script: repeats, endings and parts expanded, ties merged. `dangling` receives each note whose tie was never
/// resolved.
[[nodiscard]] Result<Voice> play(const Script& script, const PlayOptions& options, std::string name,
                                 const std::function<void(const ScriptNote&)>& dangling);

}  // namespace rondo::abc
