// Ties and tuplets given as control events that refer to notes by id.
#include "formats/mei/score_reader.h"

namespace rondo::mei {
namespace {

/// "staff/layer" of a node: a tuplet across two layers is not supported.
std::string layer_around(pugi::xml_node node) {
  std::string_view layer;
  for (; node; node = node.parent()) {
    if (xml::name_of(node) == "layer") layer = xml::attribute(node, "n");
    if (xml::name_of(node) == "staff") {
      return std::string(xml::attribute(node, "n")).append(1, '/').append(layer.empty() ? "1" : layer);
    }
  }
  return {};
}

bool has_key_signature(pugi::xml_node score) {
  for (pugi::xml_node node = score; node; node = xml::next_element(node, score)) {
    const std::string_view name = xml::name_of(node);
    if (name != "scoreDef" && name != "staffDef" && name != "keySig") continue;
    const auto signature = key_of(node).signature;
    if (signature && *signature != KeySignature{}) return true;
  }
  return false;
}

}  // namespace

void ScoreReader::read_tie(pugi::xml_node tie) {
  const std::string_view end = target_of(xml::attribute(tie, "endid"));
  const std::string_view start = target_of(xml::attribute(tie, "startid"));
  if (!end.empty()) {
    context_.tie_ends.insert(end);
  } else if (!start.empty()) {
    context_.open_ties.insert(start);
  } else {
    context_.remarks.add("mei-tie-unbound", tie, "a tie that names no note is left out");
  }
}

void ScoreReader::read_tuplet_span(pugi::xml_node span) {
  const pugi::xml_node start = context_.ids.find(xml::attribute(span, "startid"));
  const pugi::xml_node end = context_.ids.find(xml::attribute(span, "endid"));
  const Fraction ratio = tuplet_ratio(span);
  if (ratio == Fraction(1)) return;
  if (!start || !end || layer_around(start) != layer_around(end)) {
    context_.remarks.add("mei-tuplet-unbound", span, "a tuplet whose first or last note cannot be found is left out");
    return;
  }
  std::vector<TupletSpan>& spans = context_.spans[id_of(start)];
  for (const TupletSpan& known : spans) {
    if (known.end == id_of(end)) return;  // said twice
  }
  spans.push_back({id_of(end), ratio});
}

void ScoreReader::read_side(pugi::xml_node score) {
  bool gestural = false;
  for (pugi::xml_node node = score; node; node = xml::next_element(node, score)) {
    const std::string_view name = xml::name_of(node);
    context_.budget += 2;
    if (name == "tie") read_tie(node);
    if (name == "tupletSpan" || (name == "tuplet" && !node.first_child() && node.attribute("startid"))) {
      read_tuplet_span(node);
    }
    if ((name == "note" || name == "accid") && node.attribute("accid.ges")) gestural = true;
  }
  if (!gestural && has_key_signature(score)) {
    context_.implied_accidentals = true;
    context_.remarks.add("mei-accidentals-implied", score,
                         "no sounding accidentals (accid.ges) are encoded; the key signature and earlier accidentals "
                         "of the measure are applied",
                         "check the pitches where the key signature is meant to be decoration only");
  }
}

}  // namespace rondo::mei
