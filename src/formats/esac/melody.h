#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/esac/record.h"
#include "formats/remarks.h"
#include "rondo/melody/voice.h"

namespace rondo::esac {

/// The content of the field KEY: number, smallest unit, tonic and metres.
struct KeyField {
  std::string number;  ///< of the song in its collection
  std::int64_t unit = 16;
  Pitch tonic;                        ///< of octave 4: the degree 1 without a sign
  std::vector<TimeSignature> metres;  ///< several: each measure has the one that fits its length
};

/// Errors: `esac-bad-key`.
[[nodiscard]] Result<KeyField> parse_key(const Field& field, Remarks& remarks);

/// The pitch of a scale degree (1 to 7), moved by octaves and altered by semitones; nullopt if it is out of range.
[[nodiscard]] std::optional<Pitch> degree_pitch(const Pitch& tonic, int degree, int octave, int alter);

/// A pitch as a degree over a tonic.
struct Degree {
  int degree = 1;
  int octave = 0;
  int alter = 0;
};
[[nodiscard]] Degree degree_of(const Pitch& tonic, const Pitch& pitch);

/// Reads the field MEL.
[[nodiscard]] Result<Voice> parse_melody(const Field& field, const KeyField& key, Remarks& remarks);

}  // namespace rondo::esac
