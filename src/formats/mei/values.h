#pragma once

#include <optional>
#include <unordered_map>

#include "formats/notated_time.h"
#include "formats/transposition.h"
#include "formats/xml_util.h"

/// MEI's attribute values and small elements as the model's values.
namespace rondo::mei {

/// Elements by xml:id. References are written "#id".
class Ids {
 public:
  explicit Ids(pugi::xml_node root);
  [[nodiscard]] pugi::xml_node find(std::string_view reference) const;

 private:
  std::unordered_map<std::string_view, pugi::xml_node> by_id_;
};

[[nodiscard]] std::string_view id_of(pugi::xml_node node);
/// "#x" -> "x".
[[nodiscard]] std::string_view target_of(std::string_view reference);
/// True when a list of tokens ("rondo-voice other") has this one.
[[nodiscard]] bool has_token(std::string_view list, std::string_view token);

struct Duration {
  Fraction value;
  bool mensural = false;
};
/// "4", "breve", "semiminima"; nullopt for anything else.
[[nodiscard]] std::optional<Duration> duration_of(std::string_view dur);

struct Accidental {
  int alter = 0;
  bool microtone = false;  ///< was rounded, towards the natural
};
[[nodiscard]] std::optional<Accidental> accidental_of(std::string_view accid);

/// By attributes (`prefix` "clef." on staffDef, "" on clef): shape, line, dis, dis.place.
[[nodiscard]] std::optional<Clef> clef_of(pugi::xml_node node, const std::string& prefix);

struct WrittenKey {
  std::optional<KeySignature> signature;
  std::optional<Key> key;
};
/// By the attributes of scoreDef and staffDef (keysig, key.sig, key.mode, ...) or by a keySig element.
[[nodiscard]] WrittenKey key_of(pugi::xml_node node);

/// By attributes (`prefix` "meter." on scoreDef, "" on meterSig). A meterSig without a count is free time.
[[nodiscard]] std::optional<TimeSignature> time_of(pugi::xml_node node, const std::string& prefix);
/// A meterSigGrp: the sum of its members.
[[nodiscard]] std::optional<TimeSignature> time_of_group(pugi::xml_node group);

/// The ratio of sounding to written length: numbase/num, with the usual numbase if none is given (a tuplet without
/// numbers is a triplet).
[[nodiscard]] Fraction tuplet_ratio(pugi::xml_node node);

/// Visits the elements below `node` in the edited text: of alternatives (app, choice, subst) the preferred one, through
/// markup such as corr and supplied, without deletions. Recursion depth is that of the markup.
template <typename Visit>
void each_child(pugi::xml_node node, Visit&& visit);

enum class Markup : std::uint8_t { none, transparent, alternatives, deleted };
[[nodiscard]] Markup markup_of(std::string_view name);
[[nodiscard]] pugi::xml_node preferred(pugi::xml_node alternatives);

template <typename Visit>
void each_child(pugi::xml_node node, Visit&& visit) {
  for (pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    switch (markup_of(xml::name_of(child))) {
      case Markup::none: visit(child); break;
      case Markup::transparent: each_child(child, visit); break;
      case Markup::alternatives: each_child(preferred(child), visit); break;
      case Markup::deleted: break;
    }
  }
}

}  // namespace rondo::mei
