#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "rondo/melody/pitch.h"
#include "rondo/melody/signature.h"

namespace rondo {

/// Decides where a writer needs an accidental. Programs differ in the scope of an accidental: all octaves or its own,
/// with or without those of grace notes. An accidental is needed if any of these interpretations would give another
/// pitch.
class AccidentalScope {
 public:
  void key(const std::array<std::int8_t, 7>& signature) {
    signature_ = signature;
    bar();
  }
  /// A bar line, or anything else that cancels all accidentals.
  void bar() {
    for (Reading& reading : readings_) {
      reading.by_name = signature_;
      reading.by_octave.clear();
    }
  }

  [[nodiscard]] bool needed(const Pitch& pitch) const {
    const auto step = static_cast<std::size_t>(pitch.step);
    for (const Reading& reading : readings_) {
      const auto found = reading.by_octave.find(pitch.diatonic());
      const int in_octave = found == reading.by_octave.end() ? signature_[step] : found->second;
      if (reading.by_name[step] != pitch.alter || in_octave != pitch.alter) return true;
    }
    return false;
  }
  void write(const Pitch& pitch, bool grace) {
    for (std::size_t i = grace ? 1 : 0; i < readings_.size(); ++i) {
      readings_[i].by_name[static_cast<std::size_t>(pitch.step)] = pitch.alter;
      readings_[i].by_octave[pitch.diatonic()] = pitch.alter;
    }
  }

 private:
  struct Reading {
    std::array<std::int8_t, 7> by_name{};
    std::map<int, int> by_octave;  ///< by diatonic number
  };
  std::array<std::int8_t, 7> signature_{};
  std::array<Reading, 2> readings_;  ///< without grace notes, with them
};

}  // namespace rondo
