#include "formats/musicxml/header.h"

#include "base/utf8.h"

namespace rondo::musicxml {
namespace {

/// Trimmed text; several lines are joined into one.
std::string plain_text(pugi::xml_node node) {
  const std::string_view text = xml::trimmed(node.child_value());
  const bool one_line = text.find_first_of("\n\r\t") == std::string_view::npos;
  const bool alone = node.first_child() == node.last_child();
  return one_line && alone && is_utf8(text) ? std::string(text) : xml::text_of(node);
}

void append(std::string& list, const std::string& item) {
  if (item.empty()) return;
  if (!list.empty()) list += "; ";
  list += item;
}

/// Some programs store the title only as text on the page: the credit of type title, else the first.
std::string credited_title(pugi::xml_node score) {
  std::string first;
  for (pugi::xml_node credit : score.children("credit")) {
    std::string words = xml::text_of(credit.child("credit-words"));
    if (words.empty()) continue;
    for (pugi::xml_node type : credit.children("credit-type")) {
      if (xml::trimmed(type.child_value()) == "title") return words;
    }
    if (first.empty()) first = words;
  }
  return first;
}

void put_miscellaneous(Metadata& metadata, std::string_view name, std::string text) {
  for (const MiscellaneousPlace& place : kMiscellaneousPlaces) {
    if (name != place.field) continue;
    metadata.*place.member = std::move(text);
    return;
  }
  if (name == kCatalogueField) {
    metadata.catalogue.push_back(std::move(text));
  } else {
    metadata.fields.emplace_back(std::string(name), std::move(text));
  }
}

void read_identification(pugi::xml_node identification, Metadata& metadata) {
  for (pugi::xml_node creator : identification.children("creator")) {
    const std::string name = plain_text(creator);
    const std::string_view type = xml::attribute(creator, "type");
    if (type == "composer") {
      append(metadata.composer, name);
    } else if (!name.empty()) {
      metadata.fields.emplace_back(type.empty() ? "creator" : std::string(type), name);
    }
  }
  for (pugi::xml_node rights : identification.children("rights")) {
    if (auto text = plain_text(rights); !text.empty()) metadata.fields.emplace_back("rights", std::move(text));
  }
  metadata.source = plain_text(identification.child("source"));
  for (pugi::xml_node field : identification.child("miscellaneous").children("miscellaneous-field")) {
    const std::string_view name = xml::attribute(field, "name");
    if (auto text = plain_text(field); !text.empty() && !name.empty() && name != kIdField) {
      put_miscellaneous(metadata, name, std::move(text));
    }
  }
}

}  // namespace

Metadata metadata_of(pugi::xml_node score) {
  Metadata metadata;
  const pugi::xml_node work = score.child("work");
  metadata.title = plain_text(work.child("work-title"));
  const std::string movement = plain_text(score.child("movement-title"));
  if (auto number = plain_text(work.child("work-number")); !number.empty()) {
    metadata.catalogue.push_back(std::move(number));
  }
  if (metadata.title.empty()) {
    metadata.title = movement;
  } else if (!movement.empty() && movement != metadata.title) {
    metadata.fields.emplace_back("movement", movement);
  }
  if (metadata.title.empty()) metadata.title = credited_title(score);
  read_identification(score.child("identification"), metadata);
  return metadata;
}

std::string written_id(pugi::xml_node score) {
  for (pugi::xml_node field : score.child("identification").child("miscellaneous").children("miscellaneous-field")) {
    if (xml::attribute(field, "name") == kIdField) return plain_text(field);
  }
  return {};
}

std::string part_name(pugi::xml_node score_part) {
  for (pugi::xml_node candidate : {score_part.child("part-name"), score_part.child("part-name-display"),
                                   score_part.child("score-instrument").child("instrument-name")}) {
    if (auto name = plain_text(candidate); !name.empty()) return name;
  }
  return {};
}

}  // namespace rondo::musicxml
