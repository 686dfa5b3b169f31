// The writer of MusicXML 4.0: one part for each voice. See docs/formats/musicxml.md.

#include <algorithm>

#include "formats/musicxml/header.h"
#include "formats/musicxml/writer_part.h"
#include "formats/read_again.h"
#include "formats/readers.h"

namespace rondo {
namespace musicxml {
namespace {

/// XML allows no control characters except tab and line feed. White space is significant.
pugi::xml_node add_text(pugi::xml_node parent, const char* name, std::string_view text) {
  pugi::xml_node node = parent.append_child(name);
  std::string value(text);
  std::replace_if(
      value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; },
      ' ');
  node.text().set(value.c_str());
  return node;
}

void add_field(pugi::xml_node& fields, pugi::xml_node identification, const std::string& name,
               const std::string& value) {
  if (value.empty() || name.empty()) return;
  if (!fields) fields = identification.append_child("miscellaneous");
  add_text(fields, "miscellaneous-field", value).append_attribute("name").set_value(name.c_str());
}

void write_header(pugi::xml_node score, const Piece& piece) {
  const Metadata& about = piece.metadata;
  if (!about.title.empty() || !about.catalogue.empty()) {
    pugi::xml_node work = score.append_child("work");
    if (!about.catalogue.empty()) add_text(work, "work-number", about.catalogue.front());
    if (!about.title.empty()) add_text(work, "work-title", about.title);
  }
  pugi::xml_node identification = score.append_child("identification");
  if (!about.composer.empty()) {
    add_text(identification, "creator", about.composer).append_attribute("type").set_value("composer");
  }
  add_text(identification.append_child("encoding"), "software", "Rondo");
  if (!about.source.empty()) add_text(identification, "source", about.source);
  pugi::xml_node fields;
  add_field(fields, identification, kIdField, piece.id);
  for (const MiscellaneousPlace& place : kMiscellaneousPlaces) {
    add_field(fields, identification, place.field, about.*place.member);
  }
  for (std::size_t i = 1; i < about.catalogue.size(); ++i) {
    add_field(fields, identification, kCatalogueField, about.catalogue[i]);
  }
  for (const auto& [name, value] : about.fields) add_field(fields, identification, name, value);
}

/// The beginnings of the measures, followed by the end of the music: all bars of all voices.
std::vector<Fraction> bars_of(const Piece& piece) {
  Fraction end;
  std::vector<Fraction> bars = {Fraction(0)};
  for (const Voice& voice : piece.voices) {
    end = std::max(end, voice.length);
    bars.insert(bars.end(), voice.bars.begin(), voice.bars.end());
  }
  std::sort(bars.begin(), bars.end());
  bars.erase(std::unique(bars.begin(), bars.end()), bars.end());
  while (bars.size() > 1 && bars.back() >= end) bars.pop_back();
  bars.push_back(end);
  return bars;
}

bool has_untimed_note(const Voice& voice) {
  return std::any_of(voice.notes.begin(), voice.notes.end(),
                     [](const Note& note) { return !note.grace && note.duration.is_zero(); });
}

/// Checks the round trip: voices with overlapping notes, and unisons with ties, may not survive it.
bool reads_as(const std::string& text, const Piece& piece) {
  const std::optional<Piece> again = read_again(read_musicxml, text);
  if (!again) return false;
  const std::vector<Voice>& voices = again->voices;
  const auto same_note = [](const Note& a, const Note& b) {
    return a.onset == b.onset && a.duration == b.duration && a.pitch == b.pitch && a.grace == b.grace;
  };
  return std::equal(voices.begin(), voices.end(), piece.voices.begin(), piece.voices.end(),
                    [&](const Voice& a, const Voice& b) {
                      return std::equal(a.notes.begin(), a.notes.end(), b.notes.begin(), b.notes.end(), same_note);
                    });
}

struct StringWriter final : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

}  // namespace
}  // namespace musicxml

Result<std::string> write_musicxml(const Piece& piece) {
  const auto cannot = [&](const char* message, const char* hint) {
    return fail("cannot-write", message, Place{{}, piece.id, {}, 0, 0}, hint);
  };
  if (piece.voices.empty()) return cannot("a piece without voices has no score", "write it as json");
  if (std::any_of(piece.voices.begin(), piece.voices.end(), musicxml::has_untimed_note)) {
    return cannot("a note of no duration cannot be written in MusicXML", "write it as midi or json");
  }
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  document.append_child(pugi::node_doctype)
      .set_value(
          "score-partwise PUBLIC \"-//Recordare//DTD MusicXML 4.0 Partwise//EN\" "
          "\"http://www.musicxml.org/dtds/partwise.dtd\"");
  pugi::xml_node score = document.append_child("score-partwise");
  score.append_attribute("version").set_value("4.0");
  musicxml::write_header(score, piece);
  pugi::xml_node list = score.append_child("part-list");
  const std::vector<Fraction> bars = musicxml::bars_of(piece);
  for (std::size_t i = 0; i < piece.voices.size(); ++i) {
    const std::string id = "P" + std::to_string(i + 1);
    pugi::xml_node entry = list.append_child("score-part");
    entry.append_attribute("id").set_value(id.c_str());
    musicxml::add_text(entry, "part-name", piece.voices[i].name);
    pugi::xml_node part = score.append_child("part");
    part.append_attribute("id").set_value(id.c_str());
    if (!musicxml::PartWriter(piece.voices[i], bars).write(part)) return cannot(kNotNotatable, kNotNotatableHint);
  }
  musicxml::StringWriter out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  if (!musicxml::reads_as(out.text, piece)) {
    return cannot("notes of one voice overlap other than as chords", "MEI, kern and JSON lines can hold them");
  }
  return std::move(out.text);
}

}  // namespace rondo
