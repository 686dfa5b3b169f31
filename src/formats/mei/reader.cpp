#include <algorithm>
#include <string>

#include "formats/mei/header.h"
#include "formats/mei/score_reader.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace mei {
namespace {

/// The source of a piece, in the order of the file.
struct Record {
  pugi::xml_node node;  ///< mdiv, or incip
  pugi::xml_node head;
  bool incipit = false;
};

bool is_pae(pugi::xml_node code) {
  std::string form(xml::attribute(code, "form"));
  std::transform(form.begin(), form.end(), form.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return form.starts_with("plaine") || form.starts_with("pae") || form == "pec";
}

/// Contours and other codes that are no melody do not count.
bool holds_incipit(pugi::xml_node incip) {
  if (incip.child("score")) return true;
  for (pugi::xml_node code : incip.children("incipCode")) {
    if (is_pae(code)) return true;
  }
  return false;
}

bool holds_notes(pugi::xml_node top) {
  for (pugi::xml_node node = top; node; node = xml::next_element(node, top)) {
    if (xml::name_of(node) == "note" || xml::name_of(node) == "nc") return true;
  }
  return false;
}

bool holds_music(pugi::xml_node mdiv) { return mdiv.child("score") || mdiv.child("parts"); }

/// The incipits of the header, then the movements. If there are incipits, music without notes is only a placeholder; if
/// there is nothing at all, the header itself is the record.
void collect_records(pugi::xml_node mei, pugi::xml_node corpus_head, std::vector<Record>& records) {
  const std::size_t before = records.size();
  const pugi::xml_node own = mei.child("meiHead");
  const pugi::xml_node head = own ? own : corpus_head;
  for (pugi::xml_node node = own; node; node = xml::next_element(node, own)) {
    if (xml::name_of(node) == "incip" && holds_incipit(node)) records.push_back({node, head, true});
  }
  const bool incipits = records.size() > before;
  const pugi::xml_node body = xml::name_of(mei) == "music" ? mei : mei.child("music");
  for (pugi::xml_node node = body; node;) {
    // Movements may be nested, but not music in music; body is used if mdiv is missing.
    const std::string_view name = xml::name_of(node);
    const bool music = (name == "mdiv" || name == "body") && holds_music(node);
    if (music && (!incipits || holds_notes(node))) records.push_back({node, head, false});
    node = xml::next_element(node, body, !music);
  }
  if (records.size() == before) records.push_back({{}, head, false});
}

std::vector<Record> records_of(pugi::xml_node root) {
  std::vector<Record> records;
  if (xml::name_of(root) != "meiCorpus") {
    collect_records(root, {}, records);
    return records;
  }
  const pugi::xml_node head = root.child("meiHead");
  for (pugi::xml_node node = root.first_child(); node; node = xml::next_element(node, root)) {
    if (xml::name_of(node) == "mei") collect_records(node, head, records);
  }
  return records;
}

/// Some catalogues store their incipits percent-encoded: "%25G-2" for "%G-2".
std::string unescaped(const std::string& text) {
  if (!text.starts_with("%25")) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      const char c = at < text.size() ? text[at] : ' ';
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      return -1;
    };
    if (text[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
      out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Reads the records of one document and passes them to the sink.
class Reader {
 public:
  Reader(const xml::Document& document, const ReadOptions& options, PieceSink& sink)
      : document_(document), options_(options), sink_(sink), ids_(document.root()), remarks_(options, document) {}

  void read() {
    const std::vector<Record> records = records_of(document_.root());
    std::size_t movements = 0;
    for (const Record& record : records) movements += record.incipit ? 0 : 1;
    several_movements_ = movements > 1;
    only_ = records.size() == 1;
    for (const Record& record : records) {
      ++number_;
      if (!(record.incipit ? read_incipit(record) : read_movement(record))) return;
    }
  }

 private:
  [[nodiscard]] Piece piece_of(const Record& record) {
    Header header = header_of(record.head);
    Piece piece;
    piece.format = "mei";
    piece.metadata = std::move(header.metadata);
    piece.id = record_id(options_, number_, only_);
    if (!header.id.empty()) piece.id = only_ ? header.id : header.id + "#" + std::to_string(number_);
    if (piece.id.empty()) piece.id = std::to_string(number_);
    return piece;
  }

  bool deliver(Piece&& piece) {
    if (const auto& damage = document_.damage(); damage && !damage_told_) {
      Diagnostic warning = *damage;
      warning.place.record = piece.id;
      sink_.warn(std::move(warning));
      damage_told_ = true;
    }
    remarks_.flush(sink_, piece.id);
    return sink_.piece(std::move(piece));
  }

  bool skip(Error why, const Piece& piece, pugi::xml_node where) {
    remarks_.flush(sink_, piece.id);
    Place place = remarks_.place(where, piece.id);
    why.place = std::move(place);
    return sink_.skip(std::move(why));
  }

  [[nodiscard]] Result<std::vector<Voice>> voices_of(pugi::xml_node holder) {
    if (pugi::xml_node score = holder.child("score")) {
      return ScoreReader(ids_, remarks_).read(score, options_.expand_repeats);
    }
    std::vector<Voice> all;
    Fraction length;
    for (pugi::xml_node part : holder.child("parts").children("part")) {
      auto voices = ScoreReader(ids_, remarks_).read(part, options_.expand_repeats);
      if (!voices) return voices;
      for (Voice& voice : *voices) {
        if (voice.name.empty()) voice.name = xml::squeezed(xml::attribute(part, "label"));
        length = std::max(length, voice.length);
        all.push_back(std::move(voice));
      }
      if (all.size() > limits::kVoicesPerPiece) return fail("too-many-voices", "more voices than a piece may have");
    }
    for (Voice& voice : all) voice.length = length;
    return all;
  }

  bool read_movement(const Record& record) {
    Piece piece = piece_of(record);
    auto voices = voices_of(record.node);
    if (!voices) return skip(std::move(voices.error()), piece, record.node);
    piece.voices = std::move(*voices);
    if (several_movements_) {
      std::string label = xml::squeezed(xml::attribute(record.node, "label"));
      if (label.empty()) label = xml::squeezed(xml::attribute(record.node, "n"));
      if (!label.empty()) piece.metadata.fields.emplace_back("movement", std::move(label));
    }
    if (options_.keep_source) piece.source_text = several_movements_ ? source_of(record.node) : document_.source_text();
    return deliver(std::move(piece));
  }

  /// An incipit in Plaine & Easie, or as a small score. An incipit that is neither (a Parsons code) gives no record.
  bool read_incipit(const Record& record) {
    Piece piece = piece_of(record);
    piece.metadata.fields.emplace_back("incipit", "yes");
    if (auto text = xml::text_of(record.node.child("incipText")); !text.empty()) {
      piece.metadata.fields.emplace_back("text", std::move(text));
    }
    for (pugi::xml_node code : record.node.children("incipCode")) {
      if (is_pae(code) && read_pae_code(code, piece)) return deliver(std::move(piece));
    }
    if (pugi::xml_node score = record.node.child("score")) {
      auto voices = ScoreReader(ids_, remarks_).read(score, options_.expand_repeats);
      if (!voices) return skip(std::move(voices.error()), piece, score);
      piece.voices = std::move(*voices);
      if (options_.keep_source) piece.source_text = source_of(record.node);
      return deliver(std::move(piece));
    }
    return skip({"mei-bad-incipit", "no incipit of this record can be read", {}, {}}, piece, record.node);
  }

  bool read_pae_code(pugi::xml_node code, Piece& piece) {
    const std::string notation = unescaped(xml::text_of(code));
    CollectingSink inner;
    MemorySource source(notation);
    ReadOptions options = options_;
    options.keep_source = false;
    const auto done = read_pae(source, options, inner);
    for (const Diagnostic& warning : inner.warnings) remarks_.add(warning.code, code, warning.message, warning.hint);
    if (!done || inner.pieces.empty() || inner.pieces.front().voices.empty()) {
      remarks_.add("mei-bad-incipit", code, "an incipit in Plaine & Easie code that cannot be read");
      return false;
    }
    piece.voices = std::move(inner.pieces.front().voices);
    if (options_.keep_source) piece.source_text = notation;
    return true;
  }

  [[nodiscard]] static std::string source_of(pugi::xml_node node) {
    struct Writer final : pugi::xml_writer {
      std::string text;
      void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
    } writer;
    node.print(writer, "", pugi::format_raw);
    return std::move(writer.text);
  }

  const xml::Document& document_;
  const ReadOptions& options_;
  PieceSink& sink_;
  Ids ids_;
  xml::Remarks remarks_;
  std::size_t number_ = 0;
  bool only_ = false;
  bool several_movements_ = false;
  bool damage_told_ = false;
};

}  // namespace
}  // namespace mei

int recognise_mei(std::string_view head) {
  const std::string root = xml::root_name(head);
  return root == "mei" || root == "meiCorpus" ? 100 : 0;
}

Result<void> read_mei(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  auto document = xml::load(in, options, "mei");
  if (!document) return fail(std::move(document.error()));
  const pugi::xml_node root = (*document)->root();
  const std::string_view name = xml::name_of(root);
  if (name != "mei" && name != "meiCorpus" && name != "music") {
    return fail("mei-no-music", "the root element is <" + std::string(name) + ">, not MEI",
                Place{options.file, {}, {}, 0, 0}, "MEI files begin with <mei> or <meiCorpus>");
  }
  mei::Reader(**document, options, sink).read();
  return {};
}

}  // namespace rondo
