#include "formats/midi/track.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "formats/legacy_text.h"
#include "formats/midi/words.h"
#include "melody/limits.h"

namespace rondo::midi {
namespace {

constexpr std::size_t kKeyEventsPerVoice = 4 * limits::kNotesPerVoice;

/// "C#4 1/16": the pitch and duration of a note in one of Rondo's events.
bool parse_carried(std::string_view text, Note& note) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return false;
  const auto pitch = Pitch::parse(text.substr(0, blank));
  const auto duration = Fraction::parse(text.substr(blank + 1));
  if (!pitch || !pitch->playable() || !duration || !limits::time_ok(*duration)) return false;
  note.pitch = *pitch;
  note.duration = *duration;
  return true;
}

/// "3/4", and after a blank the symbol: "4/4 c".
std::optional<TimeSignature> parse_time(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view numbers = text.substr(0, blank);
  TimeSignature time;
  const char* end = numbers.data() + numbers.size();
  const auto beats = std::from_chars(numbers.data(), end, time.beats);
  if (beats.ec != std::errc{} || beats.ptr == end || *beats.ptr != '/') return std::nullopt;
  const auto unit = std::from_chars(beats.ptr + 1, end, time.unit);
  if (unit.ec != std::errc{} || unit.ptr != end) return std::nullopt;
  if (blank != std::string_view::npos) time.symbol = text.substr(blank + 1);
  return time;
}

/// "xFC", "bBEA", "xFbB": KeySignature::to_string backwards.
KeySignature parse_signature(std::string_view text) {
  KeySignature signature;
  std::int8_t alter = 0;
  for (const char c : text) {
    const int step = step_of_letter(c);
    if (c == 'x' || c == 'b') {
      alter = c == 'x' ? 1 : -1;
    } else if (step >= 0) {
      signature.alter[static_cast<std::size_t>(step)] = alter;
    }
  }
  return signature;
}

class TrackReader {
 public:
  TrackReader(std::size_t number, Fraction tick, FileFacts& facts) : tick_(tick), facts_(facts) {
    track_.number = number;
  }

  void take(const Event& event) {
    if (event.is_meta()) {
      meta(event);
    } else {
      channel_message(event);
    }
  }

  [[nodiscard]] bool too_many() const { return too_many_; }
  Track finish(std::int64_t end) {
    track_.end = end;
    return std::move(track_);
  }

 private:
  using MetaHandler = void (TrackReader::*)(const Event&);
  using WordHandler = void (TrackReader::*)(const Event&, std::string_view);

  [[nodiscard]] Fraction time(const Event& event) const { return tick_ * event.tick; }

  void channel_message(const Event& event) {
    constexpr int note_off = 0x80;
    constexpr int note_on = 0x90;
    constexpr int control = 0xB0;
    if (event.message() == note_on || event.message() == note_off) {
      const bool down = event.message() == note_on && event.second != 0;
      auto found = track_.channels.find(event.channel());
      if (found == track_.channels.end()) {
        if (!down) return;
        found = track_.channels.emplace(event.channel(), std::vector<KeyEvent>{}).first;
      }
      add(found->second, {event.tick, static_cast<std::int16_t>(event.first), down});
    } else if (event.message() == control && (event.first == 120 || event.first >= 123)) {
      // All sound off, all notes off, and the mode changes, which imply it.
      const auto found = track_.channels.find(event.channel());
      if (found == track_.channels.end() || found->second.back().key == kAllKeys) return;
      add(found->second, {event.tick, kAllKeys, false});
    }
  }

  void add(std::vector<KeyEvent>& events, KeyEvent event) {
    too_many_ = too_many_ || events.size() >= kKeyEventsPerVoice;
    if (!too_many_) events.push_back(event);
  }

  void meta(const Event& event) {
    struct Row {
      std::uint8_t type;
      MetaHandler handler;
    };
    static constexpr std::array rows = {
        Row{kCopyright, &TrackReader::copyright},
        Row{kTrackName, &TrackReader::name},
        Row{kTempo, &TrackReader::tempo},
        Row{kTimeSignature, &TrackReader::time_signature},
        Row{kKeySignature, &TrackReader::key_signature},
        Row{kSequencerSpecific, &TrackReader::word},
    };
    for (const Row& row : rows) {
      if (row.type == event.first) (this->*row.handler)(event);
    }
  }

  void copyright(const Event& event) { native_field("copyright", to_utf8_line(event.data)); }

  void name(const Event& event) {
    if (track_.name.empty()) track_.name = to_utf8_line(event.data);
  }

  void tempo(const Event& event) {
    std::uint32_t micros = 0;
    for (const char c : event.data.substr(0, 3)) micros = (micros << 8U) | static_cast<std::uint8_t>(c);
    if (event.data.size() < 3 || micros == 0) return;
    std::string text = fmt::format("{:.3f}", 60e6 / micros);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    native_field("tempo", std::move(text));
  }

  /// Metadata from a standard event; ignored in Rondo's own files, which have it in Rondo's events, in order.
  void native_field(std::string_view field, std::string value) {
    if (facts_.ours || value.empty() || !facts_.metadata.field(field).empty()) return;
    facts_.metadata.fields.emplace_back(field, std::move(value));
  }

  void time_signature(const Event& event) {
    if (event.data.size() < 2) return;
    const auto beats = static_cast<std::uint8_t>(event.data[0]);
    const auto power = static_cast<std::uint8_t>(event.data[1]);
    if (beats == 0 || power > 15) return;
    track_.times.push_back({time(event), {beats, static_cast<std::uint16_t>(1U << power), {}}});
  }

  void key_signature(const Event& event) {
    if (event.data.size() < 2) return;
    const auto fifths = static_cast<std::int8_t>(event.data[0]);
    const bool minor = event.data[1] == 1;
    if (fifths < -7 || fifths > 7) return;
    track_.key_signatures.push_back({time(event), KeySignature::from_fifths(fifths)});
    // Programs that know no key write C major, so that is read as a signature only.
    if (facts_.ours || (fifths == 0 && !minor)) return;
    track_.keys.push_back({time(event), key_of(fifths, minor)});
  }

  static Key key_of(int fifths, bool minor) {
    const int tonic = fifths + (minor ? 3 : 0);  // in fifths from C
    const int place = tonic + 1;                 // from F, the first of F C G D A E B
    const int turn = place >= 0 ? place / 7 : (place - 6) / 7;
    constexpr std::array<std::int8_t, 7> steps = {3, 0, 4, 1, 5, 2, 6};
    return {steps[static_cast<std::size_t>(place - 7 * turn)], static_cast<std::int8_t>(turn),
            minor ? Mode::minor : Mode::major};
  }

  void word(const Event& event) {
    const auto word = parse_word(event.data);
    if (!word) return;
    struct Row {
      std::string_view verb;
      WordHandler handler;
    };
    static constexpr std::array rows = {
        Row{"version", &TrackReader::word_version},
        Row{"voice", &TrackReader::word_voice},
        Row{"pitch", &TrackReader::word_pitch},
        Row{"guess", &TrackReader::word_guess},
        Row{"grace", &TrackReader::word_grace},
        Row{"note", &TrackReader::word_note},
        Row{"guessed-note", &TrackReader::word_guessed_note},
        Row{"bar", &TrackReader::word_bar},
        Row{"end", &TrackReader::word_end},
        Row{"clef", &TrackReader::word_clef},
        Row{"key", &TrackReader::word_key},
        Row{"key-signature", &TrackReader::word_signature},
        Row{"time", &TrackReader::word_time},
        Row{"id", &TrackReader::word_id},
        Row{"field", &TrackReader::word_field},
        Row{"catalogue", &TrackReader::word_catalogue},
    };
    for (const Row& row : rows) {
      if (row.verb == word->verb) return (this->*row.handler)(event, word->rest);
    }
    Metadata& about = facts_.metadata;
    const std::array<std::pair<std::string_view, std::string*>, 6> texts = {{{"composer", &about.composer},
                                                                             {"source", &about.source},
                                                                             {"library", &about.library},
                                                                             {"shelfmark", &about.shelfmark},
                                                                             {"uri", &about.uri},
                                                                             {"year", &about.year}}};
    for (const auto& [verb, text] : texts) {
      if (verb == word->verb) *text = to_utf8(word->rest);
    }
  }

  void word_version(const Event& /*event*/, std::string_view /*rest*/) { facts_.ours = true; }
  void word_voice(const Event& /*event*/, std::string_view rest) {
    track_.is_voice = true;
    track_.has_bars = rest == "bars";
  }
  void word_pitch(const Event& event, std::string_view rest) { spelling(event, rest, true); }
  void word_guess(const Event& event, std::string_view rest) { spelling(event, rest, false); }
  void spelling(const Event& event, std::string_view rest, bool spelled) {
    if (const auto pitch = Pitch::parse(rest)) {
      track_.spellings.emplace(std::pair{event.tick, pitch->midi()}, SpelledNote{*pitch, spelled});
    }
  }
  void word_grace(const Event& event, std::string_view rest) { carried(event, rest, true, true); }
  void word_note(const Event& event, std::string_view rest) { carried(event, rest, false, true); }
  void word_guessed_note(const Event& event, std::string_view rest) { carried(event, rest, false, false); }
  void carried(const Event& event, std::string_view rest, bool grace, bool spelled) {
    Note note{time(event), {}, {}, grace, spelled};
    if (parse_carried(rest, note)) track_.carried.push_back(note);
    too_many_ = too_many_ || track_.carried.size() > limits::kNotesPerVoice;
  }
  void word_bar(const Event& event, std::string_view /*rest*/) { track_.bars.push_back(time(event)); }
  void word_end(const Event& event, std::string_view /*rest*/) { track_.length = time(event); }
  void word_clef(const Event& event, std::string_view rest) {
    if (const auto clef = Clef::parse(rest)) track_.clefs.push_back({time(event), *clef});
  }
  void word_key(const Event& event, std::string_view rest) {
    if (const auto key = Key::parse(rest)) track_.keys.push_back({time(event), *key});
  }
  void word_signature(const Event& event, std::string_view rest) {
    track_.key_signatures.push_back({time(event), parse_signature(rest)});
  }
  void word_time(const Event& event, std::string_view rest) {
    if (auto parsed = parse_time(rest)) track_.times.push_back({time(event), std::move(*parsed)});
  }
  void word_id(const Event& /*event*/, std::string_view rest) { facts_.id = to_utf8(rest); }
  void word_field(const Event& /*event*/, std::string_view rest) {
    const std::size_t tab = rest.find('\t');
    if (tab == std::string_view::npos) return;
    facts_.metadata.fields.emplace_back(to_utf8(rest.substr(0, tab)), to_utf8(rest.substr(tab + 1)));
  }
  void word_catalogue(const Event& /*event*/, std::string_view rest) {
    facts_.metadata.catalogue.push_back(to_utf8(rest));
  }

  Track track_;
  Fraction tick_;
  FileFacts& facts_;
  bool too_many_ = false;
};

}  // namespace

Result<Track> read_track(TrackScanner& scanner, std::size_t number, Fraction tick, FileFacts& facts) {
  TrackReader reader(number, tick, facts);
  Event event;
  while (scanner.next(event)) {
    reader.take(event);
    if (reader.too_many()) {
      return fail("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
    }
  }
  return reader.finish(scanner.tick());
}

}  // namespace rondo::midi
