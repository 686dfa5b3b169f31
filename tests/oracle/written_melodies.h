#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "rondo/melody/voice.h"
#include "support/data.h"

/// Real melodies that are hard to write: with tuplets, ties, grace notes and changes of key, time and clef.
namespace rondo::written {

struct Melody {
  std::string name;  ///< where it comes from: "nottingham/abc/reelsa-c.abc#12", with several voices "...:2"
  Piece piece;       ///< of one voice
};

enum Feature : unsigned { kTuplet, kTie, kGrace, kKeyChange, kTimeChange, kClefChange, kFeatures };

inline bool is_odd(Fraction time) {
  std::int64_t den = time.den();
  while (den % 2 == 0) den /= 2;
  return den != 1;
}

inline std::array<bool, kFeatures> features_of(const Voice& voice) {
  std::array<bool, kFeatures> has{};
  for (const Note& note : voice.notes) {
    has[kGrace] = has[kGrace] || note.grace;
    if (note.grace) continue;
    has[kTuplet] = has[kTuplet] || is_odd(note.duration);
    const auto bar = std::upper_bound(voice.bars.begin(), voice.bars.end(), note.onset);
    has[kTie] = has[kTie] || (bar != voice.bars.end() && *bar < note.end());
  }
  has[kKeyChange] = voice.key_signatures.size() > 1;
  has[kTimeChange] = voice.times.size() > 1;
  has[kClefChange] = voice.clefs.size() > 1;
  return has;
}

/// Notes one after the other, or in chords of one length: what every format can hold in one voice.
inline bool is_one_line(const Voice& voice) {
  Fraction end;
  const Note* last = nullptr;
  for (const Note& note : voice.notes) {
    if (note.grace) continue;
    const bool joins = last != nullptr && last->onset == note.onset && last->duration == note.duration;
    if (!joins && note.onset < end) return false;
    if (note.duration.is_zero()) return false;
    last = &note;
    end = note.end();
  }
  return last != nullptr;
}

struct Source {
  const char* folder;
  const char* extension;
  const char* format;
  std::size_t most;       ///< melodies of it
  std::size_t each_file;  ///< melodies of one file
};

/// The same 300 every time: of each source those with the rarest features first, in the order of the files.
inline std::vector<Melody> hard_melodies() {
  constexpr std::array kSources = {
      Source{"nottingham/abc", ".abc", "abc", 132, 16},
      Source{"essen-abc", ".abc", "abc", 64, 5},
      Source{"kern-chorales", ".krn", "kern", 40, 2},
      Source{"musicxml", ".xml", "musicxml", 80, 4},
      Source{"mei", ".mei", "mei", 50, 4},
      Source{"pae", ".pae", "pae", 60, 1},
      Source{"mtc-ann", ".jsonl", "jsonl", 20, 20},
  };
  constexpr std::size_t kMostNotes = 160;
  std::vector<Melody> chosen;
  for (const Source& source : kSources) {
    std::array<std::size_t, kFeatures> seen{};
    std::size_t taken = 0;
    for (const auto& path : files_below(rondo_data(source.folder), source.extension)) {
      if (taken == source.most) break;
      CollectingSink sink;
      ReadOptions options;
      options.file = std::string(source.folder) + "/" + path.filename().string();
      options.keep_source = false;
      read_text(source.format, slurp(path), sink, options);
      std::size_t of_file = 0;
      for (Piece& piece : sink.pieces) {
        for (std::size_t i = 0; i < piece.voices.size() && taken < source.most && of_file < source.each_file; ++i) {
          const Voice& voice = piece.voices[i];
          if (voice.notes.size() > kMostNotes || !is_one_line(voice)) continue;
          const auto has = features_of(voice);
          // A feature that was met often is no reason to take another.
          bool wanted = false;
          for (std::size_t f = 0; f < kFeatures; ++f) wanted = wanted || (has[f] && seen[f] < source.most * 3 / 4);
          if (!wanted) continue;
          for (std::size_t f = 0; f < kFeatures; ++f) seen[f] += has[f] ? 1U : 0U;
          Melody melody;
          melody.name = piece.id + (piece.voices.size() > 1 ? ":" + std::to_string(i + 1) : "");
          melody.piece.id = melody.name;
          melody.piece.metadata.title = piece.metadata.title;
          melody.piece.voices = {voice};
          chosen.push_back(std::move(melody));
          ++taken;
          ++of_file;
        }
      }
    }
  }
  if (chosen.size() > 300) chosen.resize(300);
  return chosen;
}

}  // namespace rondo::written
