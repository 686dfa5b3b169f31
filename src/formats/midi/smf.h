#pragma once

#include <cstdint>
#include <string_view>

#include "formats/remarks.h"
#include "rondo/melody/fraction.h"

/// The bytes of a Standard MIDI File: header, chunks, events. Independent of musical meaning; tolerant of errors.
namespace rondo::midi {

struct Header {
  int type = 1;
  std::size_t tracks = 0;  ///< number stated in the header
  Fraction tick;           ///< length of a tick in whole notes
  std::size_t body = 0;    ///< where the chunks begin
};

/// Finds and reads the header, also after other bytes (a MacBinary wrapper, garbage). Errors: `midi-not-midi`,
/// `midi-header-truncated`.
[[nodiscard]] Result<Header> read_header(std::string_view bytes, Remarks& remarks);

/// The MIDI file inside an RMI (RIFF) wrapper; anything else as it is.
[[nodiscard]] std::string_view unwrap_riff(std::string_view bytes);

/// Where a header starts, or npos: shared by recognition and read_header.
[[nodiscard]] std::size_t find_header(std::string_view bytes);

/// A channel message (status 0x80..0xEF) or a meta event (status 0xFF, `first` is its type). Everything else (system
/// exclusive, escapes, stray system messages) is skipped.
struct Event {
  std::int64_t tick = 0;
  std::uint8_t status = 0;
  std::uint8_t first = 0;
  std::uint8_t second = 0;
  std::string_view data;  ///< of a meta event

  [[nodiscard]] int message() const { return status & 0xF0; }
  [[nodiscard]] int channel() const { return status & 0x0F; }
  [[nodiscard]] bool is_meta() const { return status == 0xFF; }
};

inline constexpr std::uint8_t kText = 0x01;
inline constexpr std::uint8_t kCopyright = 0x02;
inline constexpr std::uint8_t kTrackName = 0x03;
inline constexpr std::uint8_t kEndOfTrack = 0x2F;
inline constexpr std::uint8_t kTempo = 0x51;
inline constexpr std::uint8_t kTimeSignature = 0x58;
inline constexpr std::uint8_t kKeySignature = 0x59;
inline constexpr std::uint8_t kSequencerSpecific = 0x7F;

/// The events of one track, in sequence. Recovers from broken events: garbage is skipped up to the next status byte,
/// and if that fails, the track ends with a warning.
class TrackScanner {
 public:
  /// `bytes` is the track's content, as far as it can reach; `number` counts from 1.
  TrackScanner(std::string_view bytes, std::size_t number, Remarks& remarks);

  /// false at the end of the track; `event` then holds nothing.
  bool next(Event& event);

  [[nodiscard]] std::size_t position() const { return at_; }
  /// The track had an end-of-track event.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Time of the last event, the end of the track included.
  [[nodiscard]] std::int64_t tick() const { return tick_; }

 private:
  bool read_number(std::uint32_t& value);
  bool read_status(std::uint8_t& status);
  bool read_channel_message(std::uint8_t status, Event& event);
  bool read_meta(Event& event);
  void skip_system(std::uint8_t status);
  std::string_view take(std::uint32_t length);
  bool stop(std::string_view code, std::string message);
  void remark(std::string_view code, std::string message);
  [[nodiscard]] std::uint8_t peek() const { return static_cast<std::uint8_t>(bytes_[at_]); }
  [[nodiscard]] bool empty() const { return at_ >= bytes_.size(); }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::int64_t tick_ = 0;
  std::uint8_t running_ = 0;
  bool ended_ = false;
  Place place_;
  Remarks& remarks_;
};

/// Iterates over the tracks of a file. If a declared length is impossible, the next track is found by its chunk name.
class TrackWalker {
 public:
  TrackWalker(std::string_view bytes, std::size_t body, Remarks& remarks)
      : bytes_(bytes), at_(body), remarks_(remarks) {}

  /// The content of the next track, as far as it can reach; false after the last. Call `finished` before the next call,
  /// with the number of bytes used.
  bool next(std::string_view& content);
  void finished(const TrackScanner& scanner);

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  [[nodiscard]] bool is_chunk_start(std::size_t at) const;

  std::string_view bytes_;
  std::size_t at_;
  std::size_t begin_ = 0;         // of the content handed out last
  std::size_t declared_end_ = 0;  // and where its chunk says it ends
  std::size_t count_ = 0;
  Remarks& remarks_;
};

}  // namespace rondo::midi
