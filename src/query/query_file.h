#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rondo/query/reading.h"

namespace rondo {

/// A file of which a piece was chosen.
struct QueryFile {
  QueryReading reading;
  std::vector<std::string> pieces{};  ///< titles (or ids) of those with notes, at most kMostPieces
  bool more = false;                  ///< there are more of them
  static constexpr std::size_t kMostPieces = 1000;
};
/// The piece of that number, from 0 among those with notes. Errors: those of read_query_bytes, `piece-missing`.
[[nodiscard]] Result<QueryFile> read_query_file(std::string_view bytes, std::size_t piece);

}  // namespace rondo
