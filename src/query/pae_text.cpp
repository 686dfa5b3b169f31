#include <algorithm>

#include "formats/pae.h"
#include "query/draft.h"

namespace rondo::query {

Result<Draft> read_pae_text(std::string_view text) {
  Draft draft{.kind = QueryKind::pae};
  const bool container = text.find_first_of("%@$") != std::string_view::npos || text.starts_with('{') ||
                         text.starts_with('[') || text.starts_with(";pe");
  // Outside headers, which have these signs for other things, they stand for what is not known.
  OpenText open{std::string(text)};
  if (!container && text.find('~') == std::string_view::npos) {
    auto opened = open_text(text);
    if (!opened) return fail(std::move(opened.error()));
    open = std::move(*opened);
  }
  auto voice = parse_pae_query(open.text, draft.warnings);
  if (!voice) {
    if (voice.error().code == "pae-no-notation") {
      return fail("query-empty", "there are no notes in it", std::move(voice.error().place));
    }
    return fail(std::move(voice.error()));
  }
  set_unknown(draft, open, [](std::string_view beginning) {
    Diagnostics unwanted;
    const auto part = parse_pae_query(beginning, unwanted);
    return part ? part->notes.size() : 0;
  });
  Piece piece;
  piece.id = "query";
  piece.format = "pae";
  piece.source_text = std::string(text);
  piece.voices.push_back(std::move(*voice));
  draft.piece = std::move(piece);
  draft.because = container ? "it has a header of Plaine & Easie" : "it has signs of Plaine & Easie";
  draft.rhythm = container || text.find_first_of("0123456789") != std::string_view::npos;
  return draft;
}

}  // namespace rondo::query
