#include "formats/mei/beams.h"

#include <string_view>
#include <vector>

#include "rondo/melody/fraction.h"

namespace rondo::mei {
namespace {

/// The time an element takes, tuplets with their ratio; 0 for grace notes and whatever is no event.
Fraction time_of(pugi::xml_node node) {
  const std::string_view name = node.name();
  if (name == "tuplet") {
    Fraction sum;
    for (const pugi::xml_node child : node.children()) sum += time_of(child);
    return sum * Fraction(node.attribute("numbase").as_int(1), node.attribute("num").as_int(1));
  }
  if (name != "note" && name != "chord" && name != "rest" && name != "space") return 0;
  if (node.attribute("grace")) return 0;
  const int dur = node.attribute("dur").as_int(0);
  if (dur <= 0) return node.attribute("dur").as_string() == std::string_view("breve") ? Fraction(2) : Fraction(0);
  Fraction time(1, dur);
  Fraction dot = time;
  for (int i = node.attribute("dots").as_int(0); i > 0; --i) {
    dot = dot * Fraction(1, 2);
    time += dot;
  }
  return time;
}

bool can_be_beamed(pugi::xml_node node) {
  const std::string_view name = node.name();
  if (name == "tuplet") {
    for (const pugi::xml_node child : node.children()) {
      if (!can_be_beamed(child)) return false;
    }
    return static_cast<bool>(node.first_child());
  }
  return (name == "note" || name == "chord") && !node.attribute("grace") && node.attribute("dur").as_int(0) >= 8;
}

void beam(pugi::xml_node layer, const std::vector<pugi::xml_node>& group) {
  if (group.empty() || (group.size() == 1 && group.front().name() != std::string_view("tuplet"))) return;
  pugi::xml_node parent = layer.insert_child_before("beam", group.front());
  for (const pugi::xml_node node : group) parent.append_move(node);
}

Fraction beat_of(pugi::xml_node metre) {
  const int count = metre.attribute("count").as_int(4);
  const int unit = metre.attribute("unit").as_int(4);
  return unit >= 8 && count % 3 == 0 ? Fraction(3, unit) : Fraction(1, 4);
}

void beam_layer(pugi::xml_node layer, Fraction beat, Fraction at) {
  std::vector<pugi::xml_node> children(layer.begin(), layer.end());
  std::vector<pugi::xml_node> group;
  std::int64_t group_beat = 0;
  for (const pugi::xml_node node : children) {
    const Fraction beats = at / beat;
    const std::int64_t here = beats.valid() ? beats.num() / beats.den() : 0;
    const bool fits = can_be_beamed(node);
    if (!group.empty() && (!fits || here != group_beat)) {
      beam(layer, group);
      group.clear();
    }
    if (fits) {
      group_beat = group.empty() ? here : group_beat;
      group.push_back(node);
    }
    at += time_of(node);
  }
  beam(layer, group);
}

}  // namespace

void add_beams(pugi::xml_node score) {
  Fraction beat(1, 4);
  Fraction bar(1);
  const auto metre_changes = [&](pugi::xml_node node) {
    const pugi::xml_node metre =
        node.find_node([](pugi::xml_node n) { return n.name() == std::string_view("meterSig"); });
    if (!metre || metre.attribute("unit").as_int(0) <= 0) return;
    beat = beat_of(metre);
    bar = Fraction(metre.attribute("count").as_int(4), metre.attribute("unit").as_int(4));
  };
  metre_changes(score.child("scoreDef"));
  for (const pugi::xml_node part : score.child("section").children()) {
    if (part.name() == std::string_view("scoreDef")) metre_changes(part);
    for (const pugi::xml_node staff : part.children("staff")) {
      for (const pugi::xml_node layer : staff.children("layer")) {
        Fraction length;
        for (const pugi::xml_node node : layer.children()) length += time_of(node);
        // An upbeat ends with its measure: its beats are counted from there.
        const bool upbeat = part.attribute("n").as_int(1) == 0 && length < bar;
        beam_layer(layer, beat, upbeat ? bar - length : Fraction(0));
      }
    }
  }
}

}  // namespace rondo::mei
