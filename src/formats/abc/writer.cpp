#include <algorithm>

#include "formats/abc/metadata.h"
#include "formats/abc/text.h"
#include "formats/abc/voice_writer.h"
#include "formats/readers.h"

namespace rondo {
namespace {

bool has_timeless_note(const Voice& voice) {
  return std::any_of(voice.notes.begin(), voice.notes.end(),
                     [](const Note& note) { return !note.grace && note.duration.is_zero(); });
}

/// V: with the name, which may be empty, and the clef.
std::string voice_line(const Voice& voice, std::size_t number) {
  std::string name = abc::encode(voice.name);
  std::replace(name.begin(), name.end(), '"', '\'');
  std::string line = "V:" + std::to_string(number);
  line += " name=\"" + name + "\"";
  const abc::Signs signs = abc::first_signs(voice);
  const std::string clef = signs.clef ? abc::clef_text(*signs.clef) : std::string{};
  if (!clef.empty()) line += " clef=" + clef;
  return line + "\n";
}

}  // namespace

namespace {

/// Several layers in one voice are written as overlays with ties, where unisons may join the wrong partner. So the
/// output is read back, and rejected if it differs.
bool reads_back(const Piece& piece, const std::string& text) {
  if (std::all_of(piece.voices.begin(), piece.voices.end(), is_monophonic)) return true;
  CollectingSink sink;
  MemorySource source(text);
  ReadOptions options;
  options.file = "written";
  options.keep_source = false;
  if (!read_abc(source, options, sink) || sink.pieces.size() != 1) return false;
  const auto& back = sink.pieces.front().voices;
  return std::equal(back.begin(), back.end(), piece.voices.begin(), piece.voices.end(),
                    [](const Voice& a, const Voice& b) { return a.notes == b.notes; });
}

}  // namespace

Result<std::string> write_abc(const Piece& piece) {
  if (std::any_of(piece.voices.begin(), piece.voices.end(), has_timeless_note)) {
    return fail("cannot-write", "a note of no duration cannot be written in ABC", {{}, piece.id, {}, 0, 0});
  }
  std::string out = abc::write_headings(piece.metadata);
  if (!piece.id.empty()) out += "%%rondo-id " + abc::encode(piece.id) + "\n";
  const bool by_voice = piece.voices.size() > 1 || (!piece.voices.empty() && !piece.voices.front().name.empty());
  abc::Signs header;
  if (!piece.voices.empty()) header = abc::first_signs(piece.voices.front());
  const Fraction unit = abc::choose_unit(piece.voices);
  if (header.time) out += "M:" + abc::meter_text(*header.time) + "\n";
  out += "L:" + unit.to_string() + "\n";
  for (std::size_t i = 0; by_voice && i < piece.voices.size(); ++i) out += voice_line(piece.voices[i], i + 1);
  abc::KeyFields keys;
  keys.count(!abc::is_named(header));
  std::string music = "K:" + abc::key_text(header);
  const std::string clef = header.clef ? abc::clef_text(*header.clef) : std::string{};
  if (!by_voice && !clef.empty()) music += " clef=" + clef;
  music += "\n";
  for (std::size_t i = 0; i < piece.voices.size(); ++i) {
    abc::Signs announced = header;
    announced.clef = abc::first_signs(piece.voices[i]).clef;
    if (announced.clef && abc::clef_text(*announced.clef).empty()) announced.clef.reset();
    if (by_voice) music += "V:" + std::to_string(i + 1) + "\n";
    auto written = abc::write_music(piece.voices[i], announced, unit, keys);
    if (!written) {
      written.error().place.record = piece.id;
      return written;
    }
    music += *written;
  }
  if (!keys.unnamed().empty()) out.append("%%").append(abc::kUnnamedKeys).append(keys.unnamed()).append(1, '\n');
  out += music;
  if (!reads_back(piece, out)) {
    return fail("cannot-write", "ABC cannot distinguish its layers", {{}, piece.id, {}, 0, 0});
  }
  return out;
}

}  // namespace rondo
