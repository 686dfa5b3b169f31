#include "formats/musescore/staff.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace musescore {
namespace {

constexpr std::string_view kRoot = "museScore";

Result<std::vector<Voice>> voices_of(pugi::xml_node score, bool expand_repeats, xml::Remarks& remarks) {
  std::vector<StaffInfo> infos = staves_of(score);
  ScoreInMeasures out;
  Labels labels;
  std::size_t index = 0;
  for (pugi::xml_node staff : score.children("Staff")) {
    const StaffInfo info = index < infos.size() ? infos[index] : StaffInfo{};
    ++index;
    if (info.repeats_another) continue;
    StaffReader(out, labels, info, remarks).read(staff);
    if (out.lines.size() > limits::kVoicesPerPiece) break;  // write_out says so
  }
  labels.apply(out.measures);
  return write_out(std::move(out), expand_repeats);
}

Error about_file(const ReadOptions& options, std::string code, std::string message, std::string hint) {
  return {std::move(code), std::move(message), {options.file, {}, {}, 0, 0}, std::move(hint)};
}

}  // namespace
}  // namespace musescore

int recognise_musescore(std::string_view head) {
  // Style sheets have the same root, and no score.
  return xml::root_name(head) == musescore::kRoot && head.find("<Score") != std::string_view::npos ? 100 : 0;
}

Result<void> read_musescore(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  auto document = xml::load(in, options, "musescore");
  if (!document) return fail(std::move(document.error()));
  const pugi::xml_node root = (*document)->root();
  const pugi::xml_node score = root.child("Score");
  if (xml::name_of(root) != musescore::kRoot || !score) {
    return fail(musescore::about_file(options, "musescore-no-score", "there is no MuseScore score in it",
                                      "the root element is <museScore> and holds <Score>"));
  }
  const auto version = xml::number(xml::attribute(root, "version"));
  if (version && *version < Fraction(2)) {
    return fail(musescore::about_file(options, "musescore-version",
                                      "this was written by MuseScore 1; versions 2, 3 and 4 are read",
                                      "open it in a newer MuseScore and save it"));
  }
  Piece piece;
  piece.id = record_id(options, 1, true);
  if (piece.id.empty()) piece.id = "1";
  piece.format = "musescore";
  xml::Remarks remarks(options, **document);
  auto voices = musescore::voices_of(score, options.expand_repeats, remarks);
  piece.metadata = musescore::metadata_of(score);
  xml::hand_over(std::move(piece), std::move(voices), **document, remarks, options, sink);
  return {};
}

}  // namespace rondo
