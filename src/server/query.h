#pragma once

#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/piece.h"
#include "server/json.h"

namespace rondo::server {

/// A melody that somebody asks about.
struct Query {
  Piece piece;          ///< has at least one voice
  std::string format;   ///< what it was read as
  Diagnostics remarks;  ///< what was odd about it, with columns in the text
};

/// A melody as it was typed or pasted: PAE in any container or bare, ABC, kern, or any other text format. Places of
/// errors and remarks are counted in characters from the beginning of the text, from 1, whatever the lines.
[[nodiscard]] Result<Query> read_typed(std::string_view text);
/// A file of any format, or an archive with one in it; the first piece with notes counts.
[[nodiscard]] Result<Query> read_upload(std::string_view bytes);

[[nodiscard]] Json remarks_json(const Diagnostics& remarks);
/// pae, clef, key, time, format, notes, mei and remarks.
[[nodiscard]] Json query_json(const Query& query);

}  // namespace rondo::server
