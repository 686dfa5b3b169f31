#pragma once

#include <initializer_list>
#include <string>

/// Hand-made MIDI files for tests: bytes as one would write them on paper.
namespace midi_bytes {

inline std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

inline std::string number(std::size_t value, int width) {
  std::string out;
  for (int i = width - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return out;
}

inline std::string header(int type, int tracks, int division = 96) {
  return "MThd" + number(6, 4) + number(static_cast<std::size_t>(type), 2) +
         number(static_cast<std::size_t>(tracks), 2) + number(static_cast<std::size_t>(division), 2);
}

inline const std::string kEnd = bytes({0, 0xFF, 0x2F, 0});

/// A track of these events; the end of track is added.
inline std::string track(const std::string& events) {
  return "MTrk" + number(events.size() + kEnd.size(), 4) + events + kEnd;
}

/// A meta event with a delta time of 0.
inline std::string meta(int type, const std::string& data) {
  return bytes({0, 0xFF, type, static_cast<int>(data.size())}) + data;
}

/// A quarter (96 ticks) on channel 1.
inline std::string quarter(int key) { return bytes({0, 0x90, key, 64, 96, 0x80, key, 0}); }

}  // namespace midi_bytes
