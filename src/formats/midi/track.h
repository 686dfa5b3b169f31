#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/midi/smf.h"
#include "rondo/melody/piece.h"

namespace rondo::midi {

/// A note-on or note-off on one channel; kAllKeys off: every key that is down.
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

/// Pairs note-ons and note-offs, in the order of the note-ons. If each note-on has its note-off, they are paired first
/// in, first out, so two notes on one key may overlap; if note-offs are missing, a new note-on ends the last note of
/// the key. A key still down at `end` sounds until then and is counted in `hanging`; notes without length are left out
/// and counted in `empty`.
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

/// The content of one track; times are in whole notes, except those of key events.
struct Track {
  std::size_t number = 0;
  std::string name;
  std::map<int, std::vector<KeyEvent>> channels;
  std::int64_t end = 0;
  std::vector<Change<KeySignature>> key_signatures;
  std::vector<Change<Key>> keys;
  std::vector<Change<TimeSignature>> times;

  // From the events of Rondo's own files.
  bool is_voice = false;
  bool has_bars = false;
  std::multimap<std::pair<std::int64_t, int>, SpelledNote> spellings;  ///< by tick and key
  std::vector<Note> carried;                                           ///< grace notes, and notes no key can play
  std::vector<Fraction> bars;
  std::vector<Change<Clef>> clefs;
  Fraction length;
};

/// Data of the whole file, from the first track that has it.
struct FileFacts {
  Metadata metadata;
  std::string id;
  bool ours = false;  ///< written by Rondo
};

/// Reads a track to its end. Errors: `too-many-notes`.
[[nodiscard]] Result<Track> read_track(TrackScanner& scanner, std::size_t number, Fraction tick, FileFacts& facts);

}  // namespace rondo::midi
