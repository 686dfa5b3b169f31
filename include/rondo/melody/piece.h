#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/melody/voice.h"

namespace rondo {

/// Data about a piece other than its notes. Empty: unknown.
struct Metadata {
  std::string title;
  std::string composer;
  std::string source;                  ///< collection or publication it was taken from
  std::string library;                 ///< siglum, as "D-Dl"
  std::string shelfmark;               ///< where the library keeps it
  std::vector<std::string> catalogue;  ///< catalogue numbers: "RISM A/I M 1234", "BWV 1007"
  std::string uri;
  std::string year;  ///< as written: "1782", "ca. 1750"
  /// Everything else by name, in the record's order: "heading", "role", "text", "scoring", "rhythm", "family".
  std::vector<std::pair<std::string, std::string>> fields;

  /// The first field of that name, or empty.
  [[nodiscard]] std::string_view field(std::string_view name) const;
  friend bool operator==(const Metadata&, const Metadata&) = default;
};

/// A record of a collection: one or more voices that sound together, each a melody that can be searched for.
/// A record without notation is kept too: a piece without voices.
struct Piece {
  std::string id;  ///< stable: from the record where it has one, else from file and number
  Metadata metadata;
  std::vector<Voice> voices;
  std::string format;       ///< name of the format it was read from ("abc")
  std::string source_text;  ///< the original record, for text formats; empty for others
};

}  // namespace rondo
