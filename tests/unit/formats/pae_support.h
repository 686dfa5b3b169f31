#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/pae.h"

/// Reading notations in tests, and showing what was read so that it can be compared with a line worked out by hand.
namespace pae_test {

struct Reading {
  rondo::Voice voice;
  rondo::Diagnostics warnings;
  std::string error;  ///< code, empty when it was read
  rondo::PaeVersion version = rondo::PaeVersion::v1;

  [[nodiscard]] std::vector<std::string> codes() const {
    std::vector<std::string> out;
    for (const auto& warning : warnings) out.push_back(warning.code);
    return out;
  }
};

struct Header {
  std::string clef = "G-2";
  std::string keysig = {};
  std::string timesig = {};
  std::string version = {};
  std::string key = {};
};

inline Reading read(std::string_view data, const Header& header = {}, rondo::PaeOptions options = {}) {
  Reading reading;
  rondo::PaeParser parser;
  const rondo::PaeFields fields{header.clef, header.keysig, header.timesig, header.key, data, header.version};
  if (auto done = parser.parse(fields, options, reading.voice, reading.warnings); !done) {
    reading.error = done.error().code;
  }
  reading.version = parser.version();
  return reading;
}

/// "C4 1/4" a note, "- 1/8" a rest, "D5+A4 1/2" a chord, "*C5 0" a grace note with its written value. Notes that
/// overlap otherwise are followed by "@" and their onset.
inline std::string show(const rondo::Voice& voice) {
  std::ostringstream out;
  rondo::Fraction at;
  const char* gap = "";
  const auto add = [&](std::string_view mark, const std::string& name, rondo::Fraction duration) {
    out << gap << mark << name << ' ' << duration.to_string();
    gap = " ";
  };
  const auto& notes = voice.notes;
  for (std::size_t i = 0; i < notes.size();) {
    const auto& note = notes[i];
    if (note.onset > at) add("-", "", note.onset - at);
    const bool late = note.onset < at;
    at = std::max(at, note.onset);
    std::string names = note.pitch.to_string();
    std::size_t end = i + 1;
    for (; !note.grace && end < notes.size() && notes[end].onset == note.onset && notes[end].duration == note.duration;
         ++end) {
      names.push_back('+');
      names.append(notes[end].pitch.to_string());
    }
    add(note.grace ? "*" : "", names, note.duration);
    if (late) out << " @" << note.onset.to_string();
    at = std::max(at, note.end());
    i = end;
  }
  if (voice.length > at) add("-", "", voice.length - at);
  return out.str();
}

inline std::string show_bars(const rondo::Voice& voice) {
  std::ostringstream out;
  for (const auto& bar : voice.bars) out << (bar == voice.bars.front() ? "" : " ") << bar.to_string();
  return out.str();
}

/// "0:G-2 1/2:F-4"
template <typename T>
std::string show_changes(const std::vector<rondo::Change<T>>& changes) {
  std::ostringstream out;
  for (const auto& change : changes) {
    out << (&change == &changes.front() ? "" : " ") << change.onset.to_string() << ':' << change.value.to_string();
  }
  return out.str();
}

/// What the notation sounds like, or the code of the error.
inline std::string sound(std::string_view data, const Header& header = {}) {
  const Reading reading = read(data, header);
  return reading.error.empty() ? show(reading.voice) : reading.error;
}

}  // namespace pae_test
