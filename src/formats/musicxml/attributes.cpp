#include "formats/musicxml/attributes.h"

#include <algorithm>

#include "formats/notated_time.h"

namespace rondo::musicxml {
namespace {

struct ClefRow {
  std::string_view sign;
  char shape;
  int line;  ///< where none is given
};

constexpr ClefRow kClefs[] = {{"G", 'G', 2}, {"F", 'F', 4}, {"C", 'C', 3}, {"percussion", 'P', 3}, {"TAB", 'T', 5}};

MeterSign sign_of(std::string_view symbol) {
  if (symbol == "common") return MeterSign::common;
  if (symbol == "cut") return MeterSign::cut;
  if (symbol == "single-number") return MeterSign::single_number;
  return MeterSign::numbers;
}

}  // namespace

int alteration(pugi::xml_node alter, xml::Remarks& remarks) {
  if (!alter) return 0;
  const auto value = xml::number(alter.child_value());
  if (!value || *value > Fraction(12) || *value < Fraction(-12)) {
    remarks.add("musicxml-bad-alter", alter, "an alteration that is not a number is ignored");
    return 0;
  }
  if (value->den() == 1) return static_cast<int>(value->num());
  remarks.add("musicxml-microtone", alter, "an alteration by part of a semitone is rounded towards the natural",
              "Rondo compares semitones; quarter tones cannot be searched for");
  // The nearest semitone; halfway between two, the one nearer to the natural.
  const bool down = *value < Fraction(0);
  const Fraction size = down ? -*value : *value;
  const std::int64_t below = size.num() / size.den();
  const std::int64_t rounded = size - Fraction(below) > Fraction(1, 2) ? below + 1 : below;
  return static_cast<int>(down ? -rounded : rounded);
}

std::optional<Clef> clef_of(pugi::xml_node clef) {
  const std::string_view sign = xml::trimmed(clef.child_value("sign"));
  for (const ClefRow& row : kClefs) {
    if (row.sign != sign) continue;
    Clef value;
    value.shape = row.shape;
    value.line = static_cast<std::int8_t>(xml::integer(clef.child_value("line"), 1, 6).value_or(row.line));
    const int octave = xml::integer(clef.child_value("clef-octave-change"), -9, 9).value_or(0);
    if (value.shape == 'G' && octave < 0) value.shape = 'g';
    return value;
  }
  return std::nullopt;
}

WrittenKey key_of(pugi::xml_node key, xml::Remarks& remarks) {
  WrittenKey written;
  if (!key.child("key-step")) {
    const int fifths = xml::integer(key.child_value("fifths"), -14, 14).value_or(0);
    written.signature = signature_of_fifths(fifths);
    if (const auto mode = mode_of_name(xml::trimmed(key.child_value("mode")))) {
      written.key = key_of_fifths(fifths, *mode);
    }
    return written;
  }
  for (pugi::xml_node step : key.children("key-step")) {
    const std::string_view letter = xml::trimmed(step.child_value());
    const int index = letter.size() == 1 ? step_of_letter(letter.front()) : -1;
    pugi::xml_node alter = step.next_sibling();
    if (index < 0 || xml::name_of(alter) != "key-alter") continue;
    written.signature.alter[static_cast<std::size_t>(index)] =
        static_cast<std::int8_t>(std::clamp(alteration(alter, remarks), -2, 2));
  }
  return written;
}

std::optional<TimeSignature> time_of(pugi::xml_node time, xml::Remarks& remarks) {
  if (time.child("senza-misura")) return TimeSignature{0, 4, {}};
  std::vector<NotatedMeter> meters;
  for (pugi::xml_node beats : time.children("beats")) {
    const pugi::xml_node type = beats.next_sibling("beat-type");
    meters.push_back(
        {std::string(xml::trimmed(beats.child_value())), xml::integer(type.child_value(), 1, 1024).value_or(0)});
  }
  auto value = notated_time(meters, sign_of(xml::attribute(time, "symbol")));
  if (!value) remarks.add("musicxml-bad-time", time, "a time signature that cannot be read is left out");
  return value;
}

Transposition transposition_of(pugi::xml_node transpose) {
  const auto semitones = xml::number(transpose.child_value("chromatic"));
  const int octaves = xml::integer(transpose.child_value("octave-change"), -9, 9).value_or(0);
  int chromatic = 0;
  if (semitones && *semitones <= Fraction(60) && *semitones >= Fraction(-60)) {
    chromatic = static_cast<int>(semitones->num() / semitones->den());
  }
  const auto steps = xml::integer(transpose.child_value("diatonic"), -60, 60);
  Transposition value = Transposition::stated(chromatic, steps);
  value.steps += 7 * octaves;
  value.semitones += 12 * octaves;
  return value;
}

}  // namespace rondo::musicxml
