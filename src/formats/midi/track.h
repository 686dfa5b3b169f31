#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/midi/smf.h"
#include "rondo/melody/piece.h"

namespace rondo::midi {

/// A key goes down or up on one channel; kAllKeys up: every key that is down.
struct KeyEvent {
  std::int64_t tick = 0;
  std::int16_t key = 0;
  bool down = false;
};
inline constexpr std::int16_t kAllKeys = -1;

struct SoundingNote {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  int key = 0;
};

/// Pairs the keys' downs and ups, in the order of the downs. Where each down has its up they are paired first in,
/// first out, so two notes on one key may overlap; where ups are missing a key struck again ends its last note. A
/// key still down at `end` sounds until then and is counted in `hanging`; notes without length are left out and
/// counted in `empty`.
struct Pairing {
  std::vector<SoundingNote> notes;
  std::size_t hanging = 0;
  std::size_t empty = 0;
};
[[nodiscard]] Pairing pair_keys(const std::vector<KeyEvent>& events, std::int64_t end);

/// How a note of Rondo's own files is spelled; see words.h.
struct SpelledNote {
  Pitch pitch;
  bool spelled = true;
};

/// What one track says, times already in whole notes where they are no keys'.
struct Track {
  std::size_t number = 0;
  std::string name;
  std::map<int, std::vector<KeyEvent>> channels;
  std::int64_t end = 0;
  std::vector<Change<KeySignature>> key_signatures;
  std::vector<Change<Key>> keys;
  std::vector<Change<TimeSignature>> times;

  // From the words of Rondo's own files.
  bool is_voice = false;
  bool has_bars = false;
  std::multimap<std::pair<std::int64_t, int>, SpelledNote> spellings;  ///< by tick and key
  std::vector<Note> carried;                                           ///< grace notes, and notes no key can play
  std::vector<Fraction> bars;
  std::vector<Change<Clef>> clefs;
  Fraction length;
};

/// What the file says as a whole, from whichever track says it first.
struct FileFacts {
  Metadata metadata;
  std::string id;
  bool ours = false;  ///< written by Rondo
};

/// Reads a track to its end. Errors: `too-many-notes`.
[[nodiscard]] Result<Track> read_track(TrackScanner& scanner, std::size_t number, Fraction tick, FileFacts& facts);

}  // namespace rondo::midi
