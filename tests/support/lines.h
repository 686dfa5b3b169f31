#pragma once

#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "rondo/melody/builder.h"
#include "rondo/similarity/system.h"

/// "C4 1/4 D4 1/8 r 1/8 E4 1/4": pitches with durations one after the other; r is a rest.
inline rondo::Voice voice_of(const std::string& text) {
  std::istringstream in(text);
  rondo::VoiceBuilder builder;
  rondo::Fraction at;
  for (std::string name, length; in >> name >> length;) {
    const rondo::Fraction duration = rondo::Fraction::parse(length).value();
    if (name != "r") builder.note(at, duration, rondo::Pitch::parse(name).value());
    at += duration;
    builder.lasts_until(at);
  }
  return builder.finish().value();
}

inline rondo::Line line_of(const std::string& text) { return make_line(voice_of(text)); }

/// Quarter notes of these pitches: "C4 D4 E4".
inline rondo::Line quarters(const std::string& names) {
  std::istringstream in(names);
  std::string text;
  for (std::string name; in >> name;) text += name + " 1/4 ";
  return line_of(text);
}

/// A melody of `notes` notes in small steps with plain durations and some rests.
inline rondo::Line random_line(std::mt19937& random, std::size_t notes) {
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  rondo::VoiceBuilder builder;
  rondo::Fraction at;
  int midi = 60 + below(12);
  for (std::size_t i = 0; i < notes; ++i) {
    if (below(8) == 0) at += rondo::Fraction(1, 8);
    const rondo::Fraction duration(1 + below(3), 1 << (2 + below(2)));
    builder.note(at, duration, rondo::Pitch::from_midi(midi));
    at += duration;
    midi = std::clamp(midi + below(9) - 4, 48, 84);
  }
  return make_line(builder.finish().value());
}

inline std::unique_ptr<rondo::System> system_named(std::string_view name) {
  const rondo::SystemRow* row = rondo::find_system(name);
  return row->make(rondo::Parameters(row->parameters));
}

/// The score of a pair under a system with standard parameters that knows no collection.
inline rondo::Score score_of(std::string_view system, const rondo::Line& query, const rondo::Line& document) {
  const auto made = system_named(system);
  return made->prepare(query)->score(document);
}
