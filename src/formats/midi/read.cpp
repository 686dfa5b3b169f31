// The reader of Standard MIDI Files: tracks and channels become voices. See docs/formats/midi.md for the rules.

#include <algorithm>

#include "base/streams.h"
#include "formats/change_cursor.h"
#include "formats/midi/bars.h"
#include "formats/midi/grid.h"
#include "formats/midi/track.h"
#include "formats/readers.h"
#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

using midi::FileFacts;
using midi::Header;
using midi::Track;

constexpr int kPercussion = 9;  // channel 10, counted from 0

/// The signatures for tracks that have none.
struct Signatures {
  std::vector<Change<KeySignature>> key_signatures;
  std::vector<Change<Key>> keys;
  std::vector<Change<TimeSignature>> times;

  /// In Rondo's own files only the first track defines them; in others the first track that has any.
  void learn(const Track& track, bool ours) {
    if (ours && track.number != 1) return;
    if (key_signatures.empty()) {
      key_signatures = track.key_signatures;
      keys = track.keys;
    }
    if (times.empty()) times = track.times;
  }
};

template <typename T>
const std::vector<Change<T>>& own_or(const std::vector<Change<T>>& own, const std::vector<Change<T>>& general) {
  return own.empty() ? general : own;
}

/// The notes of one channel of a track; empty for a track that has only text events.
struct ChannelNotes {
  int channel = 0;
  std::vector<int> keys;  ///< of each note
  std::vector<midi::TimedNote> notes;
};

/// Makes the voice of one channel of a track.
class VoiceMaker {
 public:
  VoiceMaker(Track& track, const Signatures& general, Remarks& remarks)
      : track_(track), general_(general), remarks_(remarks) {
    place_.field = "track " + std::to_string(track.number);
  }

  [[nodiscard]] Result<Voice> make(const ChannelNotes* notes, std::string name) {
    VoiceBuilder builder(std::move(name));
    add_changes(builder);
    if (notes != nullptr) add_notes(builder, *notes);
    for (const Note& note : track_.carried) {
      if (note.grace) {
        builder.grace(note.onset, note.duration, note.pitch);
      } else {
        builder.note(note.onset, note.duration, note.pitch, false, note.spelled);
      }
    }
    track_.carried.clear();
    builder.lasts_until(track_.length);
    add_bars(builder);
    return builder.finish();
  }

 private:
  [[nodiscard]] const std::vector<Change<KeySignature>>& key_signatures() const {
    return own_or(track_.key_signatures, general_.key_signatures);
  }

  void add_changes(VoiceBuilder& builder) const {
    // A change at an invalid time is ignored, so that the notes are kept.
    for (const auto& [onset, value] : track_.clefs) {
      if (limits::time_ok(onset)) builder.clef(onset, value);
    }
    for (const auto& [onset, value] : key_signatures()) {
      if (limits::time_ok(onset)) builder.key_signature(onset, value);
    }
    // Keys come from signatures or from Rondo's events; a track with either uses its own.
    const auto& keys = track_.key_signatures.empty() && track_.keys.empty() ? general_.keys : track_.keys;
    for (const auto& [onset, value] : keys) {
      if (limits::time_ok(onset)) builder.key(onset, value);
    }
    for (const auto& [onset, value] : own_or(track_.times, general_.times)) {
      if (limits::time_ok(onset)) builder.time(onset, value);
    }
  }

  void add_notes(VoiceBuilder& builder, const ChannelNotes& channel) {
    ChangeCursor<KeySignature> signatures(key_signatures());
    for (std::size_t i = 0; i < channel.notes.size(); ++i) {
      const midi::TimedNote& note = channel.notes[i];
      const int key = channel.keys[i];
      midi::SpelledNote spelling{Pitch::from_midi(key, fifths_at(signatures, note.onset)), false};
      const std::pair here{note.begin, key};
      if (const auto said = track_.spellings.lower_bound(here); said != track_.spellings.end() && said->first == here) {
        spelling = said->second;
        track_.spellings.erase(said);
      }
      builder.note(note.onset, note.release - note.onset, spelling.pitch, false, spelling.spelled);
    }
  }

  void add_bars(VoiceBuilder& builder) const {
    if (track_.has_bars) {
      for (const Fraction bar : track_.bars) builder.bar(bar);
      return;
    }
    std::vector<Change<TimeSignature>> times;
    for (const auto& change : own_or(track_.times, general_.times)) {
      while (!times.empty() && times.back().onset >= change.onset) times.pop_back();
      if (times.empty() || times.back().value != change.value) times.push_back(change);
    }
    const auto bars = midi::bars_of(times, builder.length(), builder.note_count());
    if (!bars) {
      remarks_.add("midi-bars-left-out", "the time signature gives far more bars than there are notes", place_);
      return;
    }
    for (const Fraction bar : *bars) builder.bar(bar);
  }

  Track& track_;
  const Signatures& general_;
  Remarks& remarks_;
  Place place_;
};

/// One piece: all tracks of a file, or one track of a type 2 file.
class PieceMaker {
 public:
  PieceMaker(const Header& header, bool as_played, Remarks& remarks)
      : header_(header), as_played_(as_played), remarks_(remarks) {}

  /// Adds the relevant data of a track.
  [[nodiscard]] Result<void> add(Track&& track) {
    signatures_.learn(track, facts.ours);
    if (first_track_ == 0) {
      first_track_ = track.number;
      first_name_ = track.name;
    }
    if (track.channels.empty() && !track.is_voice && track.carried.empty()) return {};
    voices_ += std::max<std::size_t>(1, track.channels.size());
    if (voices_ > limits::kVoicesPerPiece) {
      return fail("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices",
                  remarks_.place());
    }
    tracks_.push_back(std::move(track));
    return {};
  }

  [[nodiscard]] Result<Piece> make() {
    drop_percussion();
    Piece piece;
    piece.format = "midi";
    piece.metadata = std::move(facts.metadata);
    piece.metadata.title = title();
    std::vector<std::vector<ChannelNotes>> notes = pair_all();
    if (!facts.ours && !as_played_) snap(notes);
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (auto done = add_voices(tracks_[i], notes[i], piece); !done) return fail(std::move(done.error()));
    }
    if (piece.voices.empty()) {
      return fail("midi-no-notes", "there are no notes in it", remarks_.place(), "nothing to do: it holds no melody");
    }
    return piece;
  }

  FileFacts facts;

 private:
  /// The first track's name is the piece's where the track has no notes, or where no other voice has a name.
  [[nodiscard]] std::string title() const {
    const auto named_voice = [&](const Track& track) { return track.number != first_track_ && !track.name.empty(); };
    const bool conductor = tracks_.empty() || tracks_.front().number != first_track_;
    if (conductor || std::none_of(tracks_.begin(), tracks_.end(), named_voice)) return first_name_;
    return {};
  }

  /// Drops percussion, unless the file has nothing else.
  void drop_percussion() {
    const auto melodic = [](const Track& track) {
      return std::any_of(track.channels.begin(), track.channels.end(),
                         [](const auto& channel) { return channel.first != kPercussion; });
    };
    if (std::none_of(tracks_.begin(), tracks_.end(), melodic)) return;
    std::size_t dropped = 0;
    for (Track& track : tracks_) dropped += track.channels.erase(kPercussion);
    if (dropped != 0) remarks_.add("midi-percussion-ignored", "the percussion channel (10) is left out");
    std::erase_if(
        tracks_, [](const Track& track) { return track.channels.empty() && !track.is_voice && track.carried.empty(); });
  }

  [[nodiscard]] std::string voice_name(const Track& track, int channel, const std::string& title) const {
    std::string name = track.name;
    if (!facts.ours && track.number == first_track_ && name == title) name.clear();
    if (track.channels.size() < 2) return name;
    const std::string number = "channel " + std::to_string(channel + 1);
    return name.empty() ? number : name + ", " + number;
  }

  /// The notes of every channel of every track, in ticks.
  [[nodiscard]] std::vector<std::vector<ChannelNotes>> pair_all() {
    std::vector<std::vector<ChannelNotes>> all;
    for (Track& track : tracks_) {
      auto& channels = all.emplace_back();
      for (auto& [channel, events] : track.channels) {
        const midi::Pairing pairing = midi::pair_keys(events, track.end);
        remark_pairing(pairing, track.number);
        ChannelNotes& notes = channels.emplace_back();
        notes.channel = channel;
        for (const midi::SoundingNote& note : pairing.notes) {
          notes.keys.push_back(note.key);
          notes.notes.push_back({note.begin, note.end, header_.tick * note.begin, header_.tick * note.end});
        }
        events = {};
      }
    }
    return all;
  }

  void remark_pairing(const midi::Pairing& pairing, std::size_t track) {
    Place place;
    place.field = "track " + std::to_string(track);
    if (pairing.hanging != 0) {
      remarks_.add("midi-hanging-note", std::to_string(pairing.hanging) + " notes never end; they last to the track's",
                   place);
    }
    if (pairing.empty != 0) {
      remarks_.add("midi-note-without-length", std::to_string(pairing.empty) + " notes of no length are left out",
                   place);
    }
  }

  void snap(std::vector<std::vector<ChannelNotes>>& tracks) {
    std::vector<std::vector<midi::TimedNote>> voices;
    for (auto& channels : tracks) {
      for (ChannelNotes& channel : channels) voices.push_back(std::move(channel.notes));
    }
    const midi::GridReport report = midi::snap_to_grid(voices, header_.tick);
    auto voice = voices.begin();
    for (auto& channels : tracks) {
      for (ChannelNotes& channel : channels) channel.notes = std::move(*voice++);
    }
    const std::string message = report.message();
    if (message.empty()) return;
    remarks_.add(report.followed ? "midi-snapped" : "midi-no-grid", message, {},
                 report.followed ? "--as-played keeps the times of the file" : "");
  }

  [[nodiscard]] Result<void> add_voices(Track& track, const std::vector<ChannelNotes>& channels, Piece& piece) {
    VoiceMaker maker(track, signatures_, remarks_);
    if (channels.empty()) return add_voice(maker.make(nullptr, track.name), true, piece);
    for (const ChannelNotes& notes : channels) {
      auto done =
          add_voice(maker.make(&notes, voice_name(track, notes.channel, piece.metadata.title)), track.is_voice, piece);
      if (!done) return done;
    }
    return {};
  }

  [[nodiscard]] Result<void> add_voice(Result<Voice> voice, bool keep_empty, Piece& piece) const {
    if (!voice) {
      voice.error().place = remarks_.place();
      return fail(std::move(voice.error()));
    }
    if (keep_empty || !voice->notes.empty()) piece.voices.push_back(std::move(*voice));
    return {};
  }

  const Header& header_;
  bool as_played_;
  Remarks& remarks_;
  Signatures signatures_;
  std::vector<Track> tracks_;
  std::size_t voices_ = 0;
  std::size_t first_track_ = 0;
  std::string first_name_;
};

/// Passes a finished piece, or the error, to the sink. false: the sink asks to stop.
bool deliver(Result<Piece> piece, const std::string& own_id, const std::string& usual_id, PieceSink& sink) {
  if (!piece) return sink.skip(std::move(piece.error()));
  piece->id = own_id.empty() ? usual_id : own_id;
  return sink.piece(std::move(*piece));
}

Place place_of(const ReadOptions& options, std::string record) {
  Place place;
  place.file = options.file;
  place.record = std::move(record);
  return place;
}

class FileReader {
 public:
  FileReader(std::string_view bytes, const ReadOptions& options, PieceSink& sink)
      : bytes_(midi::unwrap_riff(bytes)),
        options_(options),
        sink_(sink),
        remarks_(sink, place_of(options, record_id(options, 1, true))) {}

  [[nodiscard]] Result<void> read() {
    auto header = midi::read_header(bytes_, remarks_);
    if (!header) return fail(std::move(header.error()));
    header_ = *header;
    if (header_.type == 2) {
      read_separate();
    } else {
      read_together();
    }
    return {};
  }

 private:
  void read_together() {
    PieceMaker maker(header_, options_.as_played, remarks_);
    midi::TrackWalker walker(bytes_, header_.body, remarks_);
    std::string_view content;
    while (walker.next(content)) {
      midi::TrackScanner scanner(content, walker.count(), remarks_);
      auto track = midi::read_track(scanner, walker.count(), header_.tick, maker.facts);
      auto added = track ? maker.add(std::move(*track)) : fail(std::move(track.error()));
      if (!added) {
        added.error().place = remarks_.place();
        sink_.skip(std::move(added.error()));
        return;
      }
      walker.finished(scanner);
    }
    remark_count(walker.count());
    const std::string own_id = maker.facts.id;
    deliver(maker.make(), own_id, record_id(options_, 1, true), sink_);
  }

  /// Type 2: every track is a separate piece.
  void read_separate() {
    midi::TrackWalker walker(bytes_, header_.body, remarks_);
    std::string_view content;
    std::size_t pieces = 0;
    while (walker.next(content)) {
      const std::string id = record_id(options_, walker.count());
      Remarks remarks(sink_, place_of(options_, id));
      midi::TrackScanner scanner(content, walker.count(), remarks);
      PieceMaker maker(header_, options_.as_played, remarks);
      auto track = midi::read_track(scanner, walker.count(), header_.tick, maker.facts);
      const bool silent = track && track->channels.empty() && !track->is_voice && track->carried.empty();
      if (!silent) {
        ++pieces;
        if (!deliver(one_piece(maker, std::move(track), remarks), maker.facts.id, id, sink_)) return;
      }
      walker.finished(scanner);
    }
    remark_count(walker.count());
    if (pieces == 0) sink_.skip({"midi-no-notes", "there are no notes in it", remarks_.place(), {}});
  }

  static Result<Piece> one_piece(PieceMaker& maker, Result<Track> track, const Remarks& remarks) {
    auto added = track ? maker.add(std::move(*track)) : fail(std::move(track.error()));
    if (added) return maker.make();
    added.error().place = remarks.place();
    return fail(std::move(added.error()));
  }

  void remark_count(std::size_t found) {
    if (found != header_.tracks) {
      remarks_.add("midi-track-count", "the header promises " + std::to_string(header_.tracks) + " tracks, there are " +
                                           std::to_string(found));
    }
    if (header_.type == 0 && found > 1) {
      remarks_.add("midi-tracks-in-type-0", "a file of type 0 with more than one track; read as type 1");
    }
  }

  std::string_view bytes_;
  const ReadOptions& options_;
  PieceSink& sink_;
  Remarks remarks_;
  Header header_;
};

}  // namespace

int recognise_midi(std::string_view head) {
  const std::size_t at = midi::find_header(head);
  if (at == 0) return 100;
  if (head.starts_with("RIFF") && head.size() >= 12 && head.substr(8, 4) == "RMID") return 100;
  return at == std::string_view::npos ? 0 : 70;
}

Result<void> read_midi(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  auto bytes = read_all(in, limits::kFileBytes);
  if (!bytes) {
    bytes.error().place.file = options.file;
    return fail(std::move(bytes.error()));
  }
  return FileReader(*bytes, options, sink).read();
}

}  // namespace rondo
