#pragma once

#include <random>

#include "rondo/melody/builder.h"
#include "rondo/melody/piece.h"

/// Pieces for round trips: from a seed, the same on every machine (no distribution of the library is used).
class RandomPieces {
 public:
  explicit RandomPieces(unsigned seed) : random_(seed) {}

  rondo::Piece piece() {
    rondo::Piece made;
    made.id = "random";
    const int voices = 1 + below(3);
    for (int i = 0; i < voices; ++i) made.voices.push_back(voice());
    return made;
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  bool once_in(int n) { return below(n) == 0; }

  rondo::Pitch pitch() {
    return {static_cast<std::int8_t>(below(7)), static_cast<std::int8_t>(below(5) - 2),
            static_cast<std::int8_t>(3 + below(3))};
  }

  /// 1/16 to 1, now and then dotted, in a triplet or a quintuplet.
  rondo::Fraction duration() {
    rondo::Fraction value(1, std::int64_t{1} << below(5));
    if (once_in(4)) value *= rondo::Fraction(3, 2);
    if (once_in(6)) value *= rondo::Fraction(2, 3);
    if (once_in(20)) value *= rondo::Fraction(4, 5);
    return value;
  }

  rondo::Voice voice() {
    rondo::VoiceBuilder builder(once_in(2) ? "" : "Violin " + std::to_string(below(9)));
    rondo::Fraction now;
    if (once_in(2)) builder.key_signature(0, rondo::KeySignature::from_fifths(below(15) - 7));
    if (once_in(2)) builder.time(0, rondo::TimeSignature{static_cast<std::uint16_t>(2 + below(4)), 4, {}});
    const int events = below(40);
    for (int i = 0; i < events; ++i) {
      if (once_in(12)) builder.key_signature(now, rondo::KeySignature::from_fifths(below(15) - 7));
      if (once_in(8)) builder.grace(now, once_in(2) ? rondo::Fraction(0) : rondo::Fraction(1, 16), pitch());
      const rondo::Fraction step = duration();
      if (!once_in(6)) {
        const bool spelled = !once_in(4);
        builder.note(now, step, pitch(), false, spelled);
        while (once_in(3)) builder.note(now, once_in(2) ? step : duration(), pitch(), false, spelled);
      }
      now += once_in(10) ? step / 2 : step;
      builder.lasts_until(now);
    }
    return builder.finish().value();
  }

  std::mt19937 random_;
};

inline rondo::Piece random_piece(unsigned seed) { return RandomPieces(seed).piece(); }
