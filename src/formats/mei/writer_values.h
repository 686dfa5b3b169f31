#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/note_values.h"

namespace rondo::mei {

/// One written value: a note of `dur` with dots, in a tuplet of `num` for `numbase` (1 and 1: none).
struct Value {
  std::string dur;
  int dots = 0;
  std::int64_t num = 1;
  std::int64_t numbase = 1;
  Fraction time;         ///< how long it sounds
  std::size_t span = 0;  ///< of the list it was made from
  bool begins_tuplet = false;
};

enum class Spelling : std::uint8_t {
  tied,   ///< usual notation: several tied values
  single  ///< always one value, in any tuplet
};

/// The values of the notes and rests of a layer in one measure. If notation cannot express them: nullopt, or with
/// `anyhow` (for an engraving) a single value each, in any tuplet.
[[nodiscard]] std::optional<std::vector<Value>> values_of(std::span<const TimeSpan> spans, Fraction origin,
                                                          Fraction beat, Spelling spelling, bool anyhow);

/// The value of a grace note.
[[nodiscard]] Value grace_value(Fraction time);

}  // namespace rondo::mei
