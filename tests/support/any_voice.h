#pragma once

#include <random>
#include <string>

#include "rondo/melody/builder.h"

namespace rondo::test {

/// Voices of every kind the model allows: monophonic and chordal, odd times, grace notes, changing signatures,
/// names that are not text. Deterministic for a seed.
inline Voice any_voice(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto chance = [&](unsigned percent) { return below(100) < percent; };
  const std::int64_t grids[] = {16, 16, 16, 48, 960, 30'030, 999'983, 999'999'937};
  std::int64_t grid = grids[below(8)];
  const bool wild = chance(10);
  const auto moment = [&](unsigned most) {
    if (wild) grid = 1 + below(1'000'000);
    return Fraction(below(most * 16) + 1, 16) + Fraction(below(7), grid);
  };
  VoiceBuilder builder;
  if (chance(30)) {
    std::string name;
    for (unsigned i = below(20); i > 0; --i) name += static_cast<char>(random());
    builder.name(name);
  }
  const auto alteration = [&] { return static_cast<std::int8_t>(chance(80) ? 0 : static_cast<int>(below(7)) - 3); };
  const auto signatures = [&](Fraction at) {
    if (chance(70)) {
      builder.clef(at,
                   Clef{"GgCFPTX"[below(7)], static_cast<std::int8_t>(below(9)), static_cast<Clef::Kind>(below(3))});
    }
    KeySignature odd;
    for (auto& alter : odd.alter) alter = static_cast<std::int8_t>(static_cast<int>(below(3)) - 1);
    if (chance(70))
      builder.key_signature(at, chance(80) ? KeySignature::from_fifths(static_cast<int>(below(15)) - 7) : odd);
    if (chance(30)) {
      builder.key(at, Key{static_cast<std::int8_t>(below(7)), alteration(), static_cast<Mode>(below(9))});
    }
    if (chance(70)) {
      builder.time(at, TimeSignature{static_cast<std::uint16_t>(chance(90) ? below(16) : below(65536)),
                                     static_cast<std::uint16_t>(chance(90) ? 1U << below(8) : below(65536)),
                                     chance(20) ? "c/" : ""});
    }
  };
  signatures(0);
  Fraction at = chance(70) ? Fraction(0) : moment(1);
  const unsigned notes = below(60);
  for (unsigned i = 0; i < notes; ++i) {
    const bool spelled = chance(80);
    const auto pitch = [&] {
      if (!spelled) return Pitch::from_midi(static_cast<int>(below(128)));
      return Pitch{static_cast<std::int8_t>(below(7)), alteration(),
                   static_cast<std::int8_t>(chance(95) ? 4 + below(2) : 1 + below(7))};
    };
    if (chance(8)) builder.grace(at, chance(50) ? Fraction(1, 16) : Fraction(0), pitch());
    const Fraction duration = chance(90) ? Fraction(1 + below(4), 8) : moment(1);
    builder.note(at, duration, pitch(), false, spelled);
    if (chance(15)) builder.note(at, chance(50) ? duration : moment(2), pitch(), false, spelled);
    if (chance(20)) builder.bar(at);
    if (chance(4)) signatures(at);
    if (!chance(5)) at += duration;
    if (chance(10)) at += Fraction(1, 8);
  }
  if (chance(30)) builder.lasts_until(at + 1);
  return builder.finish().value_or(Voice{});
}

}  // namespace rondo::test
