#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "gpu/pair_score.h"
#include "rondo/similarity/plan.h"
#include "similarity/systems/rondo.h"

/// Melodies made to trip what a card computes, and costs of every size.
namespace rondo::gpu::hostile_melodies {

using explained::Features;

inline int below(std::mt19937& random, unsigned limit) { return static_cast<int>(random() % limit); }

inline RondoPlan standard_plan() {
  RondoPlan plan;
  plan.near = 0.15;
  plan.far = -0.15;
  plan.length = 0.5;
  plan.change = 0.2;
  plan.place = 0.8;
  plan.interval = 0.22;
  plan.weight = 0.25;
  plan.gap = 0.75;
  plan.long_notes = 0.8;
  plan.overhang = 1;
  plan.beyond = 0.3;
  return plan;
}

/// The greatest numbers that are let in: sums of 64 notes do not fit into 16 bits.
inline RondoPlan extreme_plan() {
  RondoPlan plan;
  plan.near = -2;
  plan.far = -2;
  plan.length = 2;
  plan.change = 2;
  plan.place = 4;
  plan.interval = 1;
  plan.weight = 1;
  plan.gap = 20;
  plan.long_notes = 1;
  plan.overhang = 60;
  plan.beyond = 1;
  return plan;
}

/// Pitches from 0 on, at most kMostPitch.
inline Line line_from(std::mt19937& random, std::size_t notes, int kind) {
  Line out;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < notes; ++i) {
    int p = below(random, 13);
    std::int64_t length = 1 + below(random, 4);
    if (kind == 1) length = 1;                                      // no rhythm
    if (kind == 2) p = below(random, 2) * kMostPitch;               // as wide as can be
    if (kind == 3) p = 0;                                           // one pitch: more notes than levels
    if (kind == 4) length = below(random, 4) == 0 ? 1'000'000 : 1;  // extreme lengths
    if (kind == 5) p = below(random, kMostPitch + 1);
    if (kind == 6) p = static_cast<int>(i % 2) * 2, length = 1 + static_cast<std::int64_t>(i % 2);  // ties everywhere
    out.pitch.push_back(static_cast<std::int16_t>(p));
    out.onset.push_back(at);
    out.duration.push_back(length);
    at += length;
  }
  const std::int16_t low = *std::min_element(out.pitch.begin(), out.pitch.end());
  for (std::int16_t& p : out.pitch) p = static_cast<std::int16_t>(p - low);
  return out;
}

inline Features hostile_features(std::mt19937& random, std::size_t notes, int kind) {
  const Line line = line_from(random, notes, kind);
  Features out;
  explained::make_features(line.pitch, line.onset, line.duration, out);
  return out;
}

inline std::vector<Note> notes_of(const Features& features, const explained::Costs& rhythmic) {
  std::vector<Note> out;
  for (std::size_t i = 0; i < features.size(); ++i) {
    Note note{};
    note.pitch = static_cast<std::uint8_t>(features.pitch[i]);
    note.next = static_cast<std::int8_t>(features.next[i]);
    note.length = static_cast<std::int8_t>(features.length[i]);
    note.change = static_cast<std::int8_t>(features.change[i]);
    note.place = static_cast<std::uint16_t>(features.place[i]);
    note.gap = static_cast<std::int16_t>(rhythmic.gap(features.length[i]));
    out.push_back(note);
  }
  return out;
}

inline Melody melody_of(const Features& features) {
  Melody out{};
  out.notes = static_cast<std::uint8_t>(features.size());
  out.rhythm = features.rhythm ? 1 : 0;
  out.range = static_cast<std::uint8_t>(*std::max_element(features.pitch.begin(), features.pitch.end()));
  return out;
}

inline std::size_t some_length(std::mt19937& random, int round) {
  constexpr std::array<std::size_t, 8> kEdges = {1, 2, 3, 31, 32, 33, 63, 64};
  return round % 3 == 0 ? kEdges[random() % kEdges.size()] : 1 + random() % kMostNotes;
}

}  // namespace rondo::gpu::hostile_melodies
