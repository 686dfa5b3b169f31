#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rondo/melody/signature.h"

namespace rondo::generate {

/// Time inside the generator: ticks of a whole note. 192 = 64 * 3 holds 64th notes and triplets of 32nds.
inline constexpr int kTicks = 192;
inline constexpr int kQuarter = kTicks / 4;

struct Metre {
  std::string_view pae;     ///< as notated: "c/", "3/4"
  std::string_view symbol;  ///< TimeSignature::symbol: empty for plain fractions
  std::uint8_t beats;       ///< of the signature: 6 in 6/8
  std::uint8_t unit;
  int beat;  ///< ticks of what is felt as the beat: a dotted quarter in 6/8
  std::uint8_t weight;
  bool compound;

  [[nodiscard]] constexpr int bar() const { return kTicks * beats / unit; }
};

/// All metres the generator knows; see compose.cpp for the choice among them.
enum MetreName : std::uint8_t {
  kCommon,
  kAlla,
  kTwoFour,
  kThreeFour,
  kThreeTwo,
  kThreeEight,
  kSixEight,
  kNineEight,
  kTwelveEight,
  kMetreCount
};
inline constexpr std::array<Metre, kMetreCount> kMetres = {{
    {"c", "c", 4, 4, kQuarter, 24, false},
    {"c/", "c/", 2, 2, kTicks / 2, 7, false},
    {"2/4", "", 2, 4, kQuarter, 24, false},
    {"3/4", "", 3, 4, kQuarter, 21, false},
    {"3/2", "", 3, 2, kTicks / 2, 3, false},
    {"3/8", "", 3, 8, 3 * kQuarter / 2, 5, true},
    {"6/8", "", 6, 8, 3 * kQuarter / 2, 13, true},
    {"9/8", "", 9, 8, 3 * kQuarter / 2, 1, true},
    {"12/8", "", 12, 8, 3 * kQuarter / 2, 2, true},
}};

/// An element of a table by a number that is known to be in it.
template <typename Table>
[[nodiscard]] constexpr auto& at(Table&& table, int index) {
  return table[static_cast<std::size_t>(index)];
}

/// A note, rest or grace note.
struct Event {
  int ticks = 0;     ///< of a grace note: its written value
  int position = 0;  ///< steps of the scale above the tonic
  int alter = 0;     ///< semitones above what the key signature says
  int triplet = 0;   ///< 1 2 3: its place in a triplet; 0: plain
  bool rest = false;
  bool grace = false;
};

/// A melody in terms of its key: transposing it changes the head only. Pitches and note values come out of it in
/// notate.cpp.
struct Sketch {
  static constexpr std::size_t kMaxEvents = 192;

  MetreName metre = kCommon;
  int fifths = 0;
  bool minor = false;
  Clef clef;
  int tonic = 0;   ///< Pitch::diatonic() of position 0
  int pickup = 0;  ///< ticks before the first bar line; 0: none
  std::size_t count = 0;
  std::array<Event, kMaxEvents> events;

  /// Events beyond the maximum are dropped: callers stay far below it.
  void add(const Event& event) {
    if (count < kMaxEvents) events[count++] = event;
  }
  [[nodiscard]] std::span<Event> all() { return {events.data(), count}; }
  [[nodiscard]] std::span<const Event> all() const { return {events.data(), count}; }
  [[nodiscard]] const Metre& time() const { return kMetres[metre]; }
};

/// Where a clef's middle line lies (Pitch::diatonic()): melodies are placed around it.
[[nodiscard]] int middle_line(const Clef& clef);

/// Chooses key signature and octave so that the melody fits the clef.
void place(Sketch& sketch, int fifths);

}  // namespace rondo::generate
