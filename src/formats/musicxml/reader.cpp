#include "formats/musicxml/header.h"
#include "formats/musicxml/part.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace musicxml {
namespace {

struct Part {
  std::string id;
  std::vector<pugi::xml_node> measures;
};

/// A measure without an end tag contains those after it: they are extracted again.
void collect_measures(pugi::xml_node parent, std::vector<pugi::xml_node>& into) {
  for (pugi::xml_node measure : parent.children("measure")) {
    into.push_back(measure);
    collect_measures(measure, into);  // as deep as the file is nested, which has a limit
  }
}

std::vector<Part> partwise(pugi::xml_node score) {
  std::vector<Part> parts;
  for (pugi::xml_node part : score.children("part")) {
    parts.push_back({std::string(xml::attribute(part, "id")), {}});
    collect_measures(part, parts.back().measures);
  }
  return parts;
}

/// The same the other way round: measures that hold parts. A part without a measure gets an empty one.
std::vector<Part> timewise(pugi::xml_node score) {
  std::vector<Part> parts;
  std::map<std::string, std::size_t, std::less<>> known;
  std::size_t number = 0;
  for (pugi::xml_node measure : score.children("measure")) {
    for (pugi::xml_node part : measure.children("part")) {
      const std::string_view id = xml::attribute(part, "id");
      auto found = known.find(id);
      if (found == known.end()) {
        if (parts.size() >= limits::kVoicesPerPiece) continue;
        found = known.emplace(std::string(id), parts.size()).first;
        parts.push_back({std::string(id), {}});
      }
      std::vector<pugi::xml_node>& measures = parts[found->second].measures;
      measures.resize(number);
      measures.push_back(part);
    }
    if (++number > limits::kBarsPerVoice) break;  // exceeds the limit, which the caller reports
  }
  return parts;
}

std::map<std::string, std::string, std::less<>> part_names(pugi::xml_node score, std::vector<std::string>& in_order) {
  std::map<std::string, std::string, std::less<>> names;
  for (pugi::xml_node listed : score.child("part-list").children("score-part")) {
    in_order.push_back(part_name(listed));
    names.emplace(std::string(xml::attribute(listed, "id")), in_order.back());
  }
  return names;
}

Result<std::vector<Voice>> voices_of(pugi::xml_node root, bool expand_repeats, xml::Remarks& remarks) {
  const std::vector<Part> parts = xml::name_of(root) == "score-timewise" ? timewise(root) : partwise(root);
  std::vector<std::string> in_order;
  const auto names = part_names(root, in_order);
  ScoreInMeasures score;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].measures.size() > limits::kBarsPerVoice) {
      return fail("too-many-bars", "more than " + std::to_string(limits::kBarsPerVoice) + " measures");
    }
    const auto found = names.find(parts[i].id);
    // A part without an id is the one at its place in the list.
    const std::string name = found != names.end() ? found->second : i < in_order.size() ? in_order[i] : parts[i].id;
    PartReader(score, remarks).read(parts[i].measures, name);
    if (score.lines.size() > limits::kVoicesPerPiece) break;  // write_out says so
  }
  return write_out(std::move(score), expand_repeats);
}

}  // namespace
}  // namespace musicxml

int recognise_musicxml(std::string_view head) {
  const std::string root = xml::root_name(head);
  return root == "score-partwise" || root == "score-timewise" ? 100 : 0;
}

Result<void> read_musicxml(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  auto document = xml::load(in, options, "musicxml");
  if (!document) return fail(std::move(document.error()));
  const pugi::xml_node root = (*document)->root();
  if (xml::name_of(root) != "score-partwise" && xml::name_of(root) != "score-timewise") {
    return fail("musicxml-no-score", "the root element is <" + std::string(root.name()) + ">, not a MusicXML score",
                Place{options.file, {}, {}, 0, 0}, "MusicXML files begin with <score-partwise> or <score-timewise>");
  }
  Piece piece;
  piece.id = musicxml::written_id(root);
  if (piece.id.empty()) piece.id = record_id(options, 1, true);
  if (piece.id.empty()) piece.id = "1";
  piece.format = "musicxml";
  xml::Remarks remarks(options, **document);
  auto voices = musicxml::voices_of(root, options.expand_repeats, remarks);
  piece.metadata = musicxml::metadata_of(root);
  xml::hand_over(std::move(piece), std::move(voices), **document, remarks, options, sink);
  return {};
}

}  // namespace rondo
