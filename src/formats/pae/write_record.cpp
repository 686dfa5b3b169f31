#include <algorithm>

#include "formats/pae.h"
#include "formats/pae/record.h"
#include "formats/pae/signs.h"
#include "formats/readers.h"

namespace rondo {
namespace {

/// A value has one line: a line break in it becomes a space.
void write_line(std::string& out, std::string_view name, std::string_view value) {
  out += '@';
  out += name;
  out += ':';
  const std::size_t begin = out.size();
  out += value;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  out += '\n';
}

void write_if_any(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) write_line(out, name, value);
}

/// A free field; if its name is not valid after @, the name goes into the value.
void write_free_field(std::string& out, const std::string& name, const std::string& value) {
  const std::string head = "@" + name + ":";
  const auto line = pae::read_field_line(head);
  if (line && line->name == name && !pae::is_reserved_name(name)) {
    write_line(out, name, value);
  } else {
    write_line(out, "field", name + "=" + value);
  }
}

void write_metadata(std::string& out, const Piece& piece) {
  const Metadata& data = piece.metadata;
  write_line(out, "id", piece.id);
  write_if_any(out, "title", data.title);
  write_if_any(out, "composer", data.composer);
  write_if_any(out, "source", data.source);
  write_if_any(out, "library", data.library);
  write_if_any(out, "shelfmark", data.shelfmark);
  for (const std::string& number : data.catalogue) write_if_any(out, "catalogue", number);
  write_if_any(out, "uri", data.uri);
  write_if_any(out, "year", data.year);
  for (const auto& [name, value] : data.fields) write_free_field(out, name, value);
}

bool is_silent(const Voice& voice) { return voice.notes.empty() && voice.bars.empty() && voice.length.is_zero(); }

}  // namespace

Result<std::string> write_pae(const Piece& piece) {
  if (piece.voices.size() > 1) {
    return fail("cannot-write", "a record in Plaine & Easie Code holds one voice and this piece has " +
                                    std::to_string(piece.voices.size()));
  }
  std::string out;
  write_metadata(out, piece);
  if (piece.voices.empty() || is_silent(piece.voices.front())) {
    write_line(out, "clef", {});
    return out;
  }
  const Voice& voice = piece.voices.front();
  // Version 1 is read by all programs; version 2 has one more value.
  PaeVersion version = PaeVersion::v1;
  auto text = to_pae(voice, version);
  if (!text) {
    version = PaeVersion::v2;
    text = to_pae(voice, version);
  }
  if (!text) return fail(std::move(text.error()));
  write_if_any(out, "voice", voice.name);
  write_line(out, "clef", text->clef);
  write_if_any(out, "keysig", text->key_signature);
  write_if_any(out, "timesig", text->time_signature);
  write_if_any(out, "key", text->key);
  if (version == PaeVersion::v2) write_line(out, "version", "pe2");
  write_line(out, "data", text->data);
  return out;
}

}  // namespace rondo
