#include "formats/mei/header.h"

#include "formats/mei/values.h"

namespace rondo::mei {
namespace {

/// A title without the parts that qualify it ("an electronic transcription").
std::string main_title(pugi::xml_node title) {
  if (title.attribute("xml:space")) return xml::text_of(title);
  std::string text;
  for (pugi::xml_node child : title.children()) {
    if (xml::name_of(child) == "titlePart" && xml::attribute(child, "type") != "main") continue;
    text += child.type() == pugi::node_element ? xml::text_of(child) : std::string(child.value());
    text += ' ';
  }
  text = xml::squeezed(text);
  return text.empty() ? xml::text_of(title) : text;
}

std::string first_title(pugi::xml_node parent) {
  for (pugi::xml_node title : parent.children("title")) {
    if (auto text = main_title(title); !text.empty()) return text;
  }
  return {};
}

void append(std::string& list, const std::string& item) {
  if (item.empty()) return;
  if (!list.empty()) list += "; ";
  list += item;
}

/// MEI 3 and 4 name people in respStmt with a role; 5 prefers elements named after it.
std::string composer_in(pugi::xml_node statement) {
  std::string composer;
  for (pugi::xml_node found : statement.children("composer")) append(composer, xml::text_of(found));
  if (!composer.empty()) return composer;
  for (pugi::xml_node resp : statement.children("respStmt")) {
    for (pugi::xml_node person : resp.children()) {
      const std::string_view role = xml::attribute(person, "role");
      if (role == "composer" || role == "cmp") append(composer, xml::text_of(person));
    }
  }
  return composer;
}

void add_roles(pugi::xml_node statement, Metadata& metadata) {
  for (const char* role : {"arranger", "lyricist", "librettist", "editor"}) {
    for (pugi::xml_node person : statement.children(role)) {
      if (auto name = xml::text_of(person); !name.empty()) metadata.fields.emplace_back(role, std::move(name));
    }
  }
}

/// Addresses are no catalogue numbers.
void add_catalogue(pugi::xml_node parent, Metadata& metadata) {
  for (pugi::xml_node identifier : parent.children("identifier")) {
    const std::string_view type = xml::attribute(identifier, "type");
    std::string text = xml::text_of(identifier);
    if (text.empty()) continue;
    if (type == "URI" || text.starts_with("http")) {
      if (metadata.uri.empty()) metadata.uri = std::move(text);
      continue;
    }
    std::string label = xml::squeezed(xml::attribute(identifier, "label"));
    const bool said = label.empty() || text.starts_with(label);
    metadata.catalogue.push_back(said ? std::move(text) : label.append(" ").append(text));
  }
}

std::string year_of(pugi::xml_node creation) {
  const pugi::xml_node date = creation.child("date");
  if (auto text = xml::text_of(date); !text.empty()) return text;
  for (const char* name : {"isodate", "startdate", "notbefore"}) {
    if (auto text = xml::squeezed(xml::attribute(date, name)); !text.empty()) return text;
  }
  return {};
}

/// Where the source is kept.
void add_location(pugi::xml_node head, Metadata& metadata) {
  for (pugi::xml_node node = head; node; node = xml::next_element(node, head)) {
    if (xml::name_of(node) != "physLoc") continue;
    const pugi::xml_node repository = node.child("repository");
    metadata.library = xml::text_of(repository.child("identifier"));
    if (metadata.library.empty()) metadata.library = xml::text_of(repository);
    metadata.shelfmark = xml::text_of(node.child("identifier"));
    return;
  }
}

}  // namespace

Header header_of(pugi::xml_node mei_head) {
  Header header;
  Metadata& metadata = header.metadata;
  const pugi::xml_node file = mei_head.child("fileDesc");
  const pugi::xml_node statement = file.child("titleStmt");
  // MEI 3 says workDesc where later versions say workList.
  pugi::xml_node work = mei_head.child("workList").child("work");
  if (!work) work = mei_head.child("workDesc").child("work");
  metadata.title = first_title(statement);
  if (metadata.title.empty()) metadata.title = first_title(work);
  if (metadata.title.empty()) metadata.title = first_title(work.child("titleStmt"));
  for (pugi::xml_node place : {statement, work, work.child("titleStmt")}) {
    if (metadata.composer.empty()) metadata.composer = composer_in(place);
  }
  add_roles(statement, metadata);
  add_catalogue(work, metadata);
  metadata.year = year_of(work.child("creation"));
  if (metadata.year.empty()) metadata.year = year_of(work.child("history").child("creation"));
  metadata.source = first_title(file.child("seriesStmt"));
  add_location(mei_head, metadata);
  for (pugi::xml_node identifier : file.child("pubStmt").children("identifier")) {
    if (xml::attribute(identifier, "type") == "rondo") header.id = xml::text_of(identifier);
  }
  for (pugi::xml_node annot : file.child("notesStmt").children("annot")) {
    if (xml::attribute(annot, "type") != "rondo-field") continue;
    metadata.fields.emplace_back(std::string(xml::attribute(annot, "label")), xml::text_of(annot));
  }
  return header;
}

}  // namespace rondo::mei
