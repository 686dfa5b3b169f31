#include <algorithm>

#include "base/interrupt.h"
#include "formats/mei/beams.h"
#include "formats/mei/writer_staff.h"
#include "formats/read_again.h"
#include "formats/readers.h"
#include "formats/xml_util.h"

namespace rondo {
namespace mei {
namespace {

constexpr std::size_t kLayers = 64;

/// XML allows no control characters except tab and line feed.
std::string clean(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; },
      ' ');
  return out;
}

pugi::xml_node add(pugi::xml_node parent, const char* name, std::string_view text) {
  pugi::xml_node node = parent.append_child(name);
  const std::string value = clean(text);
  if (xml::squeezed(value) != value) set(node, "xml:space", "preserve");
  node.text().set(value.c_str());
  return node;
}

void write_header(pugi::xml_node mei, const Piece& piece) {
  const Metadata& metadata = piece.metadata;
  pugi::xml_node head = mei.append_child("meiHead");
  pugi::xml_node file = head.append_child("fileDesc");
  pugi::xml_node titles = file.append_child("titleStmt");
  add(titles, "title", metadata.title);
  if (!metadata.composer.empty()) add(titles, "composer", metadata.composer);
  set(add(file.append_child("pubStmt"), "identifier", piece.id), "type", "rondo");
  if (!metadata.source.empty()) add(file.append_child("seriesStmt"), "title", metadata.source);
  if (!metadata.fields.empty()) {
    pugi::xml_node notes = file.append_child("notesStmt");
    for (const auto& [name, value] : metadata.fields) {
      pugi::xml_node annot = add(notes, "annot", value);
      set(annot, "type", "rondo-field");
      set(annot, "label", clean(name));
    }
  }
  pugi::xml_node work = head.append_child("workList").append_child("work");
  for (const std::string& number : metadata.catalogue) add(work, "identifier", number);
  if (!metadata.uri.empty()) set(add(work, "identifier", metadata.uri), "type", "URI");
  add(work, "title", metadata.title);
  if (!metadata.composer.empty()) add(work, "composer", metadata.composer);
  if (!metadata.year.empty()) add(work.append_child("creation"), "date", metadata.year);
  if (metadata.library.empty() && metadata.shelfmark.empty()) return;
  pugi::xml_node place = head.append_child("manifestationList").append_child("manifestation").append_child("physLoc");
  if (!metadata.library.empty()) add(place.append_child("repository"), "identifier", metadata.library);
  if (!metadata.shelfmark.empty()) set(add(place, "identifier", metadata.shelfmark), "type", "shelfmark");
}

/// The beginnings of the measures, followed by the end of the music. A single measure unless all voices have the same
/// bars.
std::vector<Fraction> grid_of(const Piece& piece, Spelling spelling) {
  Fraction end;
  for (const Voice& voice : piece.voices) end = std::max(end, voice.length);
  std::vector<Fraction> grid;
  const bool same = spelling == Spelling::tied &&
                    std::all_of(piece.voices.begin(), piece.voices.end(),
                                [&](const Voice& voice) { return voice.bars == piece.voices.front().bars; });
  if (same) {
    for (const Fraction bar : piece.voices.front().bars) {
      if (bar < end) grid.push_back(bar);
    }
  }
  if (grid.empty() || grid.front() > Fraction(0)) grid.insert(grid.begin(), Fraction(0));
  grid.push_back(end);
  return grid;
}

bool has_untimed(const Voice& voice) {
  return std::any_of(voice.notes.begin(), voice.notes.end(),
                     [](const Note& note) { return !note.grace && note.duration.is_zero(); });
}

class ScoreWriter {
 public:
  ScoreWriter(const Piece& piece, Spelling spelling, bool with_ids = false)
      : piece_(piece), grid_(grid_of(piece, spelling)), with_ids_(with_ids) {}

  Result<void> write(pugi::xml_node score, Spelling spelling) {
    for (const Voice& voice : piece_.voices) {
      std::vector<Layer> layers = layers_of(voice, kLayers);
      if (layers.empty()) {
        return fail("cannot-write", "more than " + std::to_string(kLayers) + " notes of one voice overlap");
      }
      staves_.emplace_back(voice, std::move(layers), spelling, with_ids_);
    }
    write_definitions(score);
    pugi::xml_node section = score.append_child("section");
    // A few long voices and many short ones give far more measures than notes.
    constexpr std::size_t kStaff = 100;  // bytes of a measure of one staff, at least
    for (std::size_t i = 0; i + 1 < grid_.size(); ++i) {
      if (interrupted_after(staves_.size() * kStaff)) return {};
      if (!write_measure(section, i)) return fail("cannot-write", kNotNotatable, {}, kNotNotatableHint);
    }
    return {};
  }

 private:
  void write_definitions(pugi::xml_node score) {
    pugi::xml_node group = score.append_child("scoreDef").append_child("staffGrp");
    for (std::size_t i = 0; i < staves_.size(); ++i) {
      pugi::xml_node def = group.append_child("staffDef");
      set(def, "n", std::to_string(i + 1));
      set(def, "lines", "5");
      if (has_untimed(piece_.voices[i])) set(def, "ppq", "960");
      if (!piece_.voices[i].name.empty()) add(def, "label", piece_.voices[i].name);
      staves_[i].write_changes(def, 0);
    }
  }

  bool write_measure(pugi::xml_node section, std::size_t index) {
    StaffWriter::Span span{grid_[index], grid_[index + 1], index + 2 == grid_.size(), false};
    if (index > 0) write_changes(section, span.begin);
    const TimeSignature* time = in_force(piece_.voices.front().times, span.begin);
    if (time != nullptr && time->beats != 0) bar_ = time->bar();
    span.metre_fits = bar_ == span.end - span.begin;
    pugi::xml_node measure = section.append_child("measure");
    const bool upbeat = index == 0 && grid_.size() > 2 && span.end - span.begin < bar_;
    if (upbeat) number_ = 0;
    set(measure, "n", std::to_string(number_++));
    if (!span.metre_fits) set(measure, "metcon", "false");
    if (span.last) set(measure, "right", "end");
    for (std::size_t i = 0; i < staves_.size(); ++i) {
      pugi::xml_node staff = measure.append_child("staff");
      set(staff, "n", std::to_string(i + 1));
      if (!staves_[i].write_measure(staff, span)) return false;
    }
    return true;
  }

  void write_changes(pugi::xml_node section, Fraction at) {
    pugi::xml_node score_def = section.append_child("scoreDef");
    pugi::xml_node group = score_def.append_child("staffGrp");
    for (std::size_t i = 0; i < staves_.size(); ++i) {
      pugi::xml_node def = group.append_child("staffDef");
      set(def, "n", std::to_string(i + 1));
      if (!staves_[i].write_changes(def, at)) group.remove_child(def);
    }
    if (!group.first_child()) section.remove_child(score_def);
  }

  const Piece& piece_;
  std::vector<Fraction> grid_;
  std::vector<StaffWriter> staves_;
  bool with_ids_;
  Fraction bar_ = 1;  ///< as the reader counts a measure's rest
  int number_ = 1;
};

pugi::xml_node begin(pugi::xml_document& document) {
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node mei = document.append_child("mei");
  set(mei, "xmlns", "http://www.music-encoding.org/ns/mei");
  set(mei, "meiversion", "5.0");
  return mei;
}

std::string text_of(const pugi::xml_document& document, unsigned format) {
  struct Writer final : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
  } writer;
  document.save(writer, "  ", format, pugi::encoding_utf8);
  return std::move(writer.text);
}

Result<std::string> written(const Piece& piece, Spelling spelling) {
  pugi::xml_document document;
  pugi::xml_node mei = begin(document);
  write_header(mei, piece);
  pugi::xml_node body = mei.append_child("music").append_child("body");
  if (!piece.voices.empty()) {
    pugi::xml_node score = body.append_child("mdiv").append_child("score");
    if (auto done = ScoreWriter(piece, spelling).write(score, spelling); !done) return fail(std::move(done.error()));
  }
  return text_of(document, pugi::format_default);
}

/// The clef with fewer ledger lines, for a voice that has none written.
Clef fitting_clef(const Voice& voice) {
  std::int64_t sum = 0;
  for (const Note& note : voice.notes) sum += note.pitch.midi() - 60;
  return sum < 0 ? Clef{'F', 4, Clef::Kind::modern} : Clef{'G', 2, Clef::Kind::modern};
}

bool reads_as(const std::string& text, const Piece& piece) {
  const std::optional<Piece> again = read_again(read_mei, text);
  if (!again) return false;
  const std::vector<Voice>& voices = again->voices;
  return std::equal(voices.begin(), voices.end(), piece.voices.begin(), piece.voices.end(),
                    [](const Voice& a, const Voice& b) { return a.notes == b.notes; });
}

}  // namespace
}  // namespace mei

/// A tie only says that a pitch continues. If several notes of one pitch overlap in a voice, this is ambiguous; so the
/// output is read again, and if it differs, each note is written as a single value.
Result<std::string> write_mei(const Piece& piece) {
  for (const mei::Spelling spelling : {mei::Spelling::tied, mei::Spelling::single}) {
    auto text = mei::written(piece, spelling);
    if (!text) {
      text.error().place.record = piece.id;
      return text;
    }
    if (mei::reads_as(*text, piece)) return text;
  }
  return fail("cannot-write", "MEI cannot hold this piece exactly", Place{{}, piece.id, {}, 0, 0},
              "JSON lines can hold any piece");
}

Result<std::string> write_engraving(const Voice& voice) {
  Piece piece;
  piece.voices.push_back(voice);
  piece.voices.front().name.clear();
  if (voice.clefs.empty()) piece.voices.front().clefs.push_back({0, mei::fitting_clef(voice)});
  pugi::xml_document document;
  pugi::xml_node mei = mei::begin(document);
  mei.append_child("meiHead").append_child("fileDesc").append_child("titleStmt").append_child("title");
  pugi::xml_node score = mei.append_child("music").append_child("body").append_child("mdiv").append_child("score");
  auto done = mei::ScoreWriter(piece, mei::Spelling::tied, true).write(score, mei::Spelling::tied);
  if (!done) return fail(std::move(done.error()));
  mei::add_beams(score);
  return mei::text_of(document, pugi::format_raw);
}

}  // namespace rondo
