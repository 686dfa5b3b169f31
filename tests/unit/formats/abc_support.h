#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "rondo/melody/voice.h"
#include "support/data.h"

namespace rondo::abc_test {

/// "C4@0+1/4 D4@1/4+1/8": the notes with onset and duration; grace notes in braces.
inline std::string spelled(const Voice& voice) {
  std::string out;
  for (const Note& note : voice.notes) {
    if (!out.empty()) out += ' ';
    if (note.grace) out += '{';
    out.append(note.pitch.to_string()).append(1, '@').append(note.onset.to_string());
    out.append(1, '+').append(note.duration.to_string());
    if (note.grace) out += '}';
  }
  return out;
}

/// Only the names, in order: "C4 D4".
inline std::string names(const Voice& voice) {
  std::string out;
  for (const Note& note : voice.notes) {
    if (!out.empty()) out += ' ';
    out += note.pitch.to_string();
  }
  return out;
}

/// Only the durations.
inline std::string durations(const Voice& voice) {
  std::string out;
  for (const Note& note : voice.notes) {
    if (!out.empty()) out += ' ';
    out += note.duration.to_string();
  }
  return out;
}

inline CollectingSink& read(CollectingSink& sink, std::string_view text, ReadOptions options = {}) {
  read_text("abc", text, sink, std::move(options));
  return sink;
}

/// The one piece of a text.
inline Piece piece(std::string_view text) {
  CollectingSink sink;
  read(sink, text);
  EXPECT_EQ(sink.pieces.size(), 1U) << text;
  EXPECT_TRUE(sink.skipped.empty()) << text;
  return sink.pieces.empty() ? Piece{} : std::move(sink.pieces.front());
}

/// The one voice of a line of music in C, 4/4, with quarter notes as unit.
inline Voice music(std::string_view body, std::string_view header = "M:4/4\nL:1/4\nK:C\n") {
  Piece read_back = piece("X:1\n" + std::string(header) + std::string(body) + "\n");
  EXPECT_EQ(read_back.voices.size(), 1U) << body;
  return read_back.voices.empty() ? Voice{} : std::move(read_back.voices.front());
}

inline bool has_code(const Diagnostics& diagnostics, std::string_view code) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.code == code; });
}

/// The warnings of a line of music as "code column" in order.
inline std::vector<std::string> remarks(std::string_view body) {
  CollectingSink sink;
  read(sink, "X:1\nM:4/4\nL:1/4\nK:C\n" + std::string(body) + "\n");
  EXPECT_EQ(sink.pieces.size(), 1U) << "a bad symbol must not cost the tune: " << body;
  std::vector<std::string> out;
  for (const Diagnostic& d : sink.warnings) out.push_back(d.code + " " + std::to_string(d.place.column));
  return out;
}

}  // namespace rondo::abc_test
