#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/pae.h"
#include "rondo/base/result.h"
#include "rondo/melody/fraction.h"

/// Writes durations as plain and dotted values, tied if one is not enough, in tuplets if values do not suffice.
namespace rondo::pae {

struct Value {
  char figure = '4';
  std::uint8_t dots = 0;
  Fraction length;

  [[nodiscard]] std::string to_string() const { return figure + std::string(dots, '.'); }
};

/// The values that add up to `length`, longest first; nothing where there are none.
[[nodiscard]] std::optional<std::vector<Value>> as_values(Fraction length, PaeVersion version);

/// A time span in which the same notes sound, or none.
struct Segment {
  Fraction onset;
  Fraction end;
  std::size_t first_note = 0;  ///< in Voice::notes
  std::size_t note_count = 0;  ///< 0: a rest
  bool continues = false;      ///< the same notes as in the segment before, still sounding
  std::uint32_t measures = 0;  ///< a rest of this many whole measures; 0: any other
};

/// A sign for (part of) a segment.
struct Symbol {
  std::size_t segment = 0;
  bool first = false;  ///< of its segment
  Value value;
  std::optional<Value> opens;  ///< a tuplet of this length begins with it
  unsigned closes = 0;         ///< a tuplet of this number ends with it; 0: none
};

/// Precondition: segments have no gaps. Fails with `cannot-write` if values and tuplets do not suffice.
[[nodiscard]] Result<std::vector<Symbol>> write_rhythm(std::span<const Segment> segments, PaeVersion version);

}  // namespace rondo::pae
