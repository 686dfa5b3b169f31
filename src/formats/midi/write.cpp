// The writer of Standard MIDI Files: type 1, a first track for the piece and one for each voice. What MIDI cannot
// express goes into Rondo's own events (words.h), so that a round trip gives the same melody.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "formats/change_cursor.h"
#include "formats/midi/bars.h"
#include "formats/midi/smf.h"
#include "formats/midi/words.h"
#include "formats/readers.h"
#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

using midi::make_word;

constexpr std::int64_t kMaxDivision = 32767;
constexpr std::int64_t kUsualDivision = 480;
constexpr std::int64_t kLeastDivision = 96;
constexpr std::uint8_t kVelocity = 80;

Failure cannot_write_midi(std::string message, std::string hint = {}) {
  return fail("cannot-write", std::move(message), {}, std::move(hint));
}

void put_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

void put_number(std::string& out, std::uint64_t value) {
  std::array<char, 10> digits{};
  std::size_t count = 0;
  do {
    digits[count] = static_cast<char>((value & 0x7FU) | (count == 0 ? 0U : 0x80U));
    ++count;
    value >>= 7U;
  } while (value != 0);
  while (count > 0) out += digits[--count];
}

std::string meta(std::uint8_t type, std::string_view data) {
  std::string out;
  out += '\xFF';
  out += static_cast<char>(type);
  put_number(out, data.size());
  out += data;
  return out;
}

std::string word(std::string_view verb, std::string_view rest = {}) {
  return meta(midi::kSequencerSpecific, make_word(verb, rest));
}

/// The order of events at one time: note-offs before changes of signature before note-ons.
enum class EventRank : std::uint8_t { up, change, spelling, down, end };

struct TimedEvent {
  std::int64_t tick = 0;
  EventRank rank = EventRank::change;
  std::string bytes;
};

/// Builds a track; events may be added in any order; those of equal time and rank keep their order.
class TrackBuilder {
 public:
  explicit TrackBuilder(std::int64_t division) : division_(division) {}

  void add(Fraction time, EventRank rank, std::string bytes) {
    events_.push_back({(time * (4 * division_)).num(), rank, std::move(bytes)});
  }

  [[nodiscard]] std::string chunk() {
    std::stable_sort(events_.begin(), events_.end(), [](const TimedEvent& a, const TimedEvent& b) {
      return a.tick != b.tick ? a.tick < b.tick : a.rank < b.rank;
    });
    std::string body;
    std::int64_t now = 0;
    for (const TimedEvent& event : events_) {
      pass(body, event.tick - now);
      body += event.bytes;
      now = event.tick;
    }
    pass(body, 0);
    body += meta(midi::kEndOfTrack, {});
    std::string out = "MTrk";
    put_big_endian(out, body.size(), 4);
    return out + body;
  }

 private:
  /// A delta time; one that exceeds MIDI's maximum is split by empty text events.
  static void pass(std::string& body, std::int64_t delta) {
    constexpr std::int64_t longest = 0x0FFFFFFF;
    for (; delta > longest; delta -= longest) {
      put_number(body, static_cast<std::uint64_t>(longest));
      body += meta(midi::kText, {});
    }
    put_number(body, static_cast<std::uint64_t>(delta));
  }

  std::int64_t division_;
  std::vector<TimedEvent> events_;
};

/// Finds the notes that key events cannot express: those without length, and those that end before an earlier note on
/// the same key, because note-offs are paired first in, first out. They go into Rondo's own events.
class KeyBook {
 public:
  bool playable(const Note& note) {
    const auto key = static_cast<std::size_t>(note.pitch.midi());
    const bool carried_here = carried_[key] == note.onset;  // the reader places carried notes after the played ones
    if (note.duration.is_zero() || note.end() < latest_[key] || carried_here) {
      carried_[key] = note.onset;
      return false;
    }
    latest_[key] = note.end();
    return true;
  }

 private:
  std::array<Fraction, 128> latest_{};
  std::array<Fraction, 128> carried_ = filled();

  static std::array<Fraction, 128> filled() {
    std::array<Fraction, 128> all;
    all.fill(Fraction(-1));
    return all;
  }
};

/// The ticks of a quarter that make all these times whole.
class DivisionFinder {
 public:
  void need(Fraction time) {
    if (quarters_ > kMaxDivision) return;
    const std::int64_t den = (time * 4).den();
    quarters_ = den > kMaxDivision ? den : std::lcm(quarters_, den);
  }
  template <typename T>
  void need(const std::vector<Change<T>>& changes) {
    for (const auto& change : changes) need(change.onset);
  }

  [[nodiscard]] std::optional<std::int64_t> division() const {
    if (quarters_ > kMaxDivision) return std::nullopt;
    if (kUsualDivision % quarters_ == 0) return kUsualDivision;
    return quarters_ * ((kLeastDivision + quarters_ - 1) / quarters_);
  }

 private:
  std::int64_t quarters_ = 1;
};

bool bars_follow_from_times(const Voice& voice) {
  const auto bars = midi::bars_of(voice.times, voice.length, voice.notes.size());
  return bars ? *bars == voice.bars : voice.bars.empty();
}

std::optional<std::int64_t> division_for(const std::vector<Voice>& voices) {
  DivisionFinder finder;
  for (const Voice& voice : voices) {
    for (const Note& note : voice.notes) {
      finder.need(note.onset);
      if (!note.grace) finder.need(note.end());
    }
    finder.need(voice.length);
    finder.need(voice.clefs);
    finder.need(voice.keys);
    finder.need(voice.key_signatures);
    finder.need(voice.times);
    if (bars_follow_from_times(voice)) continue;
    for (const Fraction bar : voice.bars) finder.need(bar);
  }
  return finder.division();
}

void add_signatures(TrackBuilder& track, const Voice& voice) {
  ChangeCursor<Key> keys(voice.keys);
  for (const auto& [onset, signature] : voice.key_signatures) {
    const auto fifths = signature.fifths();
    if (fifths) {
      const Key* key = keys.at(onset);
      const char minor = key != nullptr && key->mode == Mode::minor && key->signature() == signature ? 1 : 0;
      track.add(onset, EventRank::change, meta(midi::kKeySignature, std::string{static_cast<char>(*fifths), minor}));
    } else {
      track.add(onset, EventRank::change, word("key-signature", signature.to_string()));
    }
  }
  for (const auto& [onset, time] : voice.times) {
    const bool native = time.beats >= 1 && time.beats <= 255 && std::has_single_bit(time.unit);
    if (native) {
      const auto power = static_cast<char>(std::countr_zero(time.unit));
      track.add(onset, EventRank::change,
                meta(midi::kTimeSignature, std::string{static_cast<char>(time.beats), power, 24, 8}));
    }
    if (native && time.symbol.empty()) continue;
    const std::string numbers = std::to_string(time.beats) + "/" + std::to_string(time.unit);
    track.add(onset, EventRank::change, word("time", time.symbol.empty() ? numbers : numbers + " " + time.symbol));
  }
}

/// Another note on the same key begins at the same time: then each needs a spelling, to distinguish them.
bool has_unison(const std::vector<Note>& notes, std::size_t i) {
  const auto same = [&](const Note& other) {
    return !other.grace && other.onset == notes[i].onset && other.pitch.midi() == notes[i].pitch.midi();
  };
  return (i > 0 && same(notes[i - 1])) || (i + 1 < notes.size() && same(notes[i + 1]));
}

void add_notes(TrackBuilder& track, const Voice& voice, int channel) {
  KeyBook keys;
  ChangeCursor<KeySignature> signatures(voice.key_signatures);
  for (std::size_t i = 0; i < voice.notes.size(); ++i) {
    const Note& note = voice.notes[i];
    const std::string name = note.pitch.to_string();
    if (note.grace) {
      track.add(note.onset, EventRank::spelling, word("grace", name + " " + note.duration.to_string()));
    } else if (!keys.playable(note)) {
      track.add(note.onset, EventRank::spelling,
                word(note.spelled ? "note" : "guessed-note", name + " " + note.duration.to_string()));
    } else {
      const int key = note.pitch.midi();
      if (note.spelled || has_unison(voice.notes, i) ||
          note.pitch != Pitch::from_midi(key, fifths_at(signatures, note.onset))) {
        track.add(note.onset, EventRank::spelling, word(note.spelled ? "pitch" : "guess", name));
      }
      const auto number = static_cast<char>(key);
      track.add(note.onset, EventRank::down, {static_cast<char>(0x90 | channel), number, kVelocity});
      track.add(note.end(), EventRank::up, {static_cast<char>(0x80 | channel), number, 0});
    }
  }
}

std::string voice_chunk(const Voice& voice, std::size_t index, std::int64_t division, bool with_signatures) {
  TrackBuilder track(division);
  const bool derived_bars = bars_follow_from_times(voice);
  if (!voice.name.empty()) track.add(0, EventRank::up, meta(midi::kTrackName, voice.name));
  track.add(0, EventRank::up, word("voice", derived_bars ? "" : "bars"));
  if (with_signatures) add_signatures(track, voice);
  for (const auto& [onset, key] : voice.keys) track.add(onset, EventRank::change, word("key", key.to_string()));
  for (const auto& [onset, clef] : voice.clefs) track.add(onset, EventRank::change, word("clef", clef.to_string()));
  if (!derived_bars) {
    for (const Fraction bar : voice.bars) track.add(bar, EventRank::change, word("bar"));
  }
  const int place = static_cast<int>(index % 15);
  add_notes(track, voice, place < 9 ? place : place + 1);  // not the percussion channel
  track.add(voice.length, EventRank::end, word("end"));
  return track.chunk();
}

/// Microseconds a quarter for the tempo field, quarters a minute.
std::optional<std::uint32_t> quarter_length(std::string_view tempo) {
  const double quarters = std::strtod(std::string(tempo).c_str(), nullptr);
  const double micros = quarters > 0 ? 60e6 / quarters + 0.5 : 0;
  if (!(micros >= 1 && micros < 0x1000000)) return std::nullopt;
  return static_cast<std::uint32_t>(micros);
}

std::string first_chunk(const Piece& piece, const std::vector<Voice>& voices, std::int64_t division,
                        bool with_signatures) {
  TrackBuilder track(division);
  const Metadata& about = piece.metadata;
  const auto say = [&](std::string bytes) { track.add(0, EventRank::up, std::move(bytes)); };
  const auto say_word = [&](std::string_view verb, std::string_view rest) {
    if (!rest.empty()) say(word(verb, rest));
  };
  say(word("version", "1"));
  if (!about.title.empty()) say(meta(midi::kTrackName, about.title));
  if (const auto text = about.field("copyright"); !text.empty()) say(meta(midi::kCopyright, text));
  if (const auto micros = quarter_length(about.field("tempo"))) {
    std::string bytes;
    put_big_endian(bytes, *micros, 3);
    say(meta(midi::kTempo, bytes));
  }
  say_word("id", piece.id);
  say_word("composer", about.composer);
  say_word("source", about.source);
  say_word("library", about.library);
  say_word("shelfmark", about.shelfmark);
  for (const std::string& number : about.catalogue) say_word("catalogue", number);
  say_word("uri", about.uri);
  say_word("year", about.year);
  for (const auto& [name, value] : about.fields) {
    std::string field = name;
    (field += '\t') += value;
    say_word("field", field);
  }
  if (with_signatures) add_signatures(track, voices.front());
  return track.chunk();
}

}  // namespace

Result<std::string> write_midi(const Piece& piece) {
  std::vector<Voice> voices = piece.voices;
  if (voices.empty()) return cannot_write_midi("a piece without voices has nothing to play");
  if (voices.size() > limits::kVoicesPerPiece) return cannot_write_midi("too many voices");
  for (Voice& voice : voices) {
    if (auto done = normalise(voice); !done) return cannot_write_midi(done.error().message);
  }
  const auto division = division_for(voices);
  if (!division) {
    return cannot_write_midi("its rhythm needs more than " + std::to_string(kMaxDivision) + " ticks to a quarter",
                             "write it as json, mei or kern");
  }
  const bool common = std::all_of(voices.begin(), voices.end(), [&](const Voice& voice) {
    return voice.key_signatures == voices.front().key_signatures && voice.times == voices.front().times;
  });
  std::string out = "MThd";
  put_big_endian(out, 6, 4);
  put_big_endian(out, 1, 2);
  put_big_endian(out, voices.size() + 1, 2);
  put_big_endian(out, static_cast<std::uint64_t>(*division), 2);
  out += first_chunk(piece, voices, *division, common);
  for (std::size_t i = 0; i < voices.size(); ++i) out += voice_chunk(voices[i], i, *division, !common);
  if (out.size() > limits::kFileBytes) return cannot_write_midi("the file would be too large to be read again");
  return out;
}

}  // namespace rondo
