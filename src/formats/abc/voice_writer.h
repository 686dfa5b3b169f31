#pragma once

#include <string>

#include "formats/abc/signs.h"
#include "formats/abc/symbols.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo::abc {

/// The signs at the beginning of the voice.
[[nodiscard]] Signs first_signs(const Voice& voice);
/// "G", "Ddor", "C exp ^f _b": the text of K: for a signature. A signature without a named key is written as its major
/// key, which every program reads; `KeyFields` records that the source does not name it.
[[nodiscard]] std::string key_text(const Signs& signs);
[[nodiscard]] bool is_named(const Signs& signs);

/// The fields K: of a tune in the order of the text, and which of them name no key.
class KeyFields {
 public:
  void count(bool unnamed) {
    ++fields_;
    if (unnamed) unnamed_ += " " + std::to_string(fields_);
  }
  /// " 1 3", or empty.
  [[nodiscard]] const std::string& unnamed() const { return unnamed_; }

 private:
  std::size_t fields_ = 0;
  std::string unnamed_;
};
/// "%%rondo-unnamed-keys 1 3": the first and third K: of the tune give a signature only.
inline constexpr std::string_view kUnnamedKeys = "rondo-unnamed-keys";

[[nodiscard]] std::string meter_text(const TimeSignature& time);
/// "treble", "bass3"; empty for a clef that ABC has no name for.
[[nodiscard]] std::string clef_text(const Clef& clef);
/// The unit length that makes the notes of all voices shortest to write.
[[nodiscard]] Fraction choose_unit(const std::vector<Voice>& voices);

/// The music of one voice. `header` are the signs that K: and M: of the header announce.
[[nodiscard]] Result<std::string> write_music(const Voice& voice, const Signs& header, Fraction unit, KeyFields& keys);

}  // namespace rondo::abc
