#include "formats/musescore/chord.h"

#include <array>

#include "formats/transposition.h"

namespace rondo::musescore {
namespace {

struct TypeRow {
  std::string_view name;
  Fraction value;
};
constexpr std::array kTypes = {
    TypeRow{"quarter", {1, 4}},   TypeRow{"eighth", {1, 8}},  TypeRow{"half", {1, 2}},  TypeRow{"16th", {1, 16}},
    TypeRow{"whole", {1, 1}},     TypeRow{"32nd", {1, 32}},   TypeRow{"64th", {1, 64}}, TypeRow{"128th", {1, 128}},
    TypeRow{"breve", {2, 1}},     TypeRow{"256th", {1, 256}}, TypeRow{"long", {4, 1}},  TypeRow{"512th", {1, 512}},
    TypeRow{"1024th", {1, 1024}},
};

struct GraceRow {
  const char* name;
  bool behind;
};
constexpr std::array kGraces = {
    GraceRow{"acciaccatura", false}, GraceRow{"appoggiatura", false}, GraceRow{"grace4", false},
    GraceRow{"grace16", false},      GraceRow{"grace32", false},      GraceRow{"grace8after", true},
    GraceRow{"grace16after", true},  GraceRow{"grace32after", true},
};

bool tie_ends(pugi::xml_node note, std::set<std::string, std::less<>>& open_ties) {
  for (pugi::xml_node spanner : note.children("Spanner")) {
    if (xml::attribute(spanner, "type") == "Tie" && spanner.child("prev")) return true;
  }
  for (pugi::xml_node end : note.children("endSpanner")) {
    const auto open = open_ties.find(xml::attribute(end, "id"));
    if (open == open_ties.end()) continue;
    open_ties.erase(open);
    return true;
  }
  return false;
}

}  // namespace

std::optional<Fraction> fraction_of(pugi::xml_node duration) {
  if (!duration) return std::nullopt;
  if (duration.attribute("n")) {
    const auto count = xml::integer(xml::attribute(duration, "z"), 0, 100'000);
    const auto unit = xml::integer(xml::attribute(duration, "n"), 1, 100'000);
    return count && unit ? std::optional(Fraction(*count, *unit)) : std::nullopt;
  }
  return xml::number(duration.child_value());
}

std::optional<ChordNote> pitch_of(std::optional<int> midi, std::optional<int> fifths) {
  if (!midi) return std::nullopt;
  ChordNote out;
  if (fifths) {
    constexpr std::array<int, 7> kSteps = {3, 0, 4, 1, 5, 2, 6};  // F C G D A E B
    const int place = *fifths + 1;                                // from F double flat
    const int step = kSteps[static_cast<std::size_t>(place % 7)];
    const int alter = place / 7 - 2;
    const Pitch natural{static_cast<std::int8_t>(step), 0, 0};
    const int above = *midi - alter - natural.midi();
    if (above % 12 == 0) {
      if (const auto pitch = make_pitch(step, alter, above / 12)) {
        out.pitch = *pitch;
        return out;
      }
    }
  }
  out.pitch = Pitch::from_midi(*midi);
  out.spelled = false;
  return out;
}

ChordElement chord_of(pugi::xml_node element, std::set<std::string, std::less<>>& open_ties) {
  ChordElement out;
  const std::string_view type = xml::trimmed(element.child_value("durationType"));
  out.whole_measure = type == "measure";
  // A duration beside the type is the sounding one: half of it in a two-note tremolo.
  out.duration = fraction_of(element.child("duration"));
  for (const TypeRow& row : kTypes) {
    if (row.name != type || out.duration) continue;
    out.duration = xml::dotted(row.value, xml::integer(element.child_value("dots"), 0, 4).value_or(0));
  }
  for (const GraceRow& row : kGraces) {
    if (!element.child(row.name)) continue;
    out.grace = true;
    out.behind = row.behind;
  }
  out.tuplet = xml::trimmed(element.child_value("Tuplet"));
  out.voice = xml::integer(element.child_value("track"), 0, 100'000).value_or(0) % 4;
  for (pugi::xml_node note : element.children("Note")) {
    const bool tied = tie_ends(note, open_ties);
    auto read =
        pitch_of(xml::integer(note.child_value("pitch"), 0, 127), xml::integer(note.child_value("tpc"), -1, 33));
    if (!read) {
      out.bad_pitch = true;
      continue;
    }
    read->tied = tied;
    out.notes.push_back(*read);
  }
  for (pugi::xml_node note : element.children("Note")) {
    for (pugi::xml_node tie : note.children("Tie")) open_ties.emplace(xml::attribute(tie, "id"));
  }
  return out;
}

}  // namespace rondo::musescore
