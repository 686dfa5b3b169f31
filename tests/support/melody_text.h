#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rondo/melody/voice.h"

/// A voice in one line, as tests write it down: "C4 1/4 r 1/8 E5+C5 1/8 ~D5 C5 1/2". r: a rest; + joins the notes of a
/// chord, highest first; ~ marks a grace note, which takes no time.
inline std::string melody_text(const rondo::Voice& voice) {
  std::string text;
  const auto add = [&](const std::string& token) { text += (text.empty() ? "" : " ") + token; };
  rondo::Fraction at;
  for (std::size_t i = 0; i < voice.notes.size();) {
    const rondo::Note& note = voice.notes[i];
    if (note.onset > at) {
      add("r " + (note.onset - at).to_string());
      at = note.onset;
    }
    if (note.grace) {
      add("~" + note.pitch.to_string());
      ++i;
      continue;
    }
    std::string chord = note.pitch.to_string();
    std::size_t next = i + 1;
    for (; next < voice.notes.size() && voice.notes[next].onset == note.onset &&
           voice.notes[next].duration == note.duration;
         ++next) {
      chord += "+" + voice.notes[next].pitch.to_string();
    }
    add(chord + " " + note.duration.to_string());
    at = std::max(at, note.end());
    i = next;
  }
  if (voice.length > at) add("r " + (voice.length - at).to_string());
  return text;
}

inline std::vector<std::string> melody_texts(const std::vector<rondo::Voice>& voices) {
  std::vector<std::string> texts;
  for (const rondo::Voice& voice : voices) texts.push_back(melody_text(voice));
  return texts;
}
