#include "formats/midi/smf.h"

#include <algorithm>

namespace rondo::midi {
namespace {

constexpr std::string_view kHeaderName = "MThd";
constexpr std::string_view kTrackChunk = "MTrk";
constexpr std::size_t kHeaderBytes = 14;
constexpr std::size_t kChunkHead = 8;
constexpr std::size_t kRubbish = std::size_t{64} * 1024;  // as much as recognition sees
constexpr int kUsualDivision = 480;

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = (value << 8U) | static_cast<std::uint8_t>(c);
  return value;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8U) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

/// A tick of SMPTE time in whole notes, at MIDI's default tempo of 120 quarters per minute.
Fraction smpte_tick(int frames, int ticks) {
  const Fraction rate = frames == 29 ? Fraction(30000, 1001) : Fraction(frames);
  return Fraction(1, 2) / (rate * ticks);
}

Fraction tick_of(std::uint32_t division, Remarks& remarks) {
  if ((division & 0x8000U) != 0) {
    const int frames = 256 - static_cast<int>(division >> 8U);
    const int ticks = static_cast<int>(division & 0xFFU);
    if (ticks != 0) return smpte_tick(frames, ticks);
  } else if (division != 0) {
    return {1, 4 * static_cast<std::int64_t>(division)};
  }
  remarks.add("midi-bad-division",
              "the header gives ticks no length; " + std::to_string(kUsualDivision) + " to a quarter are assumed");
  return {1, 4 * kUsualDivision};
}

}  // namespace

std::string_view unwrap_riff(std::string_view bytes) {
  constexpr std::size_t first_chunk = 12;
  if (bytes.size() < first_chunk || !bytes.starts_with("RIFF") || bytes.substr(8, 4) != "RMID") return bytes;
  std::size_t at = first_chunk;
  while (bytes.size() >= at + kChunkHead) {
    const std::size_t length = little_endian(bytes.substr(at + 4, 4));
    if (bytes.substr(at, 4) == "data") return bytes.substr(at + kChunkHead, length);
    at += kChunkHead + length + length % 2;  // RIFF chunks begin at even places
  }
  return bytes;
}

std::size_t find_header(std::string_view bytes) {
  const std::size_t at = bytes.substr(0, kRubbish).find(kHeaderName);
  if (at == 0 || at == std::string_view::npos) return at;
  // Not at the beginning: accepted only with its usual length, because the four letters may occur in a text.
  constexpr std::string_view usual("MThd\0\0\0\6", 8);
  return bytes.substr(0, kRubbish).find(usual);
}

Result<Header> read_header(std::string_view bytes, Remarks& remarks) {
  const std::size_t at = find_header(bytes);
  if (at == std::string_view::npos) {
    return fail("midi-not-midi", bytes.empty() ? "the input is empty" : "there is no MIDI header (MThd)",
                remarks.place(), "give a Standard MIDI File (.mid, .kar, .rmi)");
  }
  if (bytes.size() < at + kHeaderBytes) {
    return fail("midi-header-truncated", "the file ends within its header", remarks.place(), "fetch the file again");
  }
  if (at != 0) {
    remarks.add("midi-bytes-before-header", std::to_string(at) + " bytes before the MIDI header are passed over");
  }
  const std::uint32_t length = big_endian(bytes.substr(at + 4, 4));
  Header header;
  header.type = static_cast<int>(big_endian(bytes.substr(at + 8, 2)));
  header.tracks = big_endian(bytes.substr(at + 10, 2));
  header.tick = tick_of(big_endian(bytes.substr(at + 12, 2)), remarks);
  if (header.type > 2) {
    remarks.add("midi-bad-type", "type " + std::to_string(header.type) + " does not exist; read as type 1");
    header.type = 1;
  }
  header.body = at + kHeaderBytes;
  if (length > 6 && bytes.size() - at - kChunkHead > length) header.body = at + kChunkHead + length;
  return header;
}

TrackScanner::TrackScanner(std::string_view bytes, std::size_t number, Remarks& remarks)
    : bytes_(bytes), remarks_(remarks) {
  place_.field = "track " + std::to_string(number);
}

void TrackScanner::remark(std::string_view code, std::string message) {
  remarks_.add(code, std::move(message) + " (byte " + std::to_string(at_) + " of the track)", place_);
}

bool TrackScanner::stop(std::string_view code, std::string message) {
  remark(code, std::move(message));
  at_ = bytes_.size();
  return false;
}

/// A variable-length quantity: at most four bytes.
bool TrackScanner::read_number(std::uint32_t& value) {
  value = 0;
  for (int i = 0; i < 4; ++i) {
    if (empty()) return false;
    const std::uint8_t byte = peek();
    ++at_;
    value = (value << 7U) | (byte & 0x7FU);
    if (byte < 0x80) return true;
  }
  return false;
}

std::string_view TrackScanner::take(std::uint32_t length) {
  const std::size_t here = std::min<std::size_t>(length, bytes_.size() - at_);
  if (here < length) remark("midi-truncated", "an event reaches beyond the end of its track");
  const std::string_view data = bytes_.substr(at_, here);
  at_ += here;
  return data;
}

/// The status byte of the event that begins here, or the running one: it survives meta events and system messages,
/// which the standard forbids and many programs write.
bool TrackScanner::read_status(std::uint8_t& status) {
  if (empty()) return stop("midi-truncated", "the track ends within an event");
  if (peek() < 0x80) {
    if (running_ != 0) {
      status = running_;
      return true;
    }
    remark("midi-broken-event", "data bytes without a message are passed over");
    while (!empty() && peek() < 0x80) ++at_;
    if (empty()) return false;
  }
  status = peek();
  ++at_;
  return true;
}

bool TrackScanner::read_channel_message(std::uint8_t status, Event& event) {
  running_ = status;
  event.status = status;
  const int kind = status & 0xF0;
  const int wanted = kind == 0xC0 || kind == 0xD0 ? 1 : 2;
  for (int i = 0; i < wanted; ++i) {
    if (empty()) return stop("midi-truncated", "the track ends within an event");
    if (peek() >= 0x80) {
      remark("midi-broken-event", "a message lacks a data byte and is dropped");
      return false;
    }
    (i == 0 ? event.first : event.second) = peek();
    ++at_;
  }
  return true;
}

bool TrackScanner::read_meta(Event& event) {
  if (empty()) return stop("midi-truncated", "the track ends within an event");
  event.status = 0xFF;
  event.first = peek();
  ++at_;
  std::uint32_t length = 0;
  if (!read_number(length)) {
    if (event.first == kEndOfTrack) ended_ = true;
    return stop("midi-truncated", "the track ends within an event");
  }
  event.data = take(length);
  if (event.first == kEndOfTrack) {
    ended_ = true;
    return false;
  }
  return true;
}

void TrackScanner::skip_system(std::uint8_t status) {
  if (status == 0xF0 || status == 0xF7) {
    std::uint32_t length = 0;
    if (read_number(length)) {
      take(length);
    } else {
      (void)stop("midi-truncated", "the track ends within an event");
    }
    return;
  }
  remark("midi-system-message", "a system message has no place in a file; it is passed over");
  const int data_bytes = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0;
  for (int i = 0; i < data_bytes && !empty() && peek() < 0x80; ++i) ++at_;
}

bool TrackScanner::next(Event& event) {
  while (!ended_ && !empty()) {
    std::uint32_t delta = 0;
    if (!read_number(delta)) {
      return empty() ? stop("midi-truncated", "the track ends within an event")
                     : stop("midi-broken-event", "a time of more than four bytes; the rest of the track is lost");
    }
    tick_ += delta;
    event = Event{};
    event.tick = tick_;
    std::uint8_t status = 0;
    if (!read_status(status)) return false;
    if (status == 0xFF) {
      if (read_meta(event)) return true;
    } else if (status >= 0xF0) {
      skip_system(status);
    } else if (read_channel_message(status, event)) {
      return true;
    }
  }
  return false;
}

bool TrackWalker::is_chunk_start(std::size_t at) const {
  if (at == bytes_.size()) return true;
  if (at > bytes_.size() || bytes_.size() - at < kChunkHead) return false;
  const std::string_view name = bytes_.substr(at, 4);
  if (name == kTrackChunk) return true;
  const bool word = std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return word && big_endian(bytes_.substr(at + 4, 4)) <= bytes_.size() - at - kChunkHead;
}

bool TrackWalker::next(std::string_view& content) {
  while (at_ < bytes_.size()) {
    if (!is_chunk_start(at_)) {
      const std::size_t found = bytes_.find(kTrackChunk, at_ + 1);
      const std::size_t end = std::min(found, bytes_.size());
      remarks_.add("midi-stray-bytes", std::to_string(end - at_) + " bytes outside any track are passed over");
      at_ = end;
      continue;
    }
    const std::size_t length = big_endian(bytes_.substr(at_ + 4, 4));
    begin_ = at_ + kChunkHead;
    if (bytes_.substr(at_, 4) != kTrackChunk) {
      at_ = begin_ + length;
      continue;
    }
    declared_end_ = begin_ + length;
    ++count_;
    // A length that leads to no chunk is wrong: the track then ends at the next one at the latest.
    const std::size_t end =
        is_chunk_start(declared_end_) ? declared_end_ : std::min(bytes_.find(kTrackChunk, begin_), bytes_.size());
    content = bytes_.substr(begin_, end - begin_);
    return true;
  }
  return false;
}

void TrackWalker::finished(const TrackScanner& scanner) {
  const std::size_t used = begin_ + scanner.position();
  const bool at_declared = is_chunk_start(declared_end_);
  Place place;
  place.field = "track " + std::to_string(count_);
  if (!scanner.ended()) {
    remarks_.add("midi-no-end-of-track", "the track does not say that it ends", place);
  } else if (used != declared_end_) {
    remarks_.add("midi-track-length", "the length of the track is wrong; its end event is used instead", place);
  }
  const bool track_follows = used < bytes_.size() && bytes_.substr(used, 4) == kTrackChunk;
  at_ = track_follows || !at_declared ? used : declared_end_;
}

}  // namespace rondo::midi
