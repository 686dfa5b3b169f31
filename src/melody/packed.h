#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo {

/// Compact encoding of a voice, as stored in a collection and kept in memory by an index. Lossless: unpacking gives the
/// same Voice, including names, spelling, grace notes, bars and signatures. An incipit of 20 notes takes about 45
/// bytes.
///
/// The layout, version 1. Numbers are varints (seven bits a byte, low ones first), signed ones zigzag.
///
///     version     1 byte, 1
///     flags 1 byte: 1 has a name, 2 times are fractions, 4 has bars, 8 has an explicit length
///     signatures  1 byte, two bits each for clefs, key signatures, keys, times (low bits first):
///                 0 none, 1 a single one at onset 0, 2 a list
///     name        length, bytes                                     (flag 1)
///     ticks       ticks of a whole note                             (unless flag 2)
///     the four    a value; or a count and as many times and values
///     bars        count, first, then runs of equal distances: distance, how often (flag 4)
///     notes       count, then each as below
///     length      a time (flag 8); else the end of the note that ends last
///
/// Times are counted in ticks, the least common denominator of the voice; those of a list count from the one before.
/// Where that would be finer than limits::kDenominator (flag 2), every time is a numerator and a denominator from
/// the beginning, and bars are a plain list.
///
/// A note is one byte, pitch in the high four bits, shape in the low four, followed by the bytes these require. The
/// shape is (gap since the end of the note before, duration, grace, spelled): one of the 15 last new shapes, or 15: a
/// new one follows as gap, duration * 4 + spelled * 2 + grace. With flag 2 it is always 15, and the gap is the onset,
/// then a byte of flags and the duration. The pitch is 0..14 for -7..+7 staff steps from the note before (at first B4),
/// altered as the step was last (at first as in the first key signature); or 15: a byte follows, alteration + 3 in the
/// low three bits (7: in a byte after it), steps + 15 in the high five (31: the staff position from C0 follows as a
/// number).
inline constexpr std::uint8_t kPackedVersion = 1;

/// Appends the voice to `out`. Fails and leaves `out` unchanged if the voice violates the invariants of the model
/// (limits.h, ascending onsets, playable pitches); a voice made by VoiceBuilder never does.
[[nodiscard]] Result<void> pack(const Voice& voice, std::string& out);

/// Fills `voice`, reusing its memory. Safe for any bytes: input that `pack` did not write is the error `packed-damaged`
/// or `packed-version`, and accepted input has all times within limits.h and in order. On error `voice` is unspecified.
/// Linear in the number of notes; thread-safe.
[[nodiscard]] Result<void> unpack(std::string_view bytes, Voice& voice);

}  // namespace rondo
