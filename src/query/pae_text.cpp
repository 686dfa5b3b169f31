#include <algorithm>

#include "formats/pae.h"
#include "query/draft.h"

namespace rondo::query {

Result<Draft> read_pae_text(std::string_view text) {
  Draft draft{.kind = QueryKind::pae};
  const bool container = text.find_first_of("%@$") != std::string_view::npos || text.starts_with('{') ||
                         text.starts_with('[') || text.starts_with(";pe");
  std::string notes(text);
  // Outside headers, which have these signs for other things, they stand for what is not known.
  if (!container && text.find('~') == std::string_view::npos) {
    for (std::size_t i = 0; i < notes.size(); ++i) {
      if (notes[i] != '?' && notes[i] != '*') continue;
      draft.events.push_back({.kind = notes[i] == '?' ? Event::Kind::unknown_note : Event::Kind::unknown_stretch});
      notes[i] = ' ';
    }
  }
  auto voice = parse_pae_query(notes, draft.warnings);
  if (!voice) {
    if (voice.error().code == "pae-no-notation") {
      return fail("query-empty", "there are no notes in it", std::move(voice.error().place));
    }
    return fail(std::move(voice.error()));
  }
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
