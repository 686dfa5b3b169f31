#pragma once

#include <string>

#include "formats/abc/signs.h"
#include "formats/abc/symbols.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo::abc {

/// What is in force at the beginning of the voice.
[[nodiscard]] Signs first_signs(const Voice& voice);
/// "G", "Ddor", "C exp ^f _b": what K: has to say about the signature.
[[nodiscard]] std::string key_text(const Signs& signs);
[[nodiscard]] std::string meter_text(const TimeSignature& time);
/// "treble", "bass3"; empty for a clef that ABC has no name for.
[[nodiscard]] std::string clef_text(const Clef& clef);
/// The unit length that makes the notes of all voices shortest to write.
[[nodiscard]] Fraction choose_unit(const std::vector<Voice>& voices);

/// The music of one voice. `header` are the signs that K: and M: of the header announce.
[[nodiscard]] Result<std::string> write_music(const Voice& voice, const Signs& header, Fraction unit);

}  // namespace rondo::abc
