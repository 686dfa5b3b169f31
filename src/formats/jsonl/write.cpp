#include <fmt/format.h>

#include <algorithm>

#include "formats/jsonl/values.h"
#include "formats/readers.h"

namespace rondo {
namespace {

using jsonl::to_json;

/// Writes an object key by key; omits empty values.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }

  /// Begins a member; the value is appended by the caller.
  std::string& member(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += key;
    out_ += "\":";
    return out_;
  }
  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) member(key) += to_json(value);
  }
  template <typename Items, typename Write>
  void list(std::string_view key, const Items& items, Write write) {
    member(key) += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      out_ += write(item);
    }
    out_ += ']';
  }
  /// A single value at the beginning is written alone; else a list of [onset, value].
  template <typename T>
  void changes(std::string_view key, const std::vector<Change<T>>& items) {
    if (items.empty()) return;
    if (items.size() == 1 && items.front().onset.is_zero()) {
      member(key) += to_json(items.front().value);
      return;
    }
    list(key, items, [](const Change<T>& c) { return fmt::format("[{},{}]", to_json(c.onset), to_json(c.value)); });
  }
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

std::string note_json(const Note& note) {
  return fmt::format("[{},{},{}]", to_json(note.onset), to_json(note.duration), note.pitch.midi());
}

/// "F#4", "F#4?" for a guess, null where the reader will guess the same.
std::string spelling_json(const Note& note, const Voice& voice) {
  if (note.spelled || note.grace) return to_json(note.pitch.to_string());
  const bool same = jsonl::guessed_pitch(note.pitch.midi(), voice.key_signatures) == note.pitch;
  return same ? "null" : to_json(note.pitch.to_string() + "?");
}

void write_voice(const Voice& voice, ObjectWriter& object) {
  object.text("voice", voice.name);
  object.changes("clef", voice.clefs);
  object.changes("key_signature", voice.key_signatures);
  object.changes("key", voice.keys);
  object.changes("time", voice.times);
  std::vector<Note> notes;
  std::vector<Note> graces;
  Fraction end;
  for (const Note& note : voice.notes) {
    (note.grace ? graces : notes).push_back(note);
    end = std::max(end, note.end());
  }
  const auto spelling = [&voice](const Note& note) { return spelling_json(note, voice); };
  object.list("notes", notes, note_json);
  const bool tells = std::any_of(notes.begin(), notes.end(), [&](const Note& n) { return spelling(n) != "null"; });
  if (tells) object.list("spelling", notes, spelling);
  if (!graces.empty()) {
    object.list("graces", graces, note_json);
    object.list("grace_spelling", graces, spelling);
  }
  if (voice.length != end) object.member("length") += to_json(voice.length);
  if (!voice.bars.empty()) object.list("bars", voice.bars, [](Fraction onset) { return to_json(onset); });
}

void write_metadata(const Metadata& metadata, ObjectWriter& object) {
  object.text("title", metadata.title);
  object.text("composer", metadata.composer);
  object.text("source", metadata.source);
  object.text("library", metadata.library);
  object.text("shelfmark", metadata.shelfmark);
  if (!metadata.catalogue.empty()) {
    object.list("catalogue", metadata.catalogue, [](const std::string& number) { return to_json(number); });
  }
  object.text("uri", metadata.uri);
  object.text("year", metadata.year);
  if (!metadata.fields.empty()) {
    object.list("fields", metadata.fields, [](const std::pair<std::string, std::string>& field) {
      return fmt::format("[{},{}]", to_json(field.first), to_json(field.second));
    });
  }
}

}  // namespace

Result<std::string> write_jsonl(const Piece& piece) {
  std::string out;
  ObjectWriter object(out);
  object.text("id", piece.id);
  write_metadata(piece.metadata, object);
  if (piece.voices.size() == 1) {
    write_voice(piece.voices.front(), object);
  } else {
    object.list("voices", piece.voices, [](const Voice& voice) {
      std::string text;
      ObjectWriter inner(text);
      write_voice(voice, inner);
      inner.end();
      return text;
    });
  }
  // The source text of a piece from this format would be this line itself.
  if (piece.format != "jsonl") {
    object.text("format", piece.format);
    object.text("source_text", piece.source_text);
  }
  object.end();
  if (out.size() >= jsonl::kLineBytes) {
    return fail("cannot-write",
                "the piece makes a line of " + std::to_string(out.size()) + " bytes, which no reader takes");
  }
  out += '\n';
  return out;
}

}  // namespace rondo
