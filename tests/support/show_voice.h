#pragma once

#include <ostream>

#include "rondo/melody/voice.h"

/// How GoogleTest shows the model in a failure.
namespace rondo {

inline void PrintTo(const Note& note, std::ostream* out) {
  *out << note.pitch.to_string() << (note.spelled ? "" : "?") << (note.grace ? "(grace)" : "") << ":"
       << note.onset.to_string() << "+" << note.duration.to_string();
}

inline void PrintTo(const Voice& voice, std::ostream* out) {
  *out << "\"" << voice.name << "\" ";
  for (const Note& note : voice.notes) {
    PrintTo(note, out);
    *out << " ";
  }
  *out << "length " << voice.length.to_string() << ", bars";
  for (const Fraction bar : voice.bars) *out << " " << bar.to_string();
  for (const auto& c : voice.clefs) *out << ", clef " << c.onset.to_string() << " " << c.value.to_string();
  for (const auto& c : voice.key_signatures) *out << ", sig " << c.onset.to_string() << " " << c.value.to_string();
  for (const auto& c : voice.keys) *out << ", key " << c.onset.to_string() << " " << c.value.to_string();
  for (const auto& c : voice.times) *out << ", time " << c.onset.to_string() << " " << c.value.to_string();
}

}  // namespace rondo
